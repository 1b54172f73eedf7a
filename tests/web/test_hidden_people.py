"""A person who hides the profile is named to nobody but friends and those who play with them.

Every list, feed, picture, record and table is asked as everybody: strangers read the one name that
hidden people have, and none of their own ones.
"""

import json
from datetime import date
from random import Random
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import get_resolver
from rest_framework.test import APIClient

from accounts.audit.log import Actor
from accounts.models import User
from accounts.names import is_reserved
from accounts.social import services
from accounts.social.models import Privacy
from cardroom.rules import catalog
from cardroom.rules import record as rules_record
from games.exports import exporting
from games.exports.models import RecordFile
from games.language import speaker
from games.live.match_stream import Query, read_deliveries
from games.matches import joining, leaving, loading
from games.matches.selectors.access import Caller, get_match
from games.matches.selectors.lineage import rounds_of_match
from games.matches.selectors.log import events_for, log_entries, standing_entries
from games.operations import refereeing
from games.people import counting
from games.web.parts.table_page import TablePage
from games.web.table.ending import best_of_match
from games.web.tables import page_of
from games.web.tables.pyanitsa import _up_to_date
from tests.competitions.held import begun, held
from tests.conftest import key_of, registered
from tests.matches.scenes import move, now, opened, played, resigned
from tests.people.ended import between
from tests.rules.short import short_options
from tests.security.test_authorisation_matrix import BACKEND, CONVERTER, GROUP, patterns
from tests.security.walking import text_of

pytestmark = pytest.mark.django_db
NAME, HIDDEN = "Zenobia", "Hidden player"
LISTS = (
    *("/", "/lobby?whose=all", "/people/ben", "/people/ben/results.atom", "/featured"),
    *("/api/v1/matches", "/api/v1/matches?status=finished", "/api/v1/matches?status=active"),
    *("/api/v1/matches?joinable=true", "/api/v1/users/ben", "/api/v1/users/ben/matches"),
    *("/api/v1/exports/matches", "/api/v1/leaderboards/pisti", "/leaderboards/pisti"),
)
OF_A_MATCH = (
    *("/matches/{}", "/matches/{}?ply=0", "/matches/{}/feed.atom", "/matches/{}/family"),
    *("/matches/{}/share.svg", "/matches/{}/record", "/matches/{}/analysis"),
    *("/api/v1/matches/{}", "/api/v1/matches/{}/events", "/api/v1/matches/{}/record"),
    *("/api/v1/matches/{}/saves", "/api/v1/matches/{}/rematch", "/api/v1/matches/{}/notices"),
)


class World:
    """Zenobia hides. She sat with Ben in matches that are over, that run, and that are open."""

    def __init__(self, zenobia, ben):
        self.zenobia, self.ben = zenobia, ben
        self.over = between(ben, zenobia, "pazaak", visibility="public")
        self.won = between(zenobia, ben, "pisti", visibility="public")
        running = opened(zenobia, "me, open", "pisti", visibility="public")
        self.running = move(joining.join(match_id=running.id, user=ben))
        self.hosted = opened(
            zenobia, "me, local Twin, open", "pisti", visibility="public", options={"players": 3}
        )
        self.invited = opened(
            ben, f"me, user {NAME}, open", "pisti", visibility="public", options={"players": 3}
        )
        counting.count_finished()
        Privacy.objects.create(account=zenobia, hides_profile=True)

    @property
    def matches(self):
        return [self.over, self.won, self.running, self.hosted, self.invited]

    @property
    def together(self):
        """The matches that concern Ben."""
        return [self.over, self.won, self.running, self.invited]

    def addresses(self):
        yield from LISTS
        for match in self.matches:
            yield from (path.format(match.id) for path in OF_A_MATCH)


@pytest.fixture
def world(db, ben):
    return World(registered(NAME), ben)


def browser(user=None):
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user, BACKEND)
    return client


def telling(client, paths):
    """Those of the addresses that name her."""
    return {path for path in paths if NAME in text_of(client, path)[1]}


def staff():
    return User.objects.create_user("Olga", is_staff=True)


@pytest.mark.parametrize("reader", ["nobody", "a stranger", "staff"])
def test_strangers_read_no_name_anywhere(world, cleo, reader):
    """Staff see it in the administration, not on the pages of everybody."""
    user = {"nobody": None, "a stranger": cleo, "staff": staff()}[reader]
    assert telling(browser(user), world.addresses()) == set()


def test_strangers_read_that_somebody_played(world):
    stranger = browser()
    for path in (*LISTS[1:4], "/api/v1/matches", f"/matches/{world.over.id}/feed.atom"):
        assert HIDDEN in text_of(stranger, path)[1], path
    for match in world.matches:
        seats = stranger.get(f"/api/v1/matches/{match.id}").json()["seats"]
        assert HIDDEN in [seat["name"] for seat in seats]


def test_pages_call_her_so_in_the_language_of_their_reader(world):
    turkish = Client(headers={"accept-language": "tr"})
    for path in (f"/matches/{world.won.id}", "/people/ben", f"/matches/{world.won.id}/share.svg"):
        assert "Gizli oyuncu" in text_of(turkish, path)[1], path


def test_friends_read_the_name(world, cleo):
    services.befriend(user=cleo, other=world.zenobia.pk)
    services.befriend(user=world.zenobia, other=cleo.pk)
    at_cleo = browser(cleo)
    assert telling(at_cleo, [f"/matches/{match.id}" for match in world.matches]) == {
        f"/matches/{match.id}" for match in world.matches
    }
    assert {"/people/ben", "/api/v1/matches", "/lobby?whose=all"} <= telling(at_cleo, LISTS)


def test_those_who_play_with_her_read_it_there_and_not_elsewhere(world, cleo):
    elsewhere = between(world.zenobia, cleo, visibility="public")
    at_ben, at_her = browser(world.ben), browser(world.zenobia)
    for client, matches in ((at_ben, world.together), (at_her, world.matches)):
        tables = {f"/matches/{match.id}" for match in matches}
        assert telling(client, tables) == tables
    assert telling(at_ben, [f"/matches/{elsewhere.id}", f"/matches/{world.hosted.id}"]) == set()
    names = [row["seats"] for row in at_ben.get("/api/v1/matches").json()["results"]]
    assert sum(NAME in str(seats) for seats in names) == len(world.together)


def test_a_picture_that_is_passed_on_names_her_to_nobody(world):
    for user in (world.ben, world.zenobia):
        assert HIDDEN in text_of(browser(user), f"/matches/{world.won.id}/share.svg")[1]


def test_records_of_strangers_verify_and_are_in_english(world, cleo):
    czech = APIClient(headers={"accept-language": "cs"})
    czech.credentials(HTTP_AUTHORIZATION=f"Token {key_of(cleo)}")
    lines = b"".join(czech.get("/api/v1/exports/matches").streaming_content).splitlines()
    records = [json.loads(line) for line in lines]
    records.append(czech.get(f"/api/v1/matches/{world.over.id}/record").json())
    assert len(records) == 3
    for each in records:
        assert rules_record.verify(each) is None
        assert HIDDEN in [seat["name"] for seat in each["seats"]]


def test_the_public_archive_does_not_name_her(world):
    file = RecordFile.objects.create(day=date(2026, 1, 1))
    while RecordFile.objects.filter(finished_at=None).exists():
        exporting.write_export(file.id)
    archive = text_of(browser(), "/api/v1/archives/2026-01-01.jsonl")[1]
    assert HIDDEN in archive
    assert NAME not in archive


def test_the_express_door_hands_on_who_looks_on_at_people(world, cleo, keyed):
    assert NAME not in keyed(cleo).get(f"/api/v1/matches/{world.running.id}").content.decode()
    running = get_match(world.running.id)
    readers = [None, cleo.pk, world.ben.pk, world.zenobia.pk]
    assert [running.has_strangers_to(one) for one in readers] == [True, True, False, False]
    computers = opened(world.ben, "bot greedy, bot random", visibility="public")
    assert not computers.has_strangers_to(cleo.pk)


def test_a_stream_names_her_to_those_who_may_know(world, cleo):
    services.befriend(user=cleo, other=world.zenobia.pk)
    services.befriend(user=world.zenobia, other=cleo.pk)

    def render(content):
        return str(content.match.names).encode()

    readers = [None, registered("Dora").pk, cleo.pk, world.ben.pk, world.zenobia.pk]
    queries = [Query(world.running.id, user, None, -1, None, render) for user in readers]
    told = [NAME in str(delivery.messages) for delivery in read_deliveries(queries)]
    assert told == [False, False, True, True, True]


def test_tournaments_name_those_who_take_part(world, cleo):
    """The setting's sentence says so."""
    cup = begun(held(cleo, game="pisti"), world.zenobia, world.ben)
    page = text_of(browser(), f"/tournaments/{cup.id}")[1]
    assert NAME in page
    assert "in a tournament everybody does" in text_of(browser(world.zenobia), "/people")[1]


def test_nobody_is_called_so(db):
    assert is_reserved(HIDDEN)
    assert is_reserved("hidden-p1ayer")


def test_resigning_changes_nothing(world):
    leaving.resign(match_id=world.running.id, caller=Caller(user=world.zenobia.pk))
    assert telling(browser(), [f"/matches/{world.running.id}"]) == set()
    assert get_match(world.running.id).seats[0].name == NAME


@pytest.mark.sweep
@pytest.mark.parametrize("reader", ["nobody", "a stranger"])
def test_no_address_of_the_configuration_names_her(world, cleo, reader):
    client = browser(None if reader == "nobody" else cleo)
    paths = set()
    for pattern in dict.fromkeys(patterns(get_resolver().url_patterns)):
        if pattern.startswith("admin"):
            continue
        for match in world.matches if "match_id" in pattern else world.matches[:1]:
            known, path = {"match_id": match.id, "username": "ben", "slug": "pisti"}, pattern
            for kind in (GROUP, CONVERTER):
                path = kind.sub(lambda one, known=known: str(known.get(one[1], "pisti")), path)
            paths.add("/" + path.replace("^", "").replace("$", ""))
    assert telling(client, paths) == set()


# The moments, picture and figures of a match are made of what stands, not of what was taken back.

HOUSE = [game.slug for game in catalog.OF_THE_HOUSE]


def _opening(match, number: int) -> int:
    standing = [one for one in rounds_of_match(match) if one.undone_at is None]
    return next(one.opening_version for one in standing if one.number == number)


def _rolled_back(match, who, gone: set[int], number: int = 1):
    """The match taken back, and in ``gone`` the versions that count no more."""
    first = _opening(match, number)
    refereeing.roll_back(match_id=match.id, by=Actor.of(who, "A bad deal."), round=number)
    match = now(match)
    gone |= set(range(first + 1, match.version))
    return match


def _plies(match, gone: set[int]):
    entries = [entry for entry in log_entries(match) if entry.version not in gone]
    return [(entry.version, events_for(match, entry, None)) for entry in entries]


def _assert_told_of(match, gone: set[int]) -> None:
    assert gone
    assert not gone & {entry.version for entry in standing_entries(match)}
    plies = _plies(match, gone)
    assert [entry.version for entry in standing_entries(match)] == [version for version, _ in plies]
    game_page = page_of(match.game)
    told = best_of_match(TablePage(match, None, None), game_page)
    events = [event for _, events in plies for event in events]
    assert told.sentences == [*map(speaker(), game_page.moments(events, match.names))]
    assert told.clip is None or told.clip.version not in gone


@pytest.mark.parametrize("game", HOUSE)
def test_after_roll_backs(game, ada):
    gone: set[int] = set()
    match = opened(ada, "me, local Twin", game, options=short_options(catalog.find(game)))
    match = played(match, 5)
    for _ in range(2):
        match = _rolled_back(match, ada, gone)
        match = played(match, match.version + 4, Random(3))
    _assert_told_of(played(match), gone)


@pytest.mark.parametrize("game", HOUSE)
def test_loaded_from_a_match_that_is_rolled_back_later(game, ada):
    """Plies that the parent takes back after the load still stand in the loaded match."""
    parent = played(opened(ada, "me, local Twin", game), 3)
    match = loading.load(match_id=parent.id, user=ada, cards="same", version=parent.version)
    gone: set[int] = set()
    parent = _rolled_back(played(parent, parent.version + 2), ada, gone)
    assert gone & {entry.version for entry in log_entries(match)}
    assert standing_entries(match) == [*log_entries(match)]
    assert not gone & {entry.version for entry in standing_entries(parent)}


@pytest.mark.parametrize("game", HOUSE)
def test_handed_over_after_a_roll_back(game, ada):
    gone: set[int] = set()
    match = played(opened(ada, "me, local Twin", game), 5)
    match = _rolled_back(match, ada, gone)
    _assert_told_of(resigned(played(match, match.version + 3), 1), gone)


def test_the_curve_of_pyanitsa_begins_again(ada):
    """The one that is kept had followed the tricks that are gone."""
    match = played(opened(ada, "me, local Twin", "pyanitsa"), 9)

    def page(match):
        after = [*log_entries(match, until=match.version)]
        return SimpleNamespace(
            match=match,
            entries_after=lambda version: [entry for entry in after if entry.version > version],
        )

    before = _up_to_date(page(match)).trick
    assert before
    match = _rolled_back(match, ada, set())
    counts = _up_to_date(page(match))
    assert counts.trick == 0
    assert sum(counts.held) == 36

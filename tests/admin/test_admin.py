"""Operators find and read everything of a match but what its players may not know yet."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import User
from cardroom.rules import catalog
from games.exports.exporting import start_export
from games.exports.models import RecordFile
from games.lobby import rematches, seeking
from games.matches.models import Match, Ply, Round, Seat
from games.operations.models import PlayerReport
from games.simulations import work
from games.simulations.models import Simulation, SimulationPart
from tests.admin.test_acts import staff
from tests.conftest import BACKEND, client_of
from tests.lobby.seekers import waits
from tests.matches.scenes import now, opened, played, resigned, short

pytestmark = pytest.mark.django_db

GAMES = [game.slug for game in catalog.GAMES]
LISTS = (Match, Seat, Round, Ply, Simulation, SimulationPart)
SIDE_DECK = ["P1", "P2", "M3", "M4", "PM5", "PM6", "F12", "F34", "D", "T"]
KEY = "a key of Ada's program"


@pytest.fixture
def operator(db) -> Client:
    browser = Client()
    root = User.objects.create_superuser("root", password="a long and quiet evening")
    browser.force_login(root, BACKEND)
    return browser


def list_of(model) -> str:
    return reverse(f"admin:games_{model._meta.model_name}_changelist")


def page_of(row) -> str:
    return reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])


def rows_of(match):
    """The match and what belongs to it: of many rows the first and the last ones."""
    kept = [Match.objects.get(id=match.id)]
    for model in (Seat, Round, Ply):
        rows = list(model.objects.filter(match=match.id).order_by("pk"))
        kept += rows if len(rows) <= 16 else rows[:8] + rows[-8:]
    return kept


def read(operator, address: str, **asked: str) -> str:
    response = operator.get(address, asked)
    assert response.status_code == 200, address
    return response.content.decode()


def everything(operator, match) -> str:
    """Every list and every page of a match, one after another."""
    lists = [read(operator, list_of(model)) for model in LISTS]
    return "\n".join(lists + [read(operator, page_of(row)) for row in rows_of(match)])


def lists_in(value, least: int = 3) -> set[str]:
    """Every list of cards in a state: as JSON writes it, its items joined by blanks or commas."""
    if isinstance(value, dict):
        return set().union(*map(lists_in, value.values())) if value else set()
    if not isinstance(value, list):
        return set()
    found = set().union(*map(lists_in, value)) if value else set()
    if len(value) >= least and all(isinstance(item, str | int) for item in value):
        texts = [str(item) for item in value]
        found |= {json.dumps(value, separators=(",", ":")), " ".join(texts), ", ".join(texts)}
    return found


def secrets_of(match) -> set[str]:
    """Seed, decks, hands, stock, side decks: as bytes, as JSON and as people write them."""
    match = Match.objects.get(id=match.id)
    seed = bytes(match.seed)
    told = {seed.hex(), str(seed), bytes(match.state).decode()}
    told |= lists_in(json.loads(bytes(match.state)))
    for stored in table_bytes(match):
        told |= {stored.decode()} | lists_in(json.loads(stored))
    decks = [deck for deck in Seat.objects.values_list("side_deck", flat=True) if deck]
    told |= set().union(*map(lists_in, decks)) if decks else set()
    return {text for text in told if len(text) > 5}


def table_bytes(match):
    for opening, decks in Round.objects.filter(match=match.id).values_list(
        "opening_state", "decks"
    ):
        yield from (bytes(opening), bytes(decks))
    for events, decks in Ply.objects.filter(match=match.id).values_list("events", "decks"):
        yield from [bytes(stored) for stored in (events, decks) if stored]


# Side decks and cards face down; a move that is kept secret has a test of its own.
MOST_SECRETS = ("pazaak", "shithead")


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in MOST_SECRETS else pytest.mark.sweep) for game in GAMES],
)
def test_no_page_tells_a_secret_of_a_running_match(operator, ada, game):
    match = played(opened(ada, "me, local Twin", game), 5)
    if game == "pazaak":
        Seat.objects.filter(match=match.id).update(side_deck=SIDE_DECK)
    Ply.objects.filter(match=match.id, version=3).update(key=KEY)
    assert match.status == "active"
    shown = everything(operator, match).replace("&quot;", '"').replace("&#x27;", "'")
    secrets = secrets_of(match)
    assert len(secrets) > 10
    public = {text for text in secrets if text in bytes(match.options_json).decode()}
    assert [text for text in secrets - public if text in shown] == []
    assert str(match.id) in shown


@pytest.mark.parametrize(
    "game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.sweep) for game in GAMES[1:])]
)
def test_all_is_there_to_read_when_it_is_over(operator, ada, game):
    match = played(short(ada, game))
    shown = everything(operator, match)
    assert match.seed.hex() in shown
    assert "shown when the match" not in shown
    ply = Ply.objects.filter(match=match.id).latest("version")
    assert ply.move in read(operator, page_of(ply))


def test_a_move_kept_secret_is_not_told(operator, ada):
    """Pyanitsa's order of collection names cards that lay face down."""
    match = opened(ada, "me, local Twin", "pyanitsa")
    Ply.objects.create(match_id=match.id, version=9, seat=0, move="collect 9S 6H", events=b"[]")
    shown = read(operator, page_of(Ply.objects.get(match=match.id, version=9)))
    shown += read(operator, list_of(Ply))
    assert "collect" in shown
    assert "9S 6H" not in shown


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (Match, "seed__startswith"),
        (Match, "state__contains"),
        (Seat, "side_deck__contains"),
        (Seat, "match__seed"),
        (Round, "opening_state__contains"),
        (Ply, "move"),
        (Ply, "events__contains"),
        (Ply, "key"),
    ],
)
def test_a_list_answers_no_question_about_a_secret(operator, ada, model, asked):
    opened(ada)
    response = operator.get(list_of(model), {asked: "7H"})
    assert response.status_code in (302, 400)
    assert "e=1" in response.get("Location", "e=1")


class TestFinding:
    @pytest.fixture
    def tables(self, ada, ben):
        return [opened(ada, "me, bot greedy"), opened(ben, "me, local Zoë")]

    def found(self, operator, **asked) -> set[str]:
        page = read(operator, list_of(Match), **asked)
        return set(re.findall(r"match/([0-9a-f-]{36})/change", page))

    def test_by_the_beginning_of_a_name(self, operator, tables):
        assert self.found(operator, q="Ben") == {str(tables[1].id)}
        assert self.found(operator, q="be") == {str(tables[1].id)}
        assert self.found(operator, q="Zo") == {str(tables[1].id)}
        assert self.found(operator, q="nobody at all") == set()

    def test_by_id_whole_or_its_beginning(self, operator, tables):
        first = str(tables[0].id)
        assert self.found(operator, q=first) == {first}
        assert self.found(operator, q=f"  {first.upper()} ") == {first}
        assert first in self.found(operator, q=first[:13])

    @pytest.mark.parametrize("part", [slice(-12, None), slice(0, 8), slice(9, 23), slice(20, -2)])
    def test_by_any_part_of_an_id(self, operator, tables, part):
        """As it stands in a log, a screenshot or the end of an address."""
        wanted = str(tables[1].id)
        assert wanted in self.found(operator, q=wanted[part])
        assert self.found(operator, q="0123456789abcdef") == set()

    def test_people_by_any_part_of_an_id(self, operator, ada, ben):
        for part in (str(ada.pk), str(ada.pk)[-12:], str(ada.pk)[9:23].upper(), "ad"):
            page = read(operator, reverse("admin:operations_person_changelist"), q=part)
            assert str(ada.pk) in page
        assert str(ben.pk) not in page

    def test_by_filter(self, operator, tables):
        assert len(self.found(operator, status__exact="active")) == 2
        assert self.found(operator, status__exact="finished") == set()
        assert self.found(operator, game="pazaak") == set()
        assert len(self.found(operator, created="1h")) == 2
        assert self.found(operator, from_save="yes") == set()

    def test_by_problem(self, operator, tables, ada):
        long_ago = now(tables[0]).created_at - timedelta(days=2)
        stuck, other = (Match.objects.filter(id=match.id) for match in tables)
        stuck.update(bot_due_at=long_ago, deadline_at=long_ago)
        other.update(updated_at=long_ago)
        PlayerReport.objects.create(match_id=tables[1].id, ply=0, reporter=ada, reason="other")
        ids = [str(match.id) for match in tables]
        assert self.found(operator, problem="owes_bot") == {ids[0]}
        assert self.found(operator, problem="late") == {ids[0]}
        assert self.found(operator, problem="stalled") == {ids[1]}
        assert self.found(operator, problem="reported") == {ids[1]}

    @pytest.mark.parametrize("model", [Seat, Round, Ply])
    def test_what_belongs_to_a_match(self, operator, tables, model):
        page = read(operator, list_of(model), q=str(tables[0].id))
        assert str(tables[0].id) in page
        assert str(tables[1].id) not in page
        assert str(tables[0].id) not in read(operator, list_of(model), q="nothing")

    def test_the_plies_of_a_match_by_its_link(self, operator, tables):
        page = read(operator, page_of(Match.objects.get(id=tables[0].id)))
        link = re.search(r'href="(/admin/games/ply/\?[^"]*)"', page)[1]
        assert str(tables[1].id) not in read(operator, link)


def test_nothing_of_a_match_is_written_here(operator, ada):
    match = opened(ada)
    for row in rows_of(match):
        assert operator.post(page_of(row), {"status": "aborted"}).status_code == 403
        delete = page_of(row).replace("/change/", "/delete/")
        assert operator.post(delete, {"post": "yes"}).status_code == 403
    assert operator.get(list_of(Match) + "add/").status_code == 403
    assert now(match).status == "active"


def test_a_visitor_sees_no_list(client, ada):
    client.force_login(ada, BACKEND)
    for model in LISTS:
        assert client.get(list_of(model)).status_code == 302


class TestSimulations:
    @pytest.fixture
    def running(self, ada) -> Simulation:
        found = work.start(owner=ada, game="pyanitsa", games=40, seed=7)
        work._claim_part()
        Simulation.objects.filter(id=found.id).update(claimed=10, played=10)
        return found

    def test_its_progress(self, operator, running):
        assert "10 of 40 (25 %)" in read(operator, list_of(Simulation))
        page = read(operator, page_of(running))
        assert "10 of 40 (25 %)" in page
        assert "&quot;seed&quot;:7" in page
        assert str(running.id) in read(operator, list_of(Simulation), q="Ada")
        part = running.parts.get()
        assert "0" in read(operator, page_of(part))

    def cancel(self, browser, *chosen):
        sent = {"action": "cancel", "_selected_action": [str(each.pk) for each in chosen]}
        return browser.post(list_of(Simulation), sent)

    def test_an_operator_cancels_what_runs(self, operator, ada, running):
        Simulation.objects.update(status="cancelled")
        over = work.start(owner=ada, game="pyanitsa", games=4)
        while work.run_parts_for_a_while():
            pass
        Simulation.objects.filter(id=running.id).update(status="running")
        response = self.cancel(operator, running, over)
        running.refresh_from_db()
        over.refresh_from_db()
        assert (running.status, over.status) == ("cancelled", "finished")
        assert not running.parts.exists()
        assert [str(said) for said in get_messages(response.wsgi_request)] == ["Cancelled: 1."]

    def test_who_may_only_look_does_not_cancel(self, running, db):
        looker = User.objects.create_user("looker", password="a long and quiet evening")
        looker.is_staff = True
        looker.save()
        looker.user_permissions.set(permissions("view_simulation"))
        browser = client_of(looker)
        assert "10 of 40" in read(browser, list_of(Simulation))
        self.cancel(browser, running)
        running.refresh_from_db()
        assert running.status == "running"


def permissions(*names: str):
    return Permission.objects.filter(codename__in=names)


# Operators see how far exports and archives are, and no record in them.


def test_an_export_is_looked_at_and_not_read(ada):
    file = start_export(owner=ada)
    viewer = staff("viewer")
    listed = viewer.get(reverse("admin:exports_recordfile_changelist"), {"q": "ad"})
    assert f"export {file.id}" in listed.content.decode()
    assert "written until" in listed.content.decode()
    nobody = viewer.get(reverse("admin:exports_recordfile_changelist"), {"q": "nobody"})
    assert f"export {file.id}" not in nobody.content.decode()
    page = reverse("admin:exports_recordfile_change", args=[file.id])
    assert str(file.id) in viewer.get(page).content.decode()
    assert staff("referee").post(page, {"size": "1"}).status_code == 403
    assert RecordFile.objects.get().size == 0


# Operators see who waits and who was paired; they change nothing of it.


@pytest.fixture
def viewer(client):
    user = User.objects.create_user("viewer", is_staff=True)
    user.groups.set(Group.objects.filter(name__iexact="viewer"))
    client.force_login(user, BACKEND)
    return client


def test_the_list_says_who_waits(viewer, ada, ben):
    waits(ada)
    seek = waits(ben, "pazaak")
    seeking.withdraw(account=ben, seek_id=seek.id)
    page = viewer.get(reverse("admin:lobby_seek_changelist")).content.decode()
    assert "waiting" in page
    assert "ended" in page
    found = viewer.get(reverse("admin:lobby_seek_changelist"), {"q": "be"}).content.decode()
    assert "pazaak" in found
    address = reverse("admin:lobby_seek_change", args=[seek.id])
    assert viewer.get(address).status_code == 200
    assert viewer.post(address, {"game": "pisti"}).status_code == 403


def test_a_series_is_listed_by_its_matches(viewer, ada):
    first = resigned(opened(ada, "me, bot greedy", preset="single"), 0)
    second = rematches.ask(match_id=first.id, user=ada)
    address = reverse("admin:lobby_seriesmatch_changelist")
    page = viewer.get(address, {"q": str(first.id)}).content.decode()
    assert str(second.id) in page or str(second.id)[:8] in page
    assert viewer.get(reverse("admin:lobby_seriesmatch_change", args=[first.id])).status_code == 200
    assert viewer.get(address, {"q": "x"}).status_code == 200

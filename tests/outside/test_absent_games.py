"""Stored matches of a game that is not installed are listed, exported, left alone, and say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest
from django.core import checks
from django.template import engines
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from structlog.testing import capture_logs

from accounts.models import User
from cardroom.rules import catalog, outside, record
from cardroom.rules.pazaak.side_cards import STARTER
from decks.models import Deck
from games import outside as starting
from games.absent import GameNotInstalled
from games.exports.exporting import start_export
from games.matches import folding, opening, overdue, records
from games.matches.models import Match, Ply, Seat
from games.matches.refusals import UnknownGame
from games.matches.selectors.access import get_match
from games.operations import finding, nights
from games.operations.figures import bots_move
from games.simulations import work
from games.simulations.models import Simulation
from games.web.tables import page_of
from tests.conftest import BACKEND, client_of
from tests.fifth_game import GAME as HIGH_CARD
from tests.matches.scenes import move, now, opened, played
from tests.outside.packages import another
from tests.outside.packages import installed as installed_beside
from tests.outside.packages import installed as packages_installed
from tests.security.test_authorisation_matrix import (
    World,
    address,
    connection_of,
    delivery_to,
    patterns,
    status,
)

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=400)


@contextmanager
def installed(game=HIGH_CARD) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "GAMES", (*catalog.GAMES, game))
        yield


@pytest.fixture
def running(ada: User) -> Match:
    """Ada and a bot; it is the bot's turn, and it is late."""
    with installed():
        match = move(opened(ada, "me, bot random", "high-card", turn_seconds=60))
    late = timezone.now() - timedelta(minutes=1)
    Match.objects.filter(id=match.id).update(bot_due_at=late, deadline_at=late)
    return Match.objects.get(id=match.id)


@pytest.fixture
def waiting(ada: User) -> Match:
    with installed():
        match = opened(ada, "me, open", "high-card", visibility="public")
    Match.objects.filter(id=match.id).update(updated_at=timezone.now() - LONG_AGO)
    return Match.objects.get(id=match.id)


@pytest.fixture
def over(ada: User) -> Match:
    with installed():
        match = played(opened(ada, "me, local Twin", "high-card", visibility="public"))
    return Match.objects.get(id=match.id)


OTHERS = ("key", "seek", "challenge", "notice", "tournament")


def world(match: Match, ada: User) -> World:
    deck = Deck.objects.create(owner=ada, name="Ada's", cards=list(STARTER))
    with installed():
        simulation = work.start(owner=ada, game="high-card", bots=("random",), games=2)
    others = dict.fromkeys(OTHERS, simulation) | {
        "delivery": delivery_to(ada),
        "connection": connection_of(ada),
    }
    return World(match, ada, deck, simulation, start_export(owner=ada), **others)


SPARED = ("logout", "delete", "suspend")  # they end the session


@pytest.mark.sweep
@pytest.mark.parametrize("who", ["ada", "superuser"])
def test_no_address_breaks(who, ada, running, waiting, over):
    """The lists show the three matches at once; what names a match is asked for each of them."""
    user = ada if who == "ada" else User.objects.create_superuser("Super")
    first = world(running, ada)
    worlds = [first, replace(first, match=waiting), replace(first, match=over)]
    paths = paths_in(*worlds)
    assert broken(user, paths, "GET", "POST") == []
    assert len(paths) > len(paths_in(first)) + 50


def test_no_page_of_a_match_breaks(ada, running, over):
    """Of one that runs and of one that is over, as its player and as an operator look at it."""
    first = world(running, ada)
    paths = [
        path
        for path in paths_in(first, replace(first, match=over))
        if str(running.pk) in path or str(over.pk) in path
    ]
    assert len(paths) > 100
    players = [path for path in paths if not path.startswith("/admin/")]
    assert broken(ada, players, "GET") == []
    superuser = User.objects.create_superuser("Super")
    assert broken(superuser, sorted({*paths} - {*players}), "GET") == []


def paths_in(*worlds: World) -> list[str]:
    found = sorted(set(patterns(get_resolver().url_patterns)))
    assert len(found) > 100
    return [*{address(each, p): None for p in found for each in worlds if asked(p)}]


def broken(user: User, paths: list[str], *methods: str) -> list[tuple[str, str]]:
    """The calls that end in a fault of the service."""
    client = Client(raise_request_exception=False)
    client.force_login(user, BACKEND)
    calls = [(method, path) for path in paths for method in methods]
    return [call for call in calls if status(client, *call) >= 500]


def asked(pattern: str) -> bool:
    return not any(word in pattern for word in SPARED)


def test_its_page_says_so_and_offers_the_record(over, running, ada, client):
    client.force_login(ada, BACKEND)
    for match in (over, running):
        page = client.get(f"/matches/{match.id}").content.decode()
        assert GameNotInstalled.sentence() in page
        assert ("/record" in page) == (match is over)
    assert "High card" in client.get("/lobby").content.decode()
    replay = client.get(f"/matches/{over.id}?ply=1")
    assert GameNotInstalled.sentence() in replay.content.decode()


def test_the_api_lists_it_and_refuses_the_rest_in_words(over, running, ada, keyed):
    program = keyed(ada)
    listed = program.get("/api/v1/matches?mine=true").json()["results"]
    assert {one["id"]: one["game_installed"] for one in listed} == {
        str(over.id): False,
        str(running.id): False,
    }
    here = f"/api/v1/matches/{running.id}"
    refused = [
        program.get(here),
        program.get(f"{here}/events"),
        program.post(f"{here}/moves", {"move": "7H", "version": running.version}, format="json"),
        program.post(f"{here}/resign"),
        program.get(f"{here}/stream"),
        program.post(f"/api/v1/matches/{over.id}/rematch"),
    ]
    for answer in refused:
        problem = msgspec.json.decode(answer.content)
        assert (answer.status_code, problem["code"]) == (409, "game_not_installed"), problem
    opened_again = {"game": "high-card", "seats": [{"kind": "me"}]}
    answer = program.post("/api/v1/matches", opened_again, format="json").json()
    assert answer["code"] == UnknownGame.code


def test_a_stranger_learns_nothing_of_a_private_match(running, ben, keyed):
    Match.objects.filter(id=running.id).update(visibility="private")
    here = f"/api/v1/matches/{running.id}"
    for answer in (keyed(ben).get(here), keyed(ben).post(f"{here}/join")):
        assert answer.status_code == 404


def test_the_record_is_the_same_without_the_game(over, ada):
    with installed():
        before = record.write(records.of(get_match(over.id)))
    assert record.write(records.of(get_match(over.id))) == before
    assert list(records.record_lines([over.id], reader=ada.pk)) == [before + b"\n"]
    assert start_export(owner=ada, game="high-card").game == "high-card"
    folding.fold(over.id)
    assert record.write(records.of(get_match(over.id))) == before


def test_the_beat_leaves_it_alone_and_serves_the_others(running, waiting, ada):
    before = list(Match.objects.order_by("id").values("id", "version", "status", "state"))
    overdue.resend_all()
    nights.clean_up()
    assert list(Match.objects.order_by("id").values("id", "version", "status", "state")) == before
    assert bots_move() == "up"
    assert not finding.due_bot_turns().exists()


def test_when_the_game_is_back_nobody_has_lost_by_the_clock(running):
    overdue.resend_overdue()
    Match.objects.filter(id=running.id).update(bot_due_at=timezone.now())
    with installed():
        overdue.resend_overdue()
        match = played(get_match(running.id))
    assert match.outcome.reason == "tricks"


def test_an_audit_counts_what_can_be_played_again(over, running):
    audit = nights.start()
    nights.work_off(audit.pk)
    audit.refresh_from_db()
    assert (audit.total, audit.faulty) == (0, 0)


def test_a_simulation_waits_for_its_game(ada):
    with installed():
        found = work.start(owner=ada, game="high-card", bots=("random",), games=2)
    assert work.run_parts_for_a_while() is False
    assert Simulation.objects.get(id=found.id).status == "running"
    with installed():
        work.run_parts_for_a_while()
    assert Simulation.objects.get(id=found.id).status == "finished"


def test_operators_find_it_and_may_call_it_off(running, client):
    client.force_login(User.objects.create_superuser("Super"))
    page = client.get("/admin/games/match/?problem=absent").content.decode()
    assert str(running.id)[:8] in page
    page = client.get(f"/admin/games/match/{running.id}/change/", follow=True).content.decode()
    assert GameNotInstalled.sentence() in page


def test_a_person_who_leaves_is_renamed_in_it(over, ada):
    folding.rename(ada, "Somebody")
    assert "Ada" not in Seat.objects.filter(match=over).values_list("name", flat=True)
    assert not any(b"Ada" in bytes(ply.events) for ply in Ply.objects.filter(match=over))


def test_a_game_that_never_was_is_unknown(ada):
    with pytest.raises(UnknownGame):
        start_export(owner=ada, game="never")
    with pytest.raises(UnknownGame):
        opening.open_match(creator=ada, game="never", seats=[])


def test_the_admin_shows_what_came_from_where(running, client, tmp_path, monkeypatch):
    monkeypatch.setenv(outside.SWITCH, "1")
    monkeypatch.syspath_prepend(str(tmp_path))
    installed_beside(tmp_path, "shown-card", another("shown-card"), version="3.4")
    installed_beside(tmp_path, "broken-card", "GAME = (")
    known, refused = catalog.from_outside()
    monkeypatch.setattr(catalog, "INSTALLED", known)
    monkeypatch.setattr(catalog, "REFUSED", refused)
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, *(one.game for one in known)))
    client.force_login(User.objects.create_superuser("Super"))
    page = client.get("/admin/games/match/games").content.decode()
    assert "shown-card-cardroom" in page
    assert "3.4" in page
    assert "SyntaxError" in page
    assert "high-card is not installed" in page
    (warning,) = [one for one in checks.run_checks() if one.id == "games.W001"]
    assert "broken-card-cardroom 1.2" in warning.msg
    assert any("shown-card-cardroom 3.4" in line for line in starting.lines())


# A fault of an outside game on its page is never an error of the service: the plain
# table is drawn, the log names the game and no card, and the others are left alone.

FRAME = '{% extends frame|default:"games/table_panel.html" %}'
OWN = FRAME + "{% block centre %}ITS OWN TABLE{% endblock %}"
ITS_OWN = {"table.html": OWN}
SECRET = "7H"  # what a careless error names
RAISING = f"raise KeyError('{SECRET}')"
PROPERTY = f"""
class Scene:
    @property
    def seats(self):
        raise OSError('{SECRET}')
def scene(page):
    return Scene()
"""
ENDING = f"""
from tests.fifth_game.events import TrickTaken as CLOSES
def ending(page, event):
    {RAISING}
"""
DECORATIONS = {
    "motions": f"def motions(events):\n    {RAISING}\n    yield",
    "moments": f"def moments(events, names):\n    {RAISING}",
    "hint": f"def hint(view):\n    {RAISING}",
}

# By what fails: table.py, and the templates of the game.
FAULTS = {
    "it cannot be imported": (RAISING, ITS_OWN),
    "its scene": (f"def scene(page):\n    {RAISING}", ITS_OWN),
    "what it states": ("PLIES_READ = 'many'", ITS_OWN),
    "a property in its template": (
        PROPERTY,
        {"table.html": OWN.replace("ITS", "{{ scene.seats }}")},
    ),
    "its template's syntax": ("", {"table.html": OWN + "{% nothing %}"}),
    "a template that is not there": (
        "",
        {"table.html": OWN.replace("ITS", "{% include 'no.html' %}")},
    ),
}


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(outside.SWITCH, "1")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    page_of.cache_clear()
    for loader in engines["django"].engine.template_loaders:
        loader.reset()


def shaky(beside: Path, monkeypatch, slug: str, table: str, templates: dict[str, str]) -> None:
    """An installed game with this table."""
    module = beside / packages_installed(beside, slug, another(slug))
    (module / "table.py").write_text(dedent(table), encoding="utf-8")
    folder = module / "templates" / "games" / "tables" / slug
    folder.mkdir(parents=True)
    for name, text in templates.items():
        (folder / name).write_text(text, encoding="utf-8")
    known, refused = catalog.from_outside()
    assert not refused
    monkeypatch.setattr(catalog, "INSTALLED", known)
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, *(one.game for one in known)))
    _forget()


def slug_of(fault: str) -> str:
    return "shaky-" + fault.replace("'", "").replace(" ", "-")[:24].rstrip("-")


def is_plain(answer) -> bool:
    text = answer.content.decode()
    return answer.status_code == 200 and "facts centre" in text and "ITS OWN TABLE" not in text


def named_once(logs, slug: str) -> bool:
    """The log names the game and its package, and tells nothing of what it raised."""
    lines = [line for line in logs if line["event"] == "game_table_failed"]
    assert SECRET not in str(lines)
    return {(line["game"], line["package"]) for line in lines} == {(slug, f"{slug}-cardroom 1.2")}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_plain_table_is_drawn_and_played(fault, beside, ada, monkeypatch):
    slug = slug_of(fault)
    shaky(beside, monkeypatch, slug, *FAULTS[fault])
    match, client = opened(ada, "me, bot random", slug), client_of(ada)
    here = f"/matches/{match.id}"
    with capture_logs() as logs:
        page = client.get(here)
        after = press(client, match)
        looked_back = client.get(f"{here}?ply=0")
    assert [is_plain(answer) for answer in (page, after, looked_back)] == [True] * 3
    assert now(match).version > 0
    assert named_once(logs, slug)


def press(client: Client, match):
    """The first legal move, as the page sends it."""
    asked = {"move": match.rules.legal_moves(match.state, 0)[0], "version": 0, "seat": 0}
    return client.post(f"/matches/{match.id}/move", asked, headers={"hx-request": "true"})


@pytest.mark.parametrize("name", DECORATIONS)
def test_what_only_decorates_is_missing(name, beside, ada, monkeypatch):
    slug = f"shaky-{name}"
    shaky(beside, monkeypatch, slug, DECORATIONS[name], ITS_OWN)
    match = opened(ada, "me, local Twin" if name == "moments" else "me, bot random", slug)
    match, client = played(match) if name == "moments" else match, client_of(ada)
    with capture_logs() as logs:
        page = client.get(f"/matches/{match.id}")
    assert "ITS OWN TABLE" in page.content.decode()
    assert named_once(logs, slug)


def test_the_end_is_shown_all_the_same(beside, ada, monkeypatch):
    slug = "shaky-ending"
    shaky(beside, monkeypatch, slug, ENDING, ITS_OWN)
    match = played(opened(ada, "me, local Twin", slug))
    with capture_logs() as logs:
        page = client_of(ada).get(f"/matches/{match.id}")
    assert is_plain(page)
    assert "finished-who" in page.content.decode()
    assert named_once(logs, slug)


def test_a_form_of_its_own_that_fails_is_refused(beside, ada, monkeypatch):
    slug = "shaky-form"
    table = f"def act(request, match_id):\n    {RAISING}\nACTIONS = {{'act': act}}"
    shaky(beside, monkeypatch, slug, table, ITS_OWN)
    match, client = opened(ada, "me, bot random", slug), client_of(ada)
    with capture_logs() as logs:
        answer = client.post(f"/matches/{match.id}/act", headers={"hx-request": "true"})
    assert "This form of the game failed." in answer.content.decode()
    assert "ITS OWN TABLE" in answer.content.decode()
    assert named_once(logs, slug)


def test_its_picture_and_its_rules_spoil_no_page_of_ours(beside, ada, monkeypatch):
    slug, broken = "shaky-picture", "{% nothing %}"
    templates = {"picture.html": broken, "rules.html": broken}
    shaky(beside, monkeypatch, slug, "", templates)
    client = client_of(ada)
    with capture_logs() as logs:
        pages = [client.get(path) for path in ("/", "/new", f"/games/{slug}/rules")]
    assert [page.status_code for page in pages] == [200, 200, 200]
    assert named_once(logs, slug)


def test_an_operator_looks_at_the_plain_table(beside, ada, monkeypatch):
    slug = "shaky-seen"
    shaky(beside, monkeypatch, slug, *FAULTS["its scene"])
    match = move(opened(ada, "me, bot random", slug, visibility="public"))
    client = client_of(User.objects.create_superuser("Super"))
    with capture_logs() as logs:
        answer = client.get(f"/matches/{match.id}/operator?ply=1")
    assert is_plain(answer)
    assert named_once(logs, slug)


def test_a_game_of_the_house_may_not_fail(ada, monkeypatch):
    match = opened(ada, "me, bot random", "pisti")
    page = page_of("pisti")
    failing = type(page)(**{**vars(page), "scene": lambda _page: {}["7H"]})
    monkeypatch.setattr("games.web.table.page.page_of", lambda _slug: failing)
    with pytest.raises(KeyError):
        client_of(ada).get(f"/matches/{match.id}")

"""What a game from outside does wrong on its page is never an error of the service: the plain table
is drawn, the log names the game and no card, and the others are left alone."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from django.template import engines
from django.test import Client
from structlog.testing import capture_logs

from accounts.models import User
from cardroom.rules import catalog, outside
from games.web.tables import page_of
from tests.matches.scenes import move, now, opened, played
from tests.outside.packages import another, installed

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
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
    module = beside / installed(beside, slug, another(slug))
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


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, BACKEND)
    return client


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
    match, client = opened(ada, "me, bot random", slug), signed_in(ada)
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
    match, client = played(match) if name == "moments" else match, signed_in(ada)
    with capture_logs() as logs:
        page = client.get(f"/matches/{match.id}")
    assert "ITS OWN TABLE" in page.content.decode()
    assert named_once(logs, slug)


def test_the_end_is_shown_all_the_same(beside, ada, monkeypatch):
    slug = "shaky-ending"
    shaky(beside, monkeypatch, slug, ENDING, ITS_OWN)
    match = played(opened(ada, "me, local Twin", slug))
    with capture_logs() as logs:
        page = signed_in(ada).get(f"/matches/{match.id}")
    assert is_plain(page)
    assert "finished-who" in page.content.decode()
    assert named_once(logs, slug)


def test_a_form_of_its_own_that_fails_is_refused(beside, ada, monkeypatch):
    slug = "shaky-form"
    table = f"def act(request, match_id):\n    {RAISING}\nACTIONS = {{'act': act}}"
    shaky(beside, monkeypatch, slug, table, ITS_OWN)
    match, client = opened(ada, "me, bot random", slug), signed_in(ada)
    with capture_logs() as logs:
        answer = client.post(f"/matches/{match.id}/act", headers={"hx-request": "true"})
    assert "This form of the game failed." in answer.content.decode()
    assert "ITS OWN TABLE" in answer.content.decode()
    assert named_once(logs, slug)


def test_its_picture_and_its_rules_spoil_no_page_of_ours(beside, ada, monkeypatch):
    slug, broken = "shaky-picture", "{% nothing %}"
    templates = {"picture.html": broken, "rules.html": broken}
    shaky(beside, monkeypatch, slug, "", templates)
    client = signed_in(ada)
    with capture_logs() as logs:
        pages = [client.get(path) for path in ("/", "/new", f"/games/{slug}/rules")]
    assert [page.status_code for page in pages] == [200, 200, 200]
    assert named_once(logs, slug)


def test_an_operator_looks_at_the_plain_table(beside, ada, monkeypatch):
    slug = "shaky-seen"
    shaky(beside, monkeypatch, slug, *FAULTS["its scene"])
    match = move(opened(ada, "me, bot random", slug, visibility="public"))
    client = signed_in(User.objects.create_superuser("Super"))
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
        signed_in(ada).get(f"/matches/{match.id}")

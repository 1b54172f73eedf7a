"""axe finds nothing on any page, in light and in dark; none needs a loose policy."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import HAND, wait_for_my_turn
from tests.e2e.test_replay import resigned_match

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/lobby",
    "/daily",
    "/history",
    "/new",
    "/new?game=pazaak",
    "/new?game=shithead&players=4",
    "/games/pisti/rules",
    "/games/pazaak/rules",
    "/games/shithead/rules",
    "/games/pyanitsa/rules",
    "/games/pisti/ladder",
    "/leaderboards/pisti",
    "/leagues",
    "/leagues/pisti",
    "/leaderboards/pyanitsa",
    "/decks/",
    "/decks/new",
    "/simulations",
    "/tournaments",
    "/tournaments/new",
    "/bots",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/api/v1/docs",
]
# Labels that do not say what is written on a control are no fault by default.
OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}
GAMES = ["Pişti", "Pazaak", "Shithead", "Pyanitsa"]
STOPS = (Path(__file__).parent / "stops.js").read_text()


def faults(page: Page) -> list[str]:
    """The faults that axe finds on the page: the rule, the elements, in a line each."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{page.url}: {fault['id']}: {node['html'][:160]} ({node['failureSummary'][:200]})"
        for fault in found
        for node in fault["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages(visit, scheme):
    page = visit(color_scheme=scheme)
    found = []
    for path in PAGES:
        policy = page.goto(path).headers["content-security-policy"]
        assert "unsafe" not in policy, path
        page.wait_for_selector(".opblock" if "docs" in path else "main")
        found += faults(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_tables(visit, scheme, game):
    """In the middle of a match, with everything that can be opened open."""
    page = visit(color_scheme=scheme)
    page.get_by_role("button", name=f"Play {game} against the computer").click()
    page.wait_for_selector(".table-panel")
    found = faults(page)
    page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
    found += faults(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_match_that_is_over(visit, scheme):
    page = visit(color_scheme=scheme)
    table = resigned_match(page, moves=2)
    found = faults(page)
    account = ("/accounts/", "/accounts/data/", "/accounts/delete/")
    own = (f"{table}/deals", f"{table}/family", "/lobby", "/history")
    for path in (f"{table}?ply=2&hands=1", *own, *account):
        page.goto(path)
        found += faults(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_waiting_and_handing_over(visit, scheme):
    """A table that waits for a player, a device that changes hands, a crafted deck."""
    page = visit("/new", color_scheme=scheme)
    found = []
    for who, shown in (("open", ".waiting"), ("local", ".handover")):
        page.goto(f"/new?game=pisti&seat-1-who={who}")
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector(shown)
        found += faults(page)
    page.goto("/decks/")
    page.get_by_role("button", name="Take it").first.click()
    page.wait_for_selector("h1")
    found += faults(page)
    page.goto(f"{page.url}/edit")
    found += faults(page)
    assert not found, "\n".join(found)


def test_a_refusal_is_said_once_and_well(visit):
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.evaluate("document.querySelector('#felt input[name=version]').value = 99")
    page.locator(HAND).first.click()
    expect(page.locator(".messages")).not_to_be_empty()
    assert not faults(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_reaches_everything_by_name_and_is_seen(visit, game):
    """From the head of the page through the felt to the last switch; each stop says what it is."""
    page = visit()
    page.get_by_role("button", name=f"Play {game} against the computer").click()
    wait_for_my_turn(page)
    page.evaluate("document.activeElement.blur()")
    page.evaluate(STOPS)
    stops = []
    while stop := _next_stop(page):
        stops.append(stop)
    assert stops[0]["name"] == "Skip to the page"
    assert [stop["html"] for stop in stops if not stop["name"]] == []
    assert [stop["html"] for stop in stops if not stop["isSeen"]] == []
    names = [stop["name"] for stop in stops]
    assert len(names) > 12
    saves = next(name for name in names if name.startswith("Saves"))
    assert names.index("Sound") + 1 < names.index(saves), "moves come between them"


def _next_stop(page: Page) -> dict[str, Any] | None:
    page.keyboard.press("Tab")
    return page.evaluate("keyboardStop()")

"""Every page of a player, in a browser that runs no scripts: by links and forms alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_people import sign_up
from tests.e2e.test_shithead import EDGE

pytestmark = pytest.mark.browser

GAMES = ["Pişti", "Pazaak", "Shithead", "Pyanitsa"]
MOVES = "#felt button[name=move]:enabled"


def plain(visit, path: str = "/", **options: object) -> Page:
    return visit(path, java_script_enabled=False, **options)


def wait_for_a_move(page: Page) -> None:
    """The page of somebody who waits loads itself again."""
    expect(page.locator(".table-panel.your-turn, .finished").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_given_up_and_looked_at(visit, game):
    page = plain(visit)
    page.get_by_role("button", name=f"Play {game} against the computer").click()
    for _ in range(3):
        wait_for_a_move(page)
        if page.locator(".finished").count():
            break
        picks = page.locator("#felt label.pick:not(.is-barred)")
        if game == "Shithead" and page.locator("#play").count() and picks.count():
            picks.first.click(position=EDGE)
            page.locator("#play").click()
        else:
            page.locator(MOVES).first.click()
        expect(page.locator(".messages .error")).to_have_count(0)
    wait_for_a_move(page)
    if not page.locator(".finished").count():
        page.locator("#resign > summary").click()
        page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator("#match-ending")).to_be_visible()
    table = page.url
    page.locator("#share-result > summary").click()
    expect(page.get_by_role("link", name="WhatsApp")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Replay")).first.click()
    expect(page.locator("#replay")).to_be_visible()
    for path in ("/deals", "/family"):
        assert page.goto(f"{table}{path}").ok
        expect(page.locator("main h1")).to_be_visible()


def test_lobby_history_profile_and_set_up(visit):
    page = plain(visit)
    name = sign_up(page, "plain")
    page.goto("/new?game=pazaak")
    page.get_by_role("button", name="Start").first.click()
    wait_for_a_move(page)
    page.locator("#resign > summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator("#match-ending")).to_be_visible()
    page.goto("/history")
    page.locator("select[name=result]").select_option(index=1)
    page.get_by_role("button", name="Show").click()
    assert "result" in page.url
    page.goto(f"/people/{name}")
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    page.goto("/lobby")
    page.get_by_role("button", name=re.compile("Pişti")).first.click()
    expect(page.locator("main h1")).to_be_visible()

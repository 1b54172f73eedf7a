"""Exercises on a phone and a desk, with and without scripts: a new installation has some."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_daily import DESK, wait_for
from tests.e2e.test_pairing import PHONE, fits
from tests.e2e.test_people import picture, sign_up

pytestmark = pytest.mark.browser

GAMES = ["pisti", "pazaak", "shithead"]
EXERCISE = re.compile(r"/exercises/[0-9a-f-]{36}")
MOVES = "#felt button[name=move]:enabled"


def checked(page: Page, size: dict[str, int], name: str) -> None:
    picture(page, name)
    assert size != PHONE or fits(page)
    assert not faults(page)


def answer(page: Page) -> None:
    """The first move that can be pressed, or the first card that may be chosen."""
    picks = page.locator("#felt label.pick:not(.is-barred)")
    if page.locator("#play").count() and picks.count():
        picks.first.click()
        page.locator("#play").click()
    else:
        page.locator(MOVES).first.click()
    expect(page.locator("#answer")).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_new_account_solves_one_of_each_game(visit, size, scheme):
    page = visit(viewport=size, color_scheme=scheme)
    sign_up(page, "ada")
    wait_for(page, "/exercises", ".exercise-themes a")
    width = size["width"]
    checked(page, size, f"exercises-{width}")
    for game in GAMES:
        page.goto(f"/exercises/next?game={game}")
        page.wait_for_url(EXERCISE)
        checked(page, size, f"exercise-{game}-{width}")
        answer(page)
        expect(page.locator("#answer")).to_contain_text("Your rating for exercises: 1500 →")
        page.locator("#answer summary").click()
        checked(page, size, f"exercise-{game}-{width}-answered")
        before = page.url
        page.get_by_role("link", name="Next exercise").click()
        page.wait_for_url(EXERCISE)
        assert page.url.partition("?")[0] != before.partition("?")[0]
    page.goto("/exercises")
    checked(page, size, f"exercises-{width}-tried")


@pytest.mark.parametrize("game", GAMES)
def test_a_visitor_solves_one_without_scripts(visit, game):
    page = visit(java_script_enabled=False, viewport=PHONE)
    wait_for(page, "/exercises", ".exercise-themes a")
    page.locator(f".game-{game} .exercise-themes a").first.click()
    page.wait_for_url(EXERCISE)
    answer(page)
    expect(page.locator("#answer")).to_contain_text("Not rated: guests")
    page.get_by_role("link", name="Try it again").click()
    expect(page.locator("main")).to_contain_text("Practice: your first answer")
    answer(page)


def test_by_the_keyboard_alone(visit):
    page = visit(viewport=DESK)
    wait_for(page, "/exercises", ".exercise-themes a")
    page.goto("/exercises/next?game=pisti")
    page.keyboard.press("1")
    expect(page.locator("#answer")).to_be_visible()

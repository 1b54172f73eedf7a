"""Two people sign up, find each other, play to the end, talk, play again, and are known for it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, fits, seek, wait_for_table
from tests.e2e.test_pazaak import FINISHED, turn
from tests.e2e.test_people import picture, sign_up, wait_for_words
from tests.patience import wait_until

pytestmark = pytest.mark.browser

TO_MOVE = ".table-panel.your-turn"
MOST_MOVES = 300


def test_they_pair_play_talk_and_play_again(visit):
    ada, ben = visit(viewport=PHONE), visit(color_scheme="dark")
    ada_name, ben_name = sign_up(ada, "ada"), sign_up(ben, "ben")
    for page in (ada, ben):
        page.goto("/lobby")
        seek(page, "Pazaak")
    wait_for_table(ada, ben)
    first = ada.url
    for page in (ada, ben):
        page.wait_for_selector("#felt")
        page.wait_for_selector("body[data-live=up]")

    play(ada, ben, moves=4)
    speak(ada, ben)
    play(ada, ben, moves=MOST_MOVES)
    for page in (ada, ben):
        expect(page.locator(FINISHED)).to_be_visible()
    assert fits(ada)
    picture(ada, "over")

    ada.get_by_role("button", name="Again").click()
    expect(ada.locator(".wish")).to_contain_text("Waiting for")
    expect(ben.locator(".wish")).to_contain_text("would like a rematch.")
    picture(ben, "wish")
    assert not faults(ben)
    ben.get_by_role("button", name="Accept").click()
    for page in (ada, ben):
        page.wait_for_url(lambda url: url != first)
    wait_for_table(ada, ben)
    for page in (ada, ben):
        expect(page.locator(".series-score")).to_have_text(re.compile("1 : 0|0 : 1"))

    ada_won = winner(ada, first) == ada_name
    wait_for_words(ben, f"/people/{ada_name}", "1 won" if ada_won else "0 won")
    wait_for_words(ada, f"/people/{ben_name}", "0 won" if ada_won else "1 won")
    expect(ada.locator("main")).to_contain_text("Pazaak")
    expect(ada.locator("main")).to_contain_text("0 : 1" if ada_won else "1 : 0")  # the series
    picture(ada, "profile")
    assert fits(ada)


def play(*pages: Page, moves: int) -> None:
    """Whoever is to move clicks, as a careful player would."""

    def movers() -> list[Page]:
        return [page for page in pages if page.locator(TO_MOVE).count()]

    def is_over() -> bool:
        return all(page.locator(FINISHED).count() for page in pages)

    for _ in range(moves):
        wait_until(lambda: movers() or is_over(), pause=0.05)
        for page in movers():
            turn(page)


def speak(one: Page, other: Page) -> None:
    """A phrase is a bubble at the seat of the person who says it."""
    one.locator("#talk summary").click()
    one.get_by_role("button", name="Good luck!").click()
    bubble = other.locator("[data-phrase]", has_text="Good luck!")
    expect(bubble).to_be_visible()
    assert int(bubble.get_attribute("data-phrase")) in match_of(one, one.url)["your_seats"]
    expect(other.locator("[data-phrase]:visible")).to_have_count(0)


def match_of(page: Page, url: str) -> dict:
    """As the person of this page reads it over the API."""
    return page.request.get(f"/api/v1/matches/{url.rsplit('/', 1)[-1]}").json()


def winner(page: Page, url: str) -> str:
    return next(seat["name"] for seat in match_of(page, url)["seats"] if seat["place"] == 1)

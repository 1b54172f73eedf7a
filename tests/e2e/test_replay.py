"""A match is stepped through: by buttons, keys, slider and links, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import HAND, play_first, wait_for_my_turn

pytestmark = pytest.mark.browser


def resigned_match(page: Page, moves: int = 3) -> str:
    """Plays a few cards of Pişti and resigns; the address of the table."""
    page.get_by_role("button", name="Play Pişti now").click()
    for _ in range(moves):
        play_first(page)
    wait_for_my_turn(page)
    page.locator("#resign summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.wait_for_selector(".finished")
    return page.url


def shown_ply(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-ply"))


def at_ply(page: Page, ply: int) -> None:
    expect(page.locator("#replay")).to_have_attribute("data-ply", str(ply))
    expect(page.locator("[aria-current=step] b")).to_have_text(str(ply))


def test_steps_keys_slider_and_links_without_loading_the_page(visit):
    page = visit()
    table = resigned_match(page)
    page.get_by_role("link", name=re.compile("Replay")).first.click()
    page.wait_for_selector("#replay")
    page.evaluate("window.loadedOnce = true")
    last = int(page.locator("#replay").get_attribute("data-last"))
    page.keyboard.press("Home")
    at_ply(page, 0)
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    at_ply(page, 2)
    page.get_by_label("One move back").click()
    at_ply(page, 1)
    page.locator(".replay-log a").nth(3).click()
    at_ply(page, 3)
    assert page.url == f"{table}?ply=3"
    page.get_by_label("Move", exact=True).fill("5")
    at_ply(page, 5)
    page.get_by_label("To the end").click()
    at_ply(page, last)
    page.get_by_label("Pace").select_option("calm")
    page.get_by_role("button", name="Play back", exact=True).click()  # from the beginning again
    expect(page.locator("#replay")).to_have_attribute("data-ply", "2")
    page.get_by_role("button", name="Stop").click()
    assert page.evaluate("window.loadedOnce")


def test_hands_are_turned_up_and_a_match_goes_on_from_there(visit):
    page = visit()
    table = resigned_match(page)
    page.goto(f"{table}?ply=2")
    expect(page.locator(".open-hands")).to_have_count(0)
    page.get_by_label("Show all hands").check()
    expect(page.locator(".open-hands > div")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    at_ply(page, 3)
    expect(page.locator(".open-hands > div")).to_have_count(2)
    page.get_by_label("One move back").click()
    at_ply(page, 2)
    page.get_by_role("button", name="With the same cards").click()
    page.wait_for_selector(f".table-panel.your-turn {HAND}")
    assert page.url != table


def test_by_links_alone(visit):
    page = visit(java_script_enabled=False)
    page.get_by_role("button", name="Play Pişti now").click()
    page.locator(f".table-panel.your-turn {HAND}").first.click()
    page.wait_for_selector(".table-panel.your-turn")
    page.get_by_role("link", name=re.compile("Replay")).click()
    page.get_by_label("To the beginning").click()
    assert shown_ply(page) == 0
    page.get_by_label("One move on").click()
    page.locator(".replay-log a").nth(2).click()
    assert shown_ply(page) == 2
    expect(page.get_by_text("You see what you saw then.")).to_be_visible()

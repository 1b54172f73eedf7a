"""A move that got no answer waits, and is played once when the network is back, or not at all."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import HAND, version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser

SECONDS = [3, pytest.param(30, marks=pytest.mark.sweep)]


def sit_down(visit) -> tuple[Page, int]:
    page = visit(cut_off=True)
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    expect(page.locator(HAND)).to_have_count(4)
    return page, version(page)


def assert_played_once(page: Page, before: int) -> None:
    """The own move and the computer's: three cards are left, and no other move was made."""
    wait_for_news(page, before)
    wait_for_my_turn(page)
    expect(page.locator(HAND)).to_have_count(3)
    expect(page.locator(".is-waiting")).to_have_count(0)
    page.wait_for_timeout(1500)
    assert version(page) == before + 2
    page.reload()
    assert version(page) == before + 2


@pytest.mark.parametrize("seconds", SECONDS)
def test_pressed_without_a_network(visit, seconds):
    page, before = sit_down(visit)
    page.context.set_offline(True)
    page.locator(HAND).first.click()
    expect(page.locator(f"{HAND}.is-waiting")).to_have_count(1)
    expect(page.locator("#connection")).to_contain_text("waits and is sent by itself")
    page.wait_for_timeout(seconds * 1000)
    expect(page.locator(f"{HAND}.is-waiting")).to_have_count(1)
    page.context.set_offline(False)
    assert_played_once(page, before)


@pytest.mark.parametrize("seconds", SECONDS)
def test_the_answer_is_lost_on_its_way(visit, seconds):
    """The server has played it: what is sent again is not played again."""
    page, before = sit_down(visit)

    def lose(route):
        route.fetch()
        page.context.set_offline(True)
        route.abort()

    page.route("**/move", lose, times=1)
    page.locator(HAND).first.click()
    page.wait_for_timeout(seconds * 1000)
    page.context.set_offline(False)
    assert_played_once(page, before)


def test_the_table_moved_on(visit):
    """Another tab has played meanwhile: the move that waited is dropped."""
    page, before = sit_down(visit)
    page.route("**/move", lambda route: route.abort())
    page.route("**/news*", lambda route: route.abort())
    page.locator(HAND).first.click()
    expect(page.locator(f"{HAND}.is-waiting")).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_my_turn(other)
    other.locator(HAND).last.click()
    wait_for_news(other, before)
    page.unroute("**/move")
    page.unroute("**/news*")
    assert_played_once(page, before)


def test_another_card_takes_its_place(visit):
    page, before = sit_down(visit)
    page.context.set_offline(True)
    page.locator(HAND).first.click()
    expect(page.locator(f"{HAND}.is-waiting")).to_have_count(1)
    chosen = page.locator(HAND).last
    code = chosen.get_attribute("value")
    chosen.click()
    expect(page.locator(f"{HAND}.is-waiting[value='{code}']")).to_have_count(1)
    page.context.set_offline(False)
    assert_played_once(page, before)
    expect(page.locator(f"{HAND}[value='{code}']")).to_have_count(0)

"""Pyanitsa in a browser: one key, one trick, the whole match; an order made by hand."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def version(page: Page) -> int:
    return int(page.locator("#felt input[name=version]").get_attribute("value") or -1)


def trick(page: Page) -> int:
    return int(page.locator("#felt input[name=trick]").get_attribute("value") or -1)


def at_table(visit, more: dict[str, str] | None = None, **options: object) -> Page:
    page = visit("/new?game=pyanitsa", **options)
    if more:
        page.get_by_text("More options").click()
    for label, value in (more or {}).items():
        page.get_by_label(label).select_option(value)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".table-panel.your-turn, .finished")
    return page


def test_enter_turns_a_card_up(visit):
    page = at_table(visit)
    for _ in range(3):
        before = version(page)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "v => Number(document.querySelector('#felt [name=version]').value) > v", arg=before
        )
        page.wait_for_selector("#flip")
    expect(page.locator(".py-curve polyline")).to_have_count(2)


def test_the_whole_trick_and_no_more(visit):
    page = at_table(visit)
    before = trick(page)
    page.keyboard.press("t")
    page.wait_for_function(
        "n => Number(document.querySelector('#felt [name=trick]')?.value) > n", arg=before
    )
    page.wait_for_timeout(600)
    assert trick(page) == before + 1


def test_to_the_end_with_a_stop_in_between(visit):
    page = at_table(visit)
    page.locator("#run-end").click()
    page.locator("#stop").click()
    page.wait_for_timeout(700)
    stood = version(page)
    page.wait_for_timeout(700)
    assert version(page) == stood
    page.wait_for_selector(".table-panel.your-turn #run-end, .finished")
    if not page.locator(".finished").count():
        page.locator("#run-end").click()
    expect(page.locator(".finished-who")).to_contain_text("You ", timeout=60_000)
    expect(page.locator("#stop")).to_have_count(0)


def test_the_order_of_a_trick_is_made_by_hand(visit):
    page = at_table(visit, {"Collect order": "arbitrary"})
    while not page.locator("#collecting").count():
        before = version(page)
        page.locator("#flip").click()
        page.wait_for_function(
            "v => Number(document.querySelector('#felt [name=version]').value) > v", arg=before
        )
        page.wait_for_selector("#flip, #collecting")
    codes = page.locator("#collecting li").evaluate_all("all => all.map(li => li.dataset.code)")
    page.locator("#collecting [data-step='1']").first.click()
    page.locator("#collecting li").last.drag_to(page.locator("#collecting li").first)
    after = page.locator("#collecting li").evaluate_all("all => all.map(li => li.dataset.code)")
    assert sorted(after) == sorted(codes)
    numbers = page.locator("#collecting [name=place]").evaluate_all("all => all.map(n => n.value)")
    assert numbers == [str(n + 1) for n in range(len(codes))]
    before = version(page)
    page.locator("#collect").click()
    page.wait_for_selector("#flip, .finished")
    assert version(page) > before


def test_computers_alone_are_watched_to_the_end(visit):
    page = visit("/new?game=pyanitsa")
    page.get_by_label("Seat 1: Who").select_option("bot:automaton")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".finished-who")).to_contain_text("You ", timeout=60_000)
    expect(page.locator(".py-curve polyline")).to_have_count(2)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_on_a_phone_without_javascript(visit, players):
    phone = {"width": 360, "height": 740}
    page = visit("/new?game=pyanitsa", viewport=phone, java_script_enabled=False)
    page.get_by_label("Players").fill(str(players))
    page.get_by_role("button", name="Update").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#flip")
    page.locator("#run-trick").click()
    page.wait_for_selector(".py-last")
    assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"]
    assert page.locator(".py-seat").count() == players

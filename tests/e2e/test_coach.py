"""The coach as a player meets it: after a match, beside its replay, and at the table."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_playing import wait_for_my_turn
from tests.e2e.test_replay import resigned_match

pytestmark = pytest.mark.browser


def analysed(page: Page) -> str:
    table = resigned_match(page, moves=5)
    page.get_by_role("link", name="Analyse").click()
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator(".analysis-seats")).to_be_visible()
    return table


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_analysis_and_the_coach_beside_the_replay(visit, scheme):
    page = visit(color_scheme=scheme)
    table = analysed(page)
    found = faults(page)
    page.goto(f"{table}?ply=2&hands=1")
    expect(page.locator(".judged")).to_be_visible()
    expect(page.locator(".chance-words")).to_have_text(re.compile(r".+: \d+ % to win"))
    found += faults(page)
    page.get_by_role("link", name="Ask me first").click()
    expect(page.locator("#judged-question")).to_be_visible()
    found += faults(page)
    page.locator(".judged-answers a").first.click()
    expect(page.locator("#judged-verdict")).to_be_focused()
    expect(page.locator("#said")).not_to_be_empty()
    assert "answer=" in page.url
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_have_attribute("data-ply", "3")
    assert "answer=" not in page.url
    assert "ask=1" in page.url
    assert not found + faults(page), "\n".join(found)


def test_the_key_leads_to_the_next_mistake(visit):
    page = visit()
    table = analysed(page)
    page.goto(f"{table}?ply=0&hands=1")
    link = page.locator("#mistake-after")
    if link.count():
        ply = link.get_attribute("data-ply")
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator("#replay")).to_have_attribute("data-ply", ply)
    else:
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator("#replay")).to_have_attribute("data-ply", "0")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_coach_at_the_table(visit, width):
    page = visit(viewport={"width": width, "height": 844})
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.locator("#switch-on-coach summary").click()
    page.get_by_role("button", name="Switch the coach on").click()
    expect(page.locator(".table-head")).to_contain_text("coached")
    wait_for_my_turn(page)
    assert not faults(page)
    page.keyboard.press("h")
    expect(page.locator(".coach [role=status]")).to_contain_text("is best")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not faults(page)

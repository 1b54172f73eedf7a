"""A clock that ticks at each seat, and a round that two people take back, as one sees them."""

import math
import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_pairing import seek, wait_for_table

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


def seconds(page: Page, which: str = "time.seat-bank.runs") -> int:
    minutes, rest = page.locator(which).first.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def unrated(*pages: Page) -> None:
    """Two people at a table that is not rated, by the clock of ten minutes."""
    for page in pages:
        page.get_by_text("More choices").click()
        page.locator("#somebody-unrated").check()
        seek(page, pace="600+5")
    wait_for_table(*pages)


def play(page: Page) -> None:
    page.locator(".hand-row button").first.click()


def test_a_clock_ticks_and_a_round_is_taken_back(visit):
    ada, ben = visit("/lobby"), visit("/lobby")
    ben.set_viewport_size(PHONE)
    unrated(ada, ben)
    for page in (ada, ben):
        expect(page.locator("time.seat-bank")).to_have_count(2)
        expect(page.locator("time.seat-bank.runs")).to_have_count(1)
    before = seconds(ada)
    assert 590 <= before <= 600
    ada.wait_for_function(
        "before => document.querySelector('time.seat-bank.runs').textContent !== before",
        arg=ada.locator("time.seat-bank.runs").inner_text(),
    )
    mover, other = (ada, ben) if ada.locator(".table-panel.your-turn").count() else (ben, ada)
    began, left = time.monotonic(), seconds(mover)
    play(mover)
    expect(other.locator(".table-panel.your-turn")).to_be_visible()
    expect(mover.locator(".table-panel.your-turn")).to_have_count(0)
    took = math.ceil(time.monotonic() - began)
    assert left + 5 - took - 1 <= seconds(mover, "time.seat-bank:not(.runs)") <= left + 5
    mover.locator("#take-back summary").click()
    mover.get_by_role("button", name="Ask the others").click()
    expect(mover.locator(".agreement")).to_contain_text("You have asked to take back")
    expect(other.locator(".agreement")).to_contain_text("asks to take back: deal 1")
    assert ben.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert ada.evaluate("felt.scrollHeight - felt.clientHeight") <= 1, "her name plate is seen"
    plate = ada.locator("#felt .slot-hand .seat").bounding_box()
    assert plate["y"] + plate["height"] <= 720
    other.get_by_role("button", name="Agree").click()
    for page in (mover, other):
        expect(page.locator(".agreement")).to_contain_text("All have agreed")

"""Mirrored matches in the browser: what follows begins by itself, and the end tells skill and luck.

Then the browser deals every deck again, from the longer seed of a mirrored match.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_daily import DESK
from tests.e2e.test_pairing import PHONE, TABLE, fits
from tests.e2e.test_people import picture

pytestmark = pytest.mark.browser


def resign(page: Page) -> None:
    page.locator("#resign summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.wait_for_selector("#match-ending")


def looks_well(page: Page, name: str) -> None:
    for size, scheme in ((PHONE, "light"), (DESK, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        picture(page, f"mirrored-{name}-{size['width']}")
        assert size != PHONE or fits(page)
        assert not faults(page)


def test_a_set_from_its_form_to_skill_and_luck(visit):
    page = visit("/new", viewport=PHONE)
    page.get_by_label("Mirrored", exact=True).select_option("teams")
    expect(page.locator(".chair")).to_have_count(4)
    looks_well(page, "teams")
    page.get_by_label("Mirrored", exact=True).select_option("3")
    expect(page.locator(".chair")).to_have_count(2)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(TABLE)
    first = page.url
    for number in range(1, 6):
        expect(page.locator(".table-head")).to_contain_text(f"mirrored {number}/6")
        resign(page)
        following = page.get_by_role("link", name="To the next match")
        expect(following).to_be_visible()
        if number == 1:
            looks_well(page, "between")
        following.click()
        page.wait_for_selector("#felt")
    resign(page)
    expect(page.locator(".mirrored table")).to_be_visible()
    expect(page.locator(".mirrored")).to_contain_text("You lost the set, 0 : 3")
    looks_well(page, "result")
    page.locator(f".mirrored a[href='{re.sub('^.*(?=/matches)', '', first)}']").click()
    page.get_by_role("link", name="The cards are sealed").click()
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "good")

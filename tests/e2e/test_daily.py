"""The deal of the day on a phone: what the beat has made, practice, what computers made of it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, TABLE, fits
from tests.e2e.test_people import picture, sign_up
from tests.patience import wait_until

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}
SEAL = re.compile("^[0-9a-f]{64}$")


def wait_for(page: Page, path: str, selector: str) -> None:
    """Until the workers have done what the page shows."""
    wait_until(lambda: page.goto(path) and page.locator(selector).count(), pause=0.5)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_visitor_practises_the_deal_of_yesterday(visit, size, scheme):
    page = visit(viewport=size, color_scheme=scheme)
    name = f"daily-{size['width']}"
    wait_for(page, "/daily", ".daily-lines button")
    expect(page.locator(".daily-seals code").first).to_have_text(SEAL)
    picture(page, name)
    assert size != PHONE or fits(page)
    assert not faults(page)
    page.locator(".daily-lines").get_by_role("link", name="Pişti").click()
    wait_for(page, page.url, ".daily-plot figure")
    picture(page, f"{name}-results")
    assert size != PHONE or fits(page)
    assert not faults(page)
    page.get_by_role("button", name="Practise this deal of Pişti").click()
    page.wait_for_url(TABLE)
    page.wait_for_selector("#felt")


def test_a_new_account_is_told_why_it_cannot_compete(visit):
    page = visit(viewport=PHONE)
    sign_up(page, "ada")
    wait_for(page, "/daily", ".daily-deals h3")
    expect(page.locator("main")).to_contain_text("It opens to you on")
    assert page.locator(".daily-deals button").count() == 0
    assert fits(page)
    assert not faults(page)

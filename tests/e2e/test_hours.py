"""Quiet hours and holidays: chosen by forms alone on a phone, seen by whoever sits down."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.match_by_api import MatchByApi
from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, TABLE, fits

pytestmark = pytest.mark.browser

PRAGUE = {"timezone_id": "Europe/Prague", "locale": "en-GB"}


def a_guest(page: Page) -> None:
    """Whoever plays is one."""
    page.goto("/")
    page.get_by_role("button", name="Play Pişti against the computer").click()
    page.wait_for_url(TABLE)


def test_quiet_hours_by_forms_alone_and_at_the_table(visit):
    ada = visit("/", viewport=PHONE, java_script_enabled=False, allowed="422")
    a_guest(ada)
    ada.goto("/accounts/")
    ada.get_by_role("link", name="Quiet hours and holidays").click()
    ada.get_by_label("Quiet from").fill("22:00")
    ada.get_by_label("Quiet until").fill("09:00")
    ada.get_by_label("Time zone").fill("America/New_York")
    ada.get_by_label("My clocks stand still in these hours").check()
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Clocks stand still for at most ten hours of a day.")).to_be_visible()
    ada.get_by_label("Quiet until").fill("08:00")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Saved.")).to_be_visible()
    day = (datetime.now(UTC) + timedelta(days=3)).date()
    ada.get_by_label("First day").fill(day.isoformat())
    ada.get_by_label("Last day").fill(day.isoformat())
    ada.get_by_role("button", name="Announce a holiday").click()
    expect(ada.get_by_role("button", name="Withdraw")).to_be_visible()
    assert fits(ada)
    slow = {"visibility": "public", "turn_seconds": 3 * 86400}
    table = MatchByApi(ada, "pisti", [{"kind": "open"}], **slow).address

    ben = visit("/lobby", viewport=PHONE, **PRAGUE)
    a_guest(ben)
    for page in ("/lobby", table):
        ben.goto(page)
        expect(ben.get_by_text("clock stands still from 22:00 to 08:00")).to_be_visible()
        expect(ben.get_by_text(re.compile("is on holiday from"))).to_be_visible()
        assert fits(ben)
        assert not faults(ben)
    ben.get_by_role("button", name="Play along").click()
    ben.wait_for_url(TABLE)
    until = ben.locator("time[data-local]").first  # the deadline; below it when the match began
    expect(until).to_have_attribute("title", "Europe/Prague")
    expect(until).not_to_contain_text("UTC")
    expect(ben.get_by_text("clock stands still from 22:00 to 08:00")).to_be_visible()
    assert fits(ben)
    assert not faults(ben)
    ben.goto("/accounts/hours/")
    assert fits(ben)
    assert not faults(ben)

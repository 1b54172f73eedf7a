"""An operator at work: finds the match, sees why, repairs it, tells the players, reads the log."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import play_first, wait_for_my_turn

pytestmark = pytest.mark.browser

WHY = "The player wrote that the page is frozen."


@pytest.fixture
def operator(visit, password) -> Page:
    page = visit("/accounts/login/?next=/admin/")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.fill("input[name=login]", "admin")
    page.fill("input[name=password]", password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/admin/")
    return page


@pytest.fixture
def player(visit) -> Page:
    """Somebody who reports that the table is broken."""
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    play_first(page)
    wait_for_my_turn(page)
    page.get_by_text("Report to the operators").click()
    page.locator("#report select[name=reason]").select_option("fault")
    page.locator("#report input[name=text]").fill("I cannot move.")
    page.get_by_role("button", name="Send the report").click()
    expect(page.get_by_text("An operator will look at it")).to_be_visible()
    return page


def act(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Acts").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()
    page.fill("textarea[name=reason]", WHY)
    page.locator(".op-form .buttons button").click()
    expect(page.get_by_role("heading", name="Time machine")).to_be_visible()


def test_from_a_report_to_the_audit_log(player, operator):
    operator.goto("/admin/")
    operator.get_by_role("link", name="Open reports").click()
    operator.wait_for_url("**/playerreport/")
    operator.locator("#result_list th.field-at a").first.click()
    operator.wait_for_url("**/change/")
    operator.get_by_role("link", name="Pişti, ply").click()

    expect(operator.get_by_text("I cannot move.").first).to_be_visible()
    table = operator.frame_locator(".op-table-frame")
    expect(table.locator(".felt")).to_be_visible()
    assert table.locator("button.playing-card").count() == 0
    operator.get_by_title("The deal").click()
    expect(operator.locator("tr.is-now", has_text="dealer")).to_be_visible()

    act(operator, "Roll back to a round")
    act(operator, "Verify by replay")
    expect(operator.get_by_text("Verified:").first).to_be_visible()
    player.reload()
    expect(player.get_by_text("which is dealt again").first).to_be_visible()
    act(operator, "Hand a seat to a bot")
    expect(operator.get_by_text("handed to a bot").first).to_be_visible()
    player.reload()
    expect(player.get_by_text("An operator handed").first).to_be_visible()

    operator.get_by_role("link", name="All entries").click()
    for done in ("roll back", "verify", "hand to bot"):
        expect(operator.get_by_text(done).first).to_be_visible()
    assert operator.get_by_text(WHY).count() >= 3

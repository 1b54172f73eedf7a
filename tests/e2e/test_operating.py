"""An operator at work: finds the match, sees why, repairs it, tells the players, reads the log."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import HAND, play_first, wait_for_my_turn

pytestmark = pytest.mark.browser

WHY = "The player wrote that the page is frozen."


@pytest.fixture
def operator(visit, password) -> Page:
    page = visit("/accounts/login/?next=/admin/")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.fill("input[name=login]", "admin")
    page.fill("input[name=password]", password)
    page.get_by_role("button", name="Sign in", exact=True).click()
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
    done = page.get_by_role("heading", name="Time machine")
    again = page.get_by_text("Press once more if it is meant.")  # where something is lost
    expect(done.or_(again)).to_be_visible()
    if again.is_visible():
        page.locator(".op-form .buttons button").click()
    expect(done).to_be_visible()


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


def owed_turns(operator: Page) -> int:
    operator.goto("/admin/")
    figure = operator.locator(".op-figure", has_text="A bot's turn is due")
    return int(figure.locator(".value").inner_text())


def test_from_a_stuck_match_to_the_audit_log(house, visit, operator):
    """No report leads there: the dashboard does, and the players learn what happened."""
    player = visit()
    player.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(player)
    match_id = player.url.rpartition("/")[2]
    with house.without_workers():
        player.locator(HAND).first.click()
        expect(player.locator(".headline-computer, .headline:not(.is-yours)").first).to_be_visible()
        while not owed_turns(operator):
            operator.wait_for_timeout(1000)
        operator.get_by_role("link", name="A bot's turn is due").click()
        operator.wait_for_url("**/match/?problem=owes_bot")
        operator.locator("#result_list th a", has_text=match_id).click()
        expect(operator.get_by_text("should have moved")).to_be_visible()
        operator.locator(".op-problems a", has_text="Play the bot's turn now").click()
        expect(operator.get_by_role("heading", name="What will happen")).to_be_visible()
        operator.fill("textarea[name=reason]", WHY)
        operator.locator(".op-form .buttons button").click()
        expect(operator.get_by_text("Played 1 plies.")).to_be_visible()
    player.reload()
    expect(player.get_by_text("An operator made the computer take its turn.")).to_be_visible()
    wait_for_my_turn(player)

    operator.get_by_role("navigation", name="Acts").get_by_text("Write to the players").click()
    operator.fill("textarea[name=text]", "The computer is awake again.")
    operator.fill("textarea[name=reason]", WHY)
    operator.locator(".op-form .buttons button").click()
    player.reload()
    expect(player.get_by_text("The computer is awake again.")).to_be_visible()
    operator.get_by_role("link", name="All entries").click()
    for done in ("pay bot turn", "message players"):
        expect(operator.get_by_text(done).first).to_be_visible()


def test_a_message_to_one_person(visit, operator):
    player = visit()
    player.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(player)
    operator.goto(f"/admin/games/match/{player.url.rpartition('/')[2]}/change/")
    operator.locator(".op-card", has_text="Seats").get_by_role("link").first.click()
    operator.wait_for_url("**/person/**")
    form = operator.locator("form[action$='/message/do']")
    form.locator("textarea").fill("Choose a friendlier name, please.")
    form.locator("input[name=reason]").fill(WHY)
    form.get_by_role("button").click()
    expect(operator.get_by_text("The person is told")).to_be_visible()
    expect(operator.get_by_text("not read")).to_be_visible()
    player.reload()
    expect(player.get_by_text("Choose a friendlier name, please.")).to_be_visible()
    player.get_by_role("button", name="I have read this").click()
    expect(player.locator("#felt")).to_be_visible()
    expect(player.get_by_text("Choose a friendlier name, please.")).to_have_count(0)
    operator.reload()
    expect(operator.get_by_text("not read")).to_have_count(0)

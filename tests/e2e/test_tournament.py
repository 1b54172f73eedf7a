"""Two people and an operator play a Swiss of four rounds; computers fill it up."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_operating import operator  # noqa: F401 - a fixture
from tests.e2e.test_pairing import PHONE, TABLE, fits
from tests.patience import wait_until

pytestmark = pytest.mark.browser

TOURNAMENT = re.compile(r"/tournaments/[0-9a-f-]{36}$")
ROUNDS = 4
PLAYERS = 6


def announced(page: Page) -> str:
    """The address of a new tournament, created by its form."""
    page.goto("/tournaments/new")
    page.fill("input[name=name]", "Evening cup")
    page.select_option("select[name=game]", "pazaak:classic")
    page.select_option("select[name=begins]", "60")
    page.uncheck("input[name=plays]")
    page.locator("form details summary").click()
    page.fill("input[name=rounds]", str(ROUNDS))
    page.fill("input[name=fill_to]", str(PLAYERS))
    page.get_by_role("button", name="Announce it").click()
    page.wait_for_url(TOURNAMENT)
    return page.url


def standing(page: Page, address: str) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get(address.replace("/t", "/api/v1/t")).json()
    return found


def wait_for(page: Page, address: str, round_: int, status: str = "running") -> None:
    """Until the round, or one after it: computers may have played theirs meanwhile."""

    def is_reached() -> bool:
        one = standing(page, address)
        return one["round"] >= round_ and one["status"] in (status, "finished")

    wait_until(is_reached, pause=0.5)


def give_up(page: Page, address: str) -> None:
    """One click to the own match, which is resigned, if the other has not given up before."""
    page.goto(address)
    if standing(page, address)["your_match"] is None:
        return
    page.get_by_role("link", name="Play your match").click()
    page.wait_for_url(TABLE)
    if page.locator("#resign summary").count():
        page.locator("#resign summary").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator("#resign")).to_have_count(0)


def test_a_swiss_of_four_rounds(visit, operator):  # noqa: F811
    address = announced(operator)
    ada, ben = visit(address), visit(address, viewport=PHONE)
    looker = visit(address)
    expect(looker.locator("body[data-live=up]")).to_be_attached()
    asked: dict[str, bool] = {}  # by address, whether the page was loaded with it

    def note(request: Request) -> None:
        asked[request.url] = request.is_navigation_request()

    looker.on("request", note)
    for page in (ada, ben):
        page.get_by_role("button", name="Take part").click()
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(ada.locator("#players-name")).to_contain_text("2 / 16")

    operator.goto(address.replace("/tournaments/", "/admin/competitions/tournament/") + "/change/")
    begin = operator.locator("form", has=operator.get_by_role("button", name="Begin now"))
    begin.locator("input[name=reason]").fill("All who wanted to come are there.")
    begin.get_by_role("button").click()
    expect(operator.get_by_text("It begins now.")).to_be_visible()

    expect(ada.get_by_role("link", name="Play your match")).to_be_visible()  # live
    state, boards = looker.locator(".tournament-state"), looker.locator(".tournament-boards li")
    expect(state).to_contain_text("Round 1 of 4")
    expect(boards).to_have_count(PLAYERS // 2)
    assert address in asked  # the sheet, when the stream said that it changed
    assert not any(asked.values())  # the page was not loaded again
    for number in range(1, ROUNDS + 1):
        for page in (ada, ben):
            wait_for(page, address, number)
            give_up(page, address)
    wait_for(ada, address, ROUNDS, "finished")

    for page in (ada, ben):
        page.goto(address)
        expect(page.locator(".tournament-state")).to_contain_text("It is over.")
        expect(page.locator(".tournament-table tbody tr")).to_have_count(PLAYERS)
        assert not faults(page)
    assert fits(ben)
    ada.get_by_role("link", name="1", exact=True).click()  # later, who was absent twice is out
    expect(ada.locator("#boards-name")).to_have_text("Round 1")
    expect(ada.locator(".tournament-boards li")).to_have_count(PLAYERS // 2)
    operator.reload()
    expect(operator.get_by_text("finished").first).to_be_visible()
    expect(operator.get_by_text("All who wanted to come are there.")).to_be_visible()

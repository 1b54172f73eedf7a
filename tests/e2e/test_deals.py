"""The browser itself deals every deck again; a record with one wrong card or byte is found."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.test_replay import resigned_match

pytestmark = pytest.mark.browser

VERDICT = "#verdict"


def open_deals(page: Page) -> None:
    page.get_by_role("link", name="The cards are sealed").click()
    expect(page.locator(VERDICT)).not_to_have_attribute("data-verdict", "checking")


def test_an_honest_match(visit):
    page = visit()
    resigned_match(page, moves=1)
    open_deals(page)
    expect(page.locator(VERDICT)).to_have_attribute("data-verdict", "good")
    expect(page.locator(VERDICT)).to_contain_text("Nobody could choose or exchange a card.")
    expect(page.locator(".deal-state").first).to_have_text("✓ as sealed")
    expect(page.locator("#seal-noted")).to_contain_text("this browser noted")


@pytest.mark.parametrize(
    ("tamper", "verdict", "says"),
    [
        (
            lambda text: re.sub(r'("shuffles":\[")(\w\w) (\w\w)', r"\1\3 \2", text),
            "bad",
            "card 1 is",
        ),
        (lambda text: re.sub(r'("seed":")(.)', _other_digit, text), "badSeal", "does not fit"),
        (
            lambda text: re.sub(r'("commitment":")(.)', _other_digit, text),
            "badSeal",
            "does not fit",
        ),
    ],
    ids=["two cards exchanged", "another number", "another seal"],
)
def test_a_record_that_somebody_changed(visit, tamper, verdict, says):
    page = visit()
    resigned_match(page, moves=1)

    def change(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=tamper(answer.text()))

    page.route("**/record", change)
    open_deals(page)
    expect(page.locator(VERDICT)).to_have_attribute("data-verdict", verdict)
    expect(page.get_by_role("alert")).to_contain_text("Warning")
    expect(page.locator("article")).to_contain_text(says)


def _other_digit(found: re.Match[str]) -> str:
    return found[1] + ("0" if found[2] != "0" else "1")

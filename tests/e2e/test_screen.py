"""A party: two phones and a television in three browsers."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, TABLE, fits
from tests.e2e.test_people import picture
from tests.patience import wait_until

pytestmark = pytest.mark.browser
TELEVISION = {"width": 1920, "height": 1080}
PHONES = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def test_two_phones_and_a_television(visit):
    host, phone = visit("/party", **PHONES), visit("/join", **PHONES)
    television = visit("/join", viewport=TELEVISION)
    host.get_by_label("Game").select_option("pisti")
    host.get_by_label("Seats at most").fill("4")
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url(TABLE)
    code = host.locator(".party-code b").inner_text()
    assert re.fullmatch("[A-Z]{4}", code)

    television.get_by_label("The four letters").fill(code.lower())
    television.get_by_role("button", name="This is the screen").click()
    expect(television.locator(".screen-code")).to_have_text(code)
    assert television.locator(".screen-join img").evaluate("image => image.naturalWidth") > 0
    picture(television, "screen-waiting")
    assert not faults(television)

    picture(phone, "join")
    assert fits(phone)
    assert not faults(phone)
    phone.get_by_label("The four letters").fill(code)
    phone.get_by_label("Your name").fill("Zoë")
    phone.get_by_role("button", name="Sit down", exact=True).click()
    phone.wait_for_url(TABLE)
    expect(television.locator(".screen-seats")).to_contain_text("Zoë")

    expect(host.locator(".places")).to_contain_text("Zoë")
    picture(host, "host-waiting")
    assert fits(host)
    host.get_by_role("button", name="Begin with those who are here").click()
    for page in (host, phone, television):
        expect(page.locator("#felt")).to_be_visible()
    assert phone.evaluate("localStorage.getItem('vibration')") == "on"
    expect(phone.locator(".slot-centre")).to_be_hidden()
    expect(phone.locator(".slot-hand .playing-card").first).to_be_visible()

    for _ in range(6):
        mover = next_to_move(host, phone)
        shown = mover.locator("#table-panel").get_attribute("data-version")
        mover.locator(f".table-panel[data-version='{shown}'] button[name=move]").first.click()
        for page in (host, phone, television):
            expect(page.locator("#table-panel")).not_to_have_attribute("data-version", shown)
    hidden_from(television, host, phone)
    picture(television, "screen")
    picture(phone, "hand")
    assert not faults(television)
    assert not faults(phone)
    assert fits(phone)
    phone.get_by_role("button", name="Show the whole table").click()
    expect(phone.locator(".slot-centre")).to_be_visible()
    television.set_viewport_size({"width": 3840, "height": 2160})
    picture(television, "screen-4k")
    assert television.evaluate("document.documentElement.scrollHeight") <= 2160

    phone.goto("/join")  # the phone comes back, without a name
    phone.get_by_label("The four letters").fill(code)
    phone.get_by_role("button", name="Sit down", exact=True).click()
    phone.wait_for_url(TABLE)
    expect(phone.locator(".slot-hand .playing-card").first).to_be_visible()
    assert_all_go_on(host, phone, television)


def assert_all_go_on(host: Page, *others: Page) -> None:
    """The host begins the next match: phones and television open it by themselves."""
    ended = [page.url for page in others]
    host.locator("#resign summary").click()
    host.get_by_role("button", name="Yes, resign").click()
    for page in (host, *others):
        expect(page.locator("#match-ending")).to_be_visible()
    host.get_by_role("button", name="Again").click()
    for page, before in zip(others, ended, strict=True):
        page.wait_for_url(lambda url, before=before: url != before)
        expect(page.locator("#felt")).to_be_visible()
        assert host.url in page.url


def next_to_move(*pages: Page) -> Page:
    def movers() -> list[Page]:
        return [page for page in pages if page.locator(".table-panel.your-turn").count()]

    return wait_until(movers, pause=0.1)[0]


def hidden_from(television: Page, *phones: Page) -> None:
    """No card that a phone holds lies on the television."""
    shown = television.content()
    for phone in phones:
        cards = phone.locator(".slot-hand [data-card]")
        for card in cards.evaluate_all("all => all.map((one) => one.dataset.card)"):
            assert f'data-card="{card}"' not in shown

"""Two people become friends, invite each other, play, talk, and look at each other's pages."""

import os
import re
import secrets
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.e2e.test_pairing import PHONE, TABLE, fits
from tests.patience import wait_until

pytestmark = pytest.mark.browser

PASSWORD = "a long and quiet evening"


def picture(page: Page, name: str) -> None:
    """With PICTURES=folder pictures of the pages are kept there."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def sign_up(page: Page, name: str) -> str:
    username = f"{name}-{secrets.token_hex(3)}"
    page.goto("/accounts/signup/")
    page.locator("[name=username]").fill(username)
    for field in page.locator("[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()
    return username


BOX = "each => { const {top, bottom} = each.getBoundingClientRect(); return [top, bottom]; }"


def assert_is_a_sheet(phone: Page) -> None:
    """The phrases lie at the lower edge of the phone, under the thumb, and move nothing."""
    felt, talk = phone.locator("#felt"), phone.locator(".talk")
    before, height = felt.evaluate(BOX), phone.viewport_size["height"]
    assert talk.evaluate(BOX)[1] == height
    phone.locator("#talk summary").click()
    expect(phone.get_by_role("button", name="Oops!")).to_be_in_viewport()
    top, bottom = talk.evaluate(BOX)
    assert (felt.evaluate(BOX), bottom) == (before, height)
    assert top > height / 4
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("button", name="Oops!")).to_be_hidden()


def test_friends_play_and_talk(visit):
    ada, ben = visit(viewport=PHONE), visit(color_scheme="dark")
    ada_name, ben_name = sign_up(ada, "ada"), sign_up(ben, "ben")
    ben.goto("/")
    ben.wait_for_selector("body[data-live=up]")
    ada.goto(f"/people/{ben_name}")
    assert fits(ada)
    ada.get_by_role("button", name="Add as a friend").click()
    expect(ada.get_by_role("button", name="Withdraw the request")).to_be_visible()
    expect(ben.locator("#friends-mark")).to_be_visible()  # by the stream
    ben.get_by_role("link", name="Friends").first.click()
    picture(ben, "asked")
    assert not faults(ben)
    ben.get_by_role("button", name="Accept as a friend").click()
    expect(ben.get_by_role("link", name=ada_name, exact=True)).to_be_visible()

    wait_for_words(ada, "/people", "online")
    picture(ada, "friends")
    assert fits(ada)
    assert not faults(ada)
    ada.get_by_role("link", name=f"Invite {ben_name}").click()
    assert ada.locator("[name=seat-1-name]").input_value() == ben_name
    ada.get_by_role("button", name="Start").first.click()
    ada.wait_for_url(TABLE)
    ben.goto(ada.url)
    ben.locator("form[action$='/join'] button").first.click()
    ben.wait_for_selector("#felt")
    ada.wait_for_selector("#felt")
    for page in (ada, ben):
        page.wait_for_selector("body[data-live=up]")

    ada.locator("#talk summary").click()
    picture(ada, "talk")
    assert fits(ada)
    ada.get_by_role("button", name="Good luck!").click()
    expect(ben.locator("[data-phrase]", has_text="Good luck!")).to_be_visible()
    picture(ben, "bubble")
    expect(ada.locator("#talk")).not_to_have_attribute("open", "")
    expect(ben.locator("[data-phrase]", has_text="Good luck!")).to_be_hidden()
    ben.locator("#talk summary").click()
    assert not faults(ben)
    assert_is_a_sheet(ada)
    ben.get_by_role("button", name="Applause").click()
    expect(ada.locator("[data-phrase] [role=img]")).to_have_attribute("aria-label", "Applause")
    picture(ada, "sign")
    ben.locator("#talk summary").click()
    ben.get_by_role("button", name=re.compile("Mute (?!everybody)")).click()
    ben.wait_for_selector("body[data-live=up]")
    ada.locator("#talk summary").click()
    ada.get_by_role("button", name="Oops!").click()
    ben.wait_for_timeout(1500)
    expect(ben.locator("[data-phrase]", has_text="Oops!")).to_be_hidden()

    ben.locator("#resign summary").click()
    ben.get_by_role("button", name="Yes, resign").click()
    ben.wait_for_selector(".is-over, .finished, #table-panel")
    wait_for_words(ben, f"/people/{ada_name}", "1 won")
    picture(ben, "profile")
    assert not faults(ben)
    ada.goto(f"/people/{ada_name}")
    picture(ada, "own-profile")
    assert fits(ada)
    assert not faults(ada)


def test_the_list_of_friends_is_live(visit):
    """Who asks, who is there and who has gone appears by the stream; the page is loaded once."""
    ada, ben = visit(viewport=PHONE), visit()
    ada_name, ben_name = sign_up(ada, "ada"), sign_up(ben, "ben")
    ada.goto("/people")
    ada.wait_for_selector("body[data-live=up]")
    ada.evaluate("window.loadedOnce = true")
    ben.goto(f"/people/{ada_name}")
    ben.get_by_role("button", name="Add as a friend").click()
    ask = ada.locator("#friends-asking")
    expect(ask.get_by_role("link", name=ben_name, exact=True)).to_be_visible()
    assert ada.evaluate("window.loadedOnce")
    picture(ada, "live-ask")
    assert not faults(ada)
    ask.get_by_role("button", name="Accept as a friend").click()
    friend = ada.locator("#friends-list li", has_text=ben_name)
    ada.wait_for_selector("body[data-live=up]")
    ada.evaluate("window.loadedOnce = true")
    expect(friend.locator(".tag")).to_have_text("online")
    ada.locator("#id_friend").fill("half a na")
    ben.close()
    expect(friend.locator(".tag")).to_have_count(0)
    assert ada.evaluate("window.loadedOnce")
    assert ada.locator("#id_friend").input_value() == "half a na"
    assert fits(ada)


def wait_for_words(page: Page, address: str, words: str) -> None:
    """Presence and results are noted every few seconds."""

    def is_noted() -> bool:
        page.goto(address)
        return words in page.locator("main").inner_text()

    wait_until(is_noted, pause=0.5)


def test_without_scripts(visit):
    ada = visit("/accounts/signup/", java_script_enabled=False, viewport=PHONE)
    name = sign_up(ada, "cleo")
    ada.goto("/people")
    assert fits(ada)
    ada.locator("[name=hides_profile]").check()
    ada.get_by_role("button", name="Save").click()
    ada.goto(f"/people/{name}")
    assert "Only your friends see it." in ada.locator("main").inner_text()

"""Two people who do not know each other: one click each, and they play."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import HAND, play_first, version, wait_for_news

pytestmark = pytest.mark.browser

TABLE = re.compile(r"/matches/[0-9a-f-]+$")
SEEK = re.compile(r"/seeks/[0-9a-f-]+$")
PHONE = {"width": 390, "height": 844}


def wait_for_table(*pages: Page) -> None:
    for page in pages:
        expect(page).to_have_url(TABLE)
        page.wait_for_load_state()
    assert len({page.url for page in pages}) == 1


def seek(page: Page, game: str = "Pişti", pace: str = "blitz") -> None:
    """The button says the game, and how many wait for it."""
    page.locator("#somebody-pace").select_option(pace)
    page.locator("#somebody-games").get_by_role("button", name=re.compile(f"^{game}\\b")).click()


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_visitors_find_each_other_and_play(visit):
    ada, ben = visit("/lobby"), visit("/lobby")
    seek(ada)
    expect(ada.get_by_role("heading", name="Looking for somebody")).to_be_visible()
    expect(ben.locator("#somebody-games")).to_contain_text("1 waits")  # by the stream
    seek(ben)
    wait_for_table(ada, ben)
    ada.wait_for_selector(HAND + ", .table-panel")
    mover, other = (ada, ben) if ada.locator(".table-panel.your-turn").count() else (ben, ada)
    before = version(other)
    play_first(mover)
    wait_for_news(other, before)
    play_first(other)
    wait_for_news(mover, before + 1)


def test_they_play_to_the_end_and_once_more(visit):
    """Both pages say who wants another; one press seats both, and the score is kept."""
    ada, ben = visit("/lobby"), visit("/lobby", viewport=PHONE)
    seek(ada, "Shithead")
    seek(ben, "Shithead")
    wait_for_table(ada, ben)
    first = ada.url
    ben.locator("#resign summary").click()
    ben.get_by_role("button", name="Yes, resign").click()
    again = ada.get_by_role("button", name="Again")
    expect(again).to_be_visible()
    again.click()
    expect(ada.locator(".wish")).to_contain_text("You have asked for a rematch. Waiting for")
    assert ada.url == first
    expect(ben.locator(".wish")).to_contain_text("would like a rematch.")
    assert fits(ben)
    ben.get_by_role("button", name="Decline").click()
    expect(ada.locator(".wish")).to_contain_text("said no.")
    ben.get_by_role("button", name="Again").click()
    ada.get_by_role("button", name="Accept").click()
    for page in (ada, ben):
        page.wait_for_url(lambda url: url != first)
    wait_for_table(ada, ben)
    for page in (ada, ben):
        expect(page.locator("#felt")).to_be_visible()
        expect(page.locator(".series-score")).to_have_text(re.compile("1 : 0|0 : 1"))


def test_a_chair_in_the_lobby_and_a_watcher(visit):
    """A visitor clicks a chair; another one looks on, and the table says so."""
    ada, ben, cleo = visit("/new?game=pisti&seat-1-who=open&visibility=public"), visit(), visit()
    ada.get_by_role("button", name="Start", exact=True).click()
    ada.wait_for_url(TABLE)
    ben.goto("/lobby")
    ben.locator(f".open-table:has(a[href$='{ada.url.split('/')[-1]}']) .free-chair").click()
    wait_for_table(ada, ben)
    cleo.goto(ada.url)
    expect(ada.locator("[data-watchers] span")).to_have_text("1")
    cleo.close()
    expect(ada.locator("[data-watchers]")).to_be_hidden()


def test_from_the_landing_page_on_a_phone(visit):
    ada = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    ben = visit("/lobby", viewport=PHONE)
    assert fits(ada)
    assert fits(ben)
    ada.get_by_role("button", name="Play Shithead with somebody").tap()
    expect(ada).to_have_url(SEEK)
    assert fits(ada)
    seek(ben, "Shithead", "normal")
    wait_for_table(ada, ben)


def test_a_computer_meanwhile(visit):
    """The page of the other match opens the one that one waited for; the other one is kept."""
    ada, ben = visit("/lobby"), visit("/lobby")
    seek(ada, "Pyanitsa", "normal")
    ada.get_by_role("button", name="Play a computer meanwhile").click()
    ada.wait_for_url(TABLE)
    ada.wait_for_selector("body[data-live=up]")
    meanwhile = ada.url
    seek(ben, "Pyanitsa", "normal")
    expect(ben).to_have_url(TABLE)
    expect(ada).to_have_url(ben.url)
    assert ada.url != meanwhile
    ada.goto(meanwhile)
    expect(ada.locator("#table-panel")).to_be_visible()
    ada.wait_for_selector("body[data-live=up]")
    assert ada.url == meanwhile  # it is not opened a second time


def test_without_scripts(visit):
    ada = visit("/lobby", java_script_enabled=False, viewport=PHONE)
    ben = visit("/lobby")
    seek(ada, "Pazaak", "slow_1")
    expect(ada).to_have_url(SEEK)
    assert ada.locator("h1").inner_text() == "Looking for somebody…"
    seek(ben, "Pazaak", "slow_1")
    wait_for_table(ben, ada)  # the page loads itself again


def test_who_closes_the_site_waits_no_more(visit):
    ada, ben = visit("/lobby"), visit("/lobby")
    seek(ada, "Pazaak", "slow_7")
    expect(ada.get_by_role("heading", name="Looking for somebody")).to_be_visible()
    expect(ben.locator("#somebody-games")).to_contain_text("1 waits")
    ada.close()
    expect(ben.locator("#somebody-games")).not_to_contain_text("1 waits")


def test_giving_up(visit):
    ada = visit("/lobby")
    seek(ada, "Pazaak", "slow_7")
    ada.get_by_role("button", name="Stop waiting").click()
    expect(ada).to_have_url(re.compile("/lobby$"))
    expect(ada.locator("#main")).not_to_contain_text("You are waiting for somebody")

"""Durak of ``examples`` as a package beside the service: its own table, styles and script are
served, and a whole match is played against the computer on a phone."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cardroom.rules import outside
from games.newgame.scaffold import announce
from tests.e2e.serving import House, new_folder, served
from tests.e2e.test_accessibility import faults
from tests.e2e.test_playing import version, wait_for_my_turn, wait_for_news
from tests.outside.examples import EXAMPLES

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
CARDS = "#felt .du-card > button.playing-card"
BUTTONS = "#felt .du-moves button"
MOST_TURNS = 200


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """A Cardroom of its own, beside which the package is installed."""
    with new_folder() as folder:
        beside = folder / "beside"
        beside.mkdir()
        announce(EXAMPLES / "durak", beside)
        path = os.pathsep.join([str(beside), str(EXAMPLES / "durak")])
        with served(folder, more={"PYTHONPATH": path, outside.SWITCH: "1"}) as house:
            yield house


def at_table(visit, address: str = "/new?game=durak", **options: object) -> Page:
    page = visit(address, **options)
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    return page


def play(page: Page) -> None:
    """The first card that may be played, else the button that is left."""
    before = version(page)
    cards = page.locator(CARDS)
    (cards.first if cards.count() else page.locator(BUTTONS).last).click()
    wait_for_news(page, before)
    wait_for_my_turn(page)


def in_sight(page: Page, selector: str) -> bool:
    """Nothing has to be scrolled to press it."""
    box, height = page.locator(selector).last.bounding_box(), page.viewport_size["height"]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_a_whole_match_on_a_phone(visit):
    page = at_table(visit, viewport=PHONE, has_touch=True)
    page.evaluate("window.loadedOnce = true")
    own = page.evaluate(
        "() => [...document.querySelectorAll('link[rel=stylesheet], script[src]')]"
        ".map(each => each.href || each.src).filter(url => url.includes('/tables/durak/'))"
    )
    assert sorted(Path(url.split("?")[0]).name.split(".")[0] for url in own) == [
        "felt", "table", "table",
    ]  # fmt: skip
    assert "petrol" not in page.locator("#felt").inner_text()
    columns = "e => getComputedStyle(e).gridTemplateColumns.split(' ').length"
    assert page.locator(".du-field").evaluate(columns) == 3  # of its own style
    for _ in range(MOST_TURNS):
        if page.locator(".finished").count():
            break
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.locator(".du-pair").count() <= 6  # R13
        if page.locator(BUTTONS).count():
            assert in_sight(page, BUTTONS)
        play(page)
    expect(page.locator(".finished-who")).to_be_visible()
    expect(page.locator(".du-ending li")).to_have_count(2)
    assert page.evaluate("window.loadedOnce")
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_and_can_be_read(visit, scheme):
    page = at_table(visit, "/new?game=durak&players=4&transfer=true", color_scheme=scheme)
    found = faults(page)
    for _ in range(3):
        play(page)
    page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
    found += faults(page)
    page.goto("/games/durak/rules")
    assert found + faults(page) == []


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "window"])
def test_many_fit_the_screen(visit, players, size):
    page = at_table(visit, f"/new?game=durak&players={players}", viewport=size)
    play(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    felt = page.locator("#felt").evaluate("e => e.scrollHeight - e.clientHeight")
    assert felt <= 0
    if page.locator(BUTTONS).count():
        assert in_sight(page, BUTTONS)


def hand(page: Page) -> list[str]:
    return page.locator(".du-card [data-card]").evaluate_all("all => all.map(e => e.dataset.card)")


def test_the_hand_is_sorted_by_suit_and_stays_so(visit):
    page = at_table(visit, "/new?game=durak&deck=52")
    page.get_by_role("button", name="Sort by suit").click()
    by_suit = hand(page)
    plain = [code[1] for code in by_suit if code[1] != trumps(page)]
    assert plain == sorted(plain, key="CDSH".index)
    assert [code[1] for code in by_suit[len(plain) :]] == [trumps(page)] * (6 - len(plain))
    play(page)
    expect(page.get_by_role("button", name="Sort by rank")).to_be_visible()
    plain = [code[1] for code in hand(page) if code[1] != trumps(page)]
    assert plain == sorted(plain, key="CDSH".index)


def trumps(page: Page) -> str:
    return page.locator(".du-trump [data-card]").get_attribute("data-card")[1]


def test_a_card_that_may_not_be_played_says_why(visit):
    page = at_table(visit)
    for _ in range(MOST_TURNS):
        barred = page.locator(".du-card.is-barred")
        if barred.count():
            break
        play(page)
    barred.last.click()
    line = page.locator(".du-situation.is-why")
    expect(line).to_have_text(page.locator(".du-hand").get_attribute("data-why"))
    expect(line).to_have_count(0)  # and then what is to be done again


def test_its_cards_fly_and_the_felt_is_then_the_newest(visit):
    page = at_table(visit, pace="quick")
    for _ in range(4):
        if page.locator(".finished").count():
            break
        page.wait_for_function("() => !document.querySelector('.is-staged')")
        play(page)
    page.wait_for_function("() => !document.querySelector('.is-staged')")
    assert page.locator(".stage").count() == 0


def test_it_speaks_the_languages_of_its_catalogues(visit):
    page = at_table(visit)
    for language, words in {"tr": "Herkesin gördüğü", "ru": "видели все", "cs": "viděli"}.items():
        cookie = {"name": "django_language", "value": language, "url": page.url}
        page.context.add_cookies([cookie])
        page.reload()
        expect(page.locator("#seen summary")).to_contain_text(words)

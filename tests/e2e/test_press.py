"""An update that arrives while a button is pressed waits, and is then shown where it belongs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_pairing import seek, wait_for_table
from tests.e2e.test_playing import HAND, version

pytestmark = pytest.mark.browser
every_browser = pytest.mark.every_browser


def hold(page: Page, selector: str) -> None:
    """The button of the mouse goes down on it and stays there."""
    page.locator(selector).first.hover()
    page.mouse.down()


def await_an_answer(page: Page, to_do: Callable[[], None]) -> None:
    """Until htmx is about to show it, or would be, were nothing pressed."""
    page.evaluate(
        "document.addEventListener('htmx:beforeSwap', () => { window.answered = true; }, true)"
    )
    to_do()
    page.wait_for_function("() => window.answered")


def mark(page: Page, selector: str) -> None:
    """So that one sees whether this element is still there."""
    page.locator(selector).evaluate("element => element.classList.add('was-there')")


@every_browser
def test_the_lobby_is_updated_in_its_place_after_a_press(visit):
    """Not the whole page inside the page, which was there twice then."""
    ada, ben = visit("/lobby"), visit("/lobby")
    ada.get_by_text("More choices").click()
    hold(ada, "#somebody-unrated")
    mark(ada, "#lobby")
    await_an_answer(ada, lambda: seek(ben))
    expect(ada.locator("#lobby.was-there")).to_have_count(1)  # nothing moves under the pointer
    ada.mouse.up()
    expect(ada.locator("#lobby.was-there")).to_have_count(0)
    for each in ("h1", "#lobby", "#somebody-pace", "#somebody-games"):
        assert ada.locator(each).count() == 1, each
    expect(ada.locator("#somebody-games")).to_contain_text("1 waits")
    assert ada.locator("#somebody-unrated").is_checked()
    ada.locator("#somebody-unrated").uncheck()
    seek(ada)  # no seek of this scene waits when another begins, and no page is on its way
    wait_for_table(ada, ben)


@every_browser
def test_a_forecast_that_comes_during_a_press_stays_in_its_place(visit):
    page = visit("/new")
    mark(page, "#forecast")
    hold(page, "h1")
    changed = "document.getElementById('new-match').dispatchEvent(new Event('change'))"
    await_an_answer(page, lambda: page.evaluate(changed))
    page.mouse.up()
    page.wait_for_timeout(300)
    expect(page.locator("#forecast.was-there")).to_have_count(1)


@every_browser
def test_a_move_is_made_while_something_said_is_answered(visit):
    """The answer waits for the end of the press, and the move does not wait for the answer."""
    ada, ben = visit("/lobby"), visit("/lobby")
    for page in (ada, ben):
        seek(page)
    wait_for_table(ada, ben)
    ada.wait_for_selector(HAND + ", .table-panel")
    mover = ada if ada.locator(".table-panel.your-turn").count() else ben
    before = version(mover)
    hold(mover, HAND)
    say = (
        "() => { const form = document.querySelector('[data-talk]');"
        " form.requestSubmit(form.querySelector('button[name=phrase]')); }"
    )
    await_an_answer(mover, lambda: mover.evaluate(say))
    mover.mouse.up()
    shown = mover.locator("#table-panel")
    expect(shown).to_have_attribute("data-version", str(before + 1))

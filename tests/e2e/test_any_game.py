"""A game without a page of its own, and what no page may do: swap a button under a click."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import version, wait_for_my_turn

pytestmark = pytest.mark.browser

HAND = "button.playing-card"


def at_table(visit, address: str) -> Page:
    page = visit(address)
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    return page


def update(page: Page) -> None:
    """The page asks at once whether there is something new, and has its answer."""
    with page.expect_response("**/news*"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(100)


def test_its_hand_is_played_by_clicks(visit):
    page = at_table(visit, "/new?game=high-card&players=4")
    expect(page.locator(".is-you .seat-mark").first).to_have_text("you")
    expect(page.locator(".facts.centre")).to_contain_text("Leader")
    for left in (2, 1):
        page.locator(HAND).first.click()
        page.wait_for_selector(".table-panel.your-turn")
        expect(page.locator(HAND)).to_have_count(left)
    page.keyboard.press("1")
    expect(page.locator(".finished-who")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen(visit, width):
    page = visit("/new?game=high-card&players=5", viewport={"width": width, "height": 800})
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".table-panel.your-turn")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


class TestPressing:
    """An update that comes while a button is pressed waits for the click."""

    @pytest.fixture
    def behind(self, visit) -> Page:
        """A page whose match went on in another tab, with the pointer pressed on a card."""
        page = at_table(visit, "/new?game=high-card")
        other = page.context.new_page()
        other.goto(page.url)
        page.locator(HAND).first.hover()
        page.mouse.down()
        other.locator(HAND).last.click()
        other.wait_for_selector(".table-panel.your-turn")
        update(page)
        return page

    def test_a_click_means_what_was_shown(self, behind):
        assert version(behind) == 0
        behind.mouse.up()
        expect(behind.locator(".messages")).to_contain_text("went on in the meantime")
        assert version(behind) > 0

    def test_the_update_is_shown_when_nothing_was_clicked(self, behind):
        behind.mouse.move(2, 2)
        behind.mouse.up()
        expect(behind.locator(HAND)).to_have_count(2)
        assert version(behind) > 0
        expect(behind.locator(".messages")).to_have_count(0)

    def test_what_the_stream_told_meanwhile_is_asked_for_after_it(self, behind):
        """The panel that waits for the release may be older than what the stream told last."""
        behind.evaluate(
            "document.dispatchEvent("
            "new CustomEvent('live:table', {detail: {version: 99, changed: 99}}))"
        )
        update(behind)
        with behind.expect_request("**/news*"):
            behind.mouse.move(2, 2)
            behind.mouse.up()

    def test_the_space_bar_is_a_press_too(self, visit):
        page = at_table(visit, "/new?game=high-card")
        other = page.context.new_page()
        other.goto(page.url)
        page.locator(HAND).first.focus()
        page.keyboard.down(" ")
        other.locator(HAND).last.click()
        other.wait_for_selector(".table-panel.your-turn")
        update(page)
        assert version(page) == 0
        page.keyboard.up(" ")
        expect(page.locator(".messages")).to_contain_text("went on in the meantime")


def test_a_double_click_is_one_move(visit):
    page = at_table(visit, "/new?game=high-card")
    page.locator(HAND).first.dblclick()
    page.wait_for_selector(".table-panel.your-turn")
    expect(page.locator(HAND)).to_have_count(2)
    expect(page.locator(".messages")).to_have_count(0)


PRINTS = """[...document.querySelectorAll('.game-picture')]
  .map(each => getComputedStyle(each).backgroundImage)"""


def test_a_print_is_no_file_also_before_the_tokens_are_there(visit):
    """Where something asks for styles while the sheets are on their way, as extensions do."""
    page, asked = visit("/lobby"), []
    page.on("request", lambda request: "/felt-" in request.url and asked.append(request.url))

    def late(route):
        page.wait_for_timeout(1000)
        route.continue_()

    page.route("**/css/tokens.*", late)
    page.goto("/new", wait_until="commit")
    for _ in range(10):
        page.evaluate(PRINTS)
        page.wait_for_timeout(100)
    page.wait_for_load_state()
    prints = page.evaluate(PRINTS)
    assert prints
    assert all(each.startswith('url("data:image/svg+xml') for each in prints), prints
    assert not asked

"""Crafting a side deck: by mouse, by drag, by keyboard, by thumb, without JavaScript."""

import pytest
from playwright.sync_api import Locator, Page, expect

from cardroom.rules.pazaak.side_cards import CATALOGUES, CODES
from decks.web import CATALOGUE_NAMES

pytestmark = pytest.mark.browser

MIXED = ("PM1", "PM2", "PM3", "PM4", "M5", "M6", "PM12", "F24", "D", "T")


def slots(page: Page) -> list[str]:
    return page.locator("[data-slot]").evaluate_all("cards => cards.map(c => c.dataset.slot)")


def expect_count(page: Page, count: int) -> None:
    expect(page.locator(".tray-count strong")).to_have_text(f"{count} of 10")


def take(page: Page, deck: str) -> Locator:
    """The button that takes a ready-made deck."""
    return page.get_by_role("button", name="Take it").filter(has_text=deck)


def press(page: Page, code: str) -> None:
    page.locator(f"button[name=add][value={code}]").click()


def test_by_mouse_as_quickly_as_one_likes(visit):
    """Ten presses without waiting: all of them count, and the page is never loaded again."""
    page = visit("/decks/new")
    page.evaluate("window.loadedOnce = true")
    page.get_by_label("Name").fill("The Mixture")
    page.evaluate(
        "codes => codes.forEach(c => document.querySelector(`[name=add][value=${c}]`).click())",
        list(MIXED),
    )
    expect_count(page, 10)
    assert sorted(slots(page)) == sorted(MIXED)
    expect(page.locator(".catalogue-fits")).to_contain_text("Legal in: All side cards, KotOR II")
    assert page.evaluate("window.loadedOnce")
    press(page, "P1")
    expect(page.locator(".tray-note")).to_contain_text("The deck is full")
    page.reload()
    assert sorted(slots(page)) == sorted(MIXED)
    page.locator(".editor-name").get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("The Mixture")


def test_by_drag(visit):
    page = visit("/decks/new")
    page.drag_and_drop("[data-pick=P3] button", "[data-drop]")
    expect_count(page, 1)
    page.drag_and_drop("[data-slot=P3] button", "#catalogue h2")
    expect_count(page, 0)
    page.drag_and_drop("[data-pick=P3] button", "#catalogue h2")  # dropped beside the tray
    expect_count(page, 0)


def test_by_keyboard_alone(visit):
    """Enter adds, arrows walk, Delete takes out, Ctrl+Z undoes; the focus is never lost."""
    page = visit("/decks/new")
    page.get_by_role("button", name="Add +1").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect_count(page, 2)
    expect(page.locator("button[name=add][value=P2]")).to_be_focused()
    expect(page.locator("#editor-message")).to_have_text("+2 added. 2 of 10 cards.")
    page.keyboard.press("Delete")
    expect_count(page, 1)
    page.keyboard.press("Control+z")
    expect_count(page, 2)
    page.locator("#slot-2").focus()
    page.keyboard.press("Enter")
    expect_count(page, 1)
    expect(page.locator("#slot-1")).to_be_focused()
    page.keyboard.press("Backspace")
    expect_count(page, 0)
    page.get_by_label("Name").focus()
    page.keyboard.type("z")
    page.keyboard.press("Backspace")
    expect_count(page, 0)


def test_enter_in_the_name_saves_and_does_not_add_a_card(visit):
    page = visit(f"/decks/new?cards={'+'.join(MIXED)}")
    page.get_by_label("Name").fill("Quick")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Quick")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(visit, scheme):
    """360 px wide: nothing sticks out, and the tray stays in sight over the whole catalogue."""
    phone = {"width": 360, "height": 740}
    page = visit("/decks/", viewport=phone, has_touch=True, is_mobile=True, color_scheme=scheme)
    take(page, "The Turncoat").tap()
    expect(page.locator("h1")).to_contain_text("The Turncoat")
    deck = page.url
    for path in ("/decks/", "/decks/new", deck, f"{deck}/edit"):
        page.goto(path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= phone["width"], path
    page.goto("/decks/new")
    for count, code in enumerate((*MIXED[:9], "F56"), start=1):
        card = page.locator(f"button[name=add][value={code}]")
        card.tap()
        expect_count(page, count)
        assert card.bounding_box()["width"] >= 44
        tray = page.locator(".deck-tray").bounding_box()
        assert tray["y"] + tray["height"] <= phone["height"]
    expect(page.locator(".deck-tray").get_by_role("button", name="Save")).to_be_visible()


def test_without_javascript(visit):
    page = visit("/decks/new", java_script_enabled=False)
    page.get_by_label("Name").fill("By hand")
    for code in MIXED:
        press(page, code)
    expect_count(page, 10)
    page.get_by_role("button", name="Take out Double").click()
    expect_count(page, 9)
    page.get_by_role("button", name="Undo").click()
    expect_count(page, 10)
    expect(page.get_by_label("Name")).to_have_value("By hand")
    page.locator(".editor-name").get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("By hand")


def test_measuring_shows_its_progress_and_the_rate(visit):
    page = visit("/decks/")
    take(page, "The Climber").click()
    page.get_by_role("button", name="Measure it").click()
    expect(page.locator("#wins progress")).to_be_visible()
    expect(page.locator("#wins")).to_contain_text("of 2,000 matches by the default")
    expect(page.locator("#wins")).to_contain_text("95 % Wilson interval")
    expect(page.locator("#wins progress")).to_have_count(0)


def test_each_catalogue_is_told_apart(visit):
    page = visit("/decks/new")
    for name, codes in CATALOGUES.items():
        odd = next((code for code in CODES if code not in codes), None)
        if odd:
            press(page, odd)
            lacking = page.locator(".catalogue-fits .lacks")
            expect(lacking.get_by_text(str(CATALOGUE_NAMES[name]), exact=True)).to_have_count(1)
            page.get_by_role("button", name="Undo").click()
            expect_count(page, 0)

"""Shithead in a browser: cards are chosen by click, thumb and key, and refused with a reason."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

BOXES = ".sh-mine label.pick"
HAND = ".sh-hand label.pick"
TOPS = ".sh-top-row label.pick"
EDGE = {"x": 8, "y": 20}  # what an equal card beside it leaves in sight


def version(page: Page) -> int:
    return int(page.locator("#felt input[name=version]").get_attribute("value") or -1)


def moved(page: Page, before: int) -> None:
    page.wait_for_function(
        "before => Number(document.querySelector('#felt input[name=version]').value) > before",
        arg=before,
    )
    page.wait_for_selector(".table-panel.your-turn, .finished")


def take_turn(page: Page) -> None:
    """The first that may be done: a play, a hidden card, the pile."""
    before = version(page)
    free = page.locator(f"{BOXES}:not(.is-barred)")
    if page.locator("#play").count():
        free.first.click(position=EDGE)
        page.locator("#play").click()
    elif page.locator("button.sh-slot").count():
        page.locator("button.sh-slot").first.click()
    else:
        page.locator("#pickup").click()
    moved(page, before)


def at_table(visit, players: int = 2, max_turns: int = 5000, **options: object) -> Page:
    page = visit("/new?game=shithead", **options)
    page.get_by_label("Players").fill(str(players))
    page.get_by_label("Players").blur()
    expect(page.get_by_label(f"Seat {players}: Who")).to_be_visible()
    page.get_by_text("More options").click()
    page.get_by_label("Turns of a game at most").fill(str(max_turns))
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".table-panel.your-turn")
    return page


def ready(page: Page) -> None:
    before = version(page)
    page.locator("#ready").click()
    moved(page, before)


def test_a_hand_card_and_a_top_card_change_places(visit):
    """The second click swaps; the page is not loaded again."""
    page = at_table(visit)
    given = page.locator(f"{HAND} input").first.get_attribute("value")
    taken = page.locator(f"{TOPS} input").last.get_attribute("value")
    page.locator(HAND).first.click(position=EDGE)
    page.locator(TOPS).last.click()
    expect(page.locator(f"{TOPS} input[value='{given}']")).to_have_count(1)
    expect(page.locator(f"{HAND} input[value='{taken}']")).to_have_count(1)
    expect(page.locator(f"{BOXES} input:checked")).to_have_count(0)


def test_a_game_to_its_shed(visit):
    page = at_table(visit, max_turns=16)
    ready(page)
    while not page.locator(".finished").count():
        take_turn(page)
    expect(page.locator(".sh-ending .is-shed")).to_contain_text("the shed")
    expect(page.locator(".sh-ending li")).to_have_count(2)


def test_only_equal_cards_are_chosen_together(visit):
    page = at_table(visit)
    ready(page)
    first = page.locator(f"{BOXES}:not(.is-barred)").first.locator("input")
    rank = first.get_attribute("data-rank")
    equal = page.locator(f"{BOXES} input[data-rank='{rank}']")
    for _ in range(equal.count()):
        page.keyboard.press("0" if rank == "T" else rank)
    expect(page.locator(f"{BOXES} input:checked")).to_have_count(equal.count())
    expect(page.locator("#play")).to_contain_text("Play ")
    before = version(page)
    page.keyboard.press("Enter")
    moved(page, before)
    assert version(page) > before


def test_a_card_that_may_not_be_played_says_why(visit):
    page = at_table(visit)
    ready(page)
    while not page.locator(f"{BOXES}.is-barred").count():
        take_turn(page)
    barred = page.locator(f"{BOXES}.is-barred").first
    barred.click(position=EDGE)
    why = barred.locator("input").get_attribute("data-why") or ""
    expect(page.locator("#why")).to_have_text(why)
    expect(barred.locator("input")).not_to_be_checked()


@pytest.mark.parametrize("players", [2, 5, 18])
def test_on_a_phone(visit, players):
    """Every seat is named, nothing sticks out, the own cards and the button are seen at once."""
    phone = {"width": 360, "height": 740}
    page = at_table(visit, players, viewport=phone, has_touch=True, is_mobile=True)
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"]
    tiles = page.locator(".sh-seat")
    assert tiles.count() == players - 1
    assert all(name.strip() for name in page.locator(".sh-seat .sh-name").all_inner_texts())
    for shown in (page.locator(".sh-mine"), page.locator(".sh-go button").first):
        box = shown.bounding_box()
        assert box["y"] + box["height"] <= phone["height"]
    box = page.locator(".sh-mine .playing-card").first.bounding_box()
    assert box["width"] >= 34


def test_without_javascript(visit):
    page = visit("/new?game=shithead", java_script_enabled=False)
    page.get_by_role("button", name="Start").click()
    page.locator("#ready").click()
    page.wait_for_selector(".table-panel.your-turn #plays")
    page.locator(f"{BOXES}:not(.is-barred)").first.click(position=EDGE)
    before = version(page)
    page.locator("#play").click()
    page.wait_for_selector(".table-panel.your-turn")
    assert version(page) > before

"""Shithead in a browser: cards are chosen by click, thumb and key, and refused with a reason."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.felts import STILL
from tests.e2e.test_playing import version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser

BOXES = ".sh-mine label.pick"
HAND = ".sh-hand label.pick"
TOPS = ".sh-top-row label.pick"
EDGE = {"x": 8, "y": 20}  # what an equal card beside it leaves in sight


IN_SIGHT = """shown => shown.every((each) => {
  const box = document.querySelector(each)?.getBoundingClientRect();
  return box?.height && box.bottom <= innerHeight;
})"""
MOVES_BY_KEY = 8
OUT = ".sh-mine .sh-mark:text('out, place')"


def moved(page: Page, before: int) -> None:
    wait_for_news(page, before)
    page.wait_for_function(STILL)  # that news may be a rival's, while the own move is on its way
    wait_for_my_turn(page)


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
    wait_for_my_turn(page)
    return page


def ready(page: Page, *, by_key: bool = False) -> None:
    """A rival who is ready in the same moment comes first; then it is said again."""
    while page.locator("[data-exchange]").count():
        before = version(page)
        page.keyboard.press("r") if by_key else page.locator("#ready").click()
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
    equal = page.locator(f"{BOXES}:not(.is-barred) input[data-rank='{rank}']")
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


def test_the_list_of_plays_plays(visit):
    """Its buttons stand beside the felt: on the page as it came, and after it was replaced."""
    page = at_table(visit)
    ready(page)
    for _ in range(3):
        if not page.locator("#play").count():
            break
        page.locator("#plays").evaluate("plays => plays.open = true")
        before = version(page)
        page.locator("#plays button[name=move]").first.click()
        wait_for_news(page, before)
        expect(page.locator(".messages .error")).to_have_count(0)
        wait_for_my_turn(page)
    page.reload()
    before = version(page)
    button = page.locator("#plays button[name=move], #pickup, button.sh-slot").first
    page.locator("#plays").evaluate("plays => plays.open = true")
    button.click()
    wait_for_news(page, before)


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
    page.wait_for_function(IN_SIGHT, arg=[".sh-mine", ".sh-go button", ".sh-mine .playing-card"])
    page.wait_for_function(
        "() => document.querySelector('.sh-mine .playing-card').getBoundingClientRect().width >= 34"
    )


def tab_to(page: Page, element: str) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", element):
            return
    raise AssertionError(f"The Tab key does not lead to {element}.")


def take_turn_by_keys(page: Page) -> None:
    before = version(page)
    free = page.locator(f"{BOXES}:not(.is-barred) input")
    if page.locator("#play").count():
        rank = free.first.get_attribute("data-rank")
        page.keyboard.press("0" if rank == "T" else rank)
        expect(page.locator(f"{BOXES} input:checked").first).to_be_attached()
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("1" if page.locator("button.sh-slot").count() else "p")
    wait_for_news(page, before)


def test_four_seats_by_keyboard_alone(visit):
    """From the form of the match into its middle; no pointer is touched."""
    page = visit("/new?game=shithead")
    tab_to(page, "#id_players")
    page.keyboard.press("Control+a")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Seat 4: Who")).to_be_visible()
    tab_to(page, "#new-match .buttons button")
    page.keyboard.press("Enter")
    wait_for_my_turn(page)
    page.evaluate("addEventListener('pointerdown', () => (window.touched = true), true)")
    expect(page.locator(".sh-seat")).to_have_count(3)
    ready(page, by_key=True)
    for _ in range(MOVES_BY_KEY):
        take_turn_by_keys(page)
        page.wait_for_selector(f".table-panel.your-turn, .finished, {OUT}")
        if page.locator(f".finished, {OUT}").count():
            break
    expect(page.locator("#said")).not_to_be_empty()
    assert not page.evaluate("window.touched")


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

"""Pazaak's table in a real browser: choices, keys, a phone, one device, no JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_playing import version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
CARD = ".held button[name=move]"
STEP = ".moves button[name=move]"
FINISHED = ".finished"
ROUND_OVER = "#round-ending, .finished"


def quick(visit, **options: object) -> Page:
    page = visit(**options)
    page.get_by_role("button", name="Play Pazaak against the computer").click()
    wait_for_my_turn(page)
    return page


def press(page: Page, button) -> None:
    """Presses and waits for the new version."""
    before = version(page)
    button.click()
    page.wait_for_function(
        "before => Number(document.querySelector('#felt input[name=version]')?.value ?? 1e9)"
        " > before",
        arg=before,
    )


def step(page: Page, move: str):
    return page.locator(f"{STEP}[value={move}]")


def total(page: Page) -> int:
    text = page.locator(".pazaak-side:not(.is-far) .pazaak-total").inner_text()
    return int(text.split()[-1].replace("−", "-"))


def turn(page: Page) -> None:
    """One decision as a careful player would take it."""
    if step(page, "draw").count():
        return press(page, step(page, "stand" if total(page) >= 17 else "draw"))
    mending = page.locator(f"{CARD}:has(.leads:not(.is-bust))")
    if total(page) > 20 and mending.count():
        return press(page, mending.first)
    return press(page, step(page, "pass" if step(page, "pass").count() else "end"))


def play_out(page: Page, decisions: int = 200) -> None:
    for _ in range(decisions):
        wait_for_my_turn(page)
        if page.locator(FINISHED).count():
            return
        turn(page)
    raise AssertionError("The match did not end.")


def craft(page: Page, cards: str) -> None:
    page.goto(f"/decks/new?cards={cards}")
    page.get_by_label("Name").fill("Choices")
    page.locator(".editor-name").get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_contain_text("Choices")


def start(page: Page, rival: str = "bot:gambler", preset: str = "", deck: str = "") -> None:
    page.goto(f"/new?game=pazaak&preset={preset}&seat-1-who={rival}")
    if deck:
        page.locator("select[name=side_deck]").select_option(label=deck)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-pazaak")


def test_a_whole_match(visit):
    """The page is loaded once; how a round ended is said; the pips tell who has won."""
    page = visit("/")
    start(page, "bot:beginner")
    wait_for_my_turn(page)
    page.evaluate("window.loadedOnce = true")
    play_out(page)
    expect(page.locator(".finished-who")).to_contain_text("You ")
    wins = page.locator(".pazaak-side").evaluate_all(
        "sides => sides.map(side => side.querySelectorAll('.pip.is-lit').length)"
    )
    assert max(wins) == 2
    assert page.evaluate("window.loadedOnce")


def test_a_card_with_a_choice_leads_where_its_button_says(visit):
    page = visit("/")
    craft(page, "+".join(["PM3"] * 5 + ["PM12"] * 5))
    start(page, deck="Choices (default)")
    wait_for_my_turn(page)
    press(page, step(page, "draw"))
    expect(page.locator(CARD).first).to_be_visible()
    choice = page.locator(f"{CARD}[aria-keyshortcuts='2']").first
    said = int(choice.locator(".leads").inner_text().removeprefix("= ").replace("−", "-"))
    label = choice.get_attribute("aria-label") or ""
    assert str(said).replace("-", "−") in label.replace("-", "−")
    before = version(page)
    page.keyboard.press("2")
    wait_for_news(page, before)
    wait_for_my_turn(page)
    expect(page.locator(".news")).to_contain_text(f": {said}.".replace("-", "−"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(visit, scheme):
    """Nothing sticks out; the turn's buttons are in the window, with eight cards in hand too."""
    page = quick(visit, viewport=PHONE, has_touch=True, is_mobile=True, color_scheme=scheme)
    for _ in range(12):
        wait_for_my_turn(page)
        if page.locator(FINISHED).count():
            break
        assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
        boxes = [button.bounding_box() for button in page.locator(STEP).all()]
        assert all(box["height"] >= 40 for box in boxes)
        assert all(box["y"] + box["height"] <= PHONE["height"] for box in boxes)
        turn(page)


def test_two_at_one_device(visit):
    """The original rules; no hand is on the page until its owner says that they are there."""
    page = visit("/")
    start(page, rival="local", preset="kotor2")
    for _ in range(4):
        handover = page.locator(".handover")
        expect(handover).to_contain_text("Pass the device to")
        expect(page.locator(CARD)).to_have_count(0)
        expect(page.locator(".pazaak-hand .is-back")).to_have_count(4)
        assert page.locator(".pazaak-hand [data-card]").count() == 0
        handover.get_by_role("button").click()
        expect(page.locator(".pazaak-hand [data-card]")).to_have_count(4)
        expect(step(page, "stand")).to_be_visible()
        press(page, step(page, "end"))


def test_two_browsers_with_decks_crafted_there(visit):
    """Each brings a deck of its own making; a round is played to its end."""
    home, away = visit("/"), visit("/")
    craft(home, "+".join(["PM1"] * 5 + ["PM2"] * 5))
    craft(away, "+".join(["PM3"] * 5 + ["PM4"] * 5))
    start(home, rival="open", deck="Choices (default)")
    away.goto(home.locator("#address").input_value())
    away.locator("select[name=side_deck]").select_option(label="Choices (default)")
    away.get_by_role("button", name="Sit down here").click()
    home.wait_for_selector("#felt")
    away.wait_for_selector("#felt")
    assert hand_codes(home) <= {"PM1", "PM2"}
    assert hand_codes(away) <= {"PM3", "PM4"}
    home.wait_for_selector(".table-panel.your-turn, [data-waits-for=others]")
    acting, waiting = (home, away) if home.locator(".your-turn").count() else (away, home)
    while not acting.locator(ROUND_OVER).count():
        if not acting.locator(".your-turn").count():
            acting, waiting = waiting, acting
        wait_for_my_turn(acting)
        if not acting.locator(ROUND_OVER).count():
            turn(acting)
    for page in (acting, waiting):
        expect(page.locator(ROUND_OVER).first).to_be_attached()
        expect(page.locator(".pazaak-totals b")).to_have_count(2)


def hand_codes(page: Page) -> set[str]:
    cards = page.locator(".pazaak-hand [data-card]")
    expect(cards).to_have_count(4)
    return set(cards.evaluate_all("cards => cards.map(card => card.dataset.card)"))


def test_who_watches_sees_both_boards_and_no_hand(visit):
    page = quick(visit)
    press(page, step(page, "draw"))
    watcher = visit(page.url)
    expect(watcher.locator(".pazaak-side")).to_have_count(2)
    expect(watcher.locator(".pazaak-hand")).to_have_count(0)
    expect(watcher.locator("button[name=move]")).to_have_count(0)
    expect(watcher.locator(".pazaak-side").last).to_contain_text("in hand")


def test_a_cheater_is_called_one(visit):
    page = visit("/")
    start(page, rival="bot:cheater")
    wait_for_my_turn(page)
    expect(page.locator(".pazaak-side.is-far")).to_contain_text("cheats:")
    expect(page.locator(".about")).to_contain_text("anybody with the address may watch")


def test_a_round_is_loaded_with_new_cards_or_the_same(visit):
    """The same deal comes back with the same cards; both are explained before."""
    page = quick(visit)
    hand = page.locator(".pazaak-hand [data-card]")
    dealt = hand.evaluate_all("cards => cards.map(card => card.dataset.card)")
    for _ in range(3):
        wait_for_my_turn(page)
        turn(page)
    first = page.url
    page.locator("#saves summary").click()
    expect(page.locator("#saves")).to_contain_text("shuffled again")
    page.get_by_label("Round 1", exact=False).first.check()
    page.get_by_role("button", name="Load with the same cards").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator(".about")).to_contain_text("continued from")
    assert hand.evaluate_all("cards => cards.map(card => card.dataset.card)") == dealt


def test_without_javascript(visit):
    page = visit(java_script_enabled=False)
    page.get_by_role("button", name="Play Pazaak against the computer").click()
    for _ in range(2):
        page.wait_for_selector(".table-panel.your-turn")
        step(page, "draw").click()
        page.wait_for_selector(".table-panel.your-turn")
        if step(page, "pass").count():
            step(page, "pass").click()

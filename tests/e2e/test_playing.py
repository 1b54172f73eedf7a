"""A stranger plays: by mouse, by thumb, by keyboard, beside somebody, without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
every_browser = pytest.mark.every_browser

HAND = "button.playing-card"
NEWS = ".news li"


def version(page: Page) -> int:
    return int(page.locator("#felt input[name=version]").get_attribute("value") or -1)


def wait_for_my_turn(page: Page) -> None:
    page.wait_for_selector(".table-panel.your-turn, .finished")
    page.wait_for_load_state()  # the table's, with its scripts: before it, the page was another


def wait_for_news(page: Page, before: int) -> None:
    """Until the page shows what came after this version."""
    page.wait_for_function(
        "before => Number(document.querySelector('#felt input[name=version]').value) > before",
        arg=before,
    )


def play_first(page: Page) -> None:
    wait_for_my_turn(page)
    before = version(page)
    page.locator(HAND).first.click()
    wait_for_news(page, before)


def test_one_click_and_a_whole_deal(visit):
    """One deal: the computer's answers appear by themselves; the page is loaded once."""
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    expect(page.locator(HAND)).to_have_count(4)
    page.evaluate("window.loadedOnce = true")
    while not page.locator(".finished").count():
        play_first(page)
        wait_for_my_turn(page)
    assert page.evaluate("window.loadedOnce")
    assert version(page) >= 48
    scores = page.locator(".sheet tbody tr").last
    expect(scores).to_contain_text("1")
    assert all(cell.isdigit() for cell in scores.locator("td").all_inner_texts())


@every_browser
def test_reloading_keeps_the_state(visit):
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    for _ in range(2):
        play_first(page)
        wait_for_my_turn(page)
    hand = page.locator(HAND).evaluate_all("cards => cards.map(card => card.value)")
    news = page.locator(NEWS).all_inner_texts()
    page.reload()
    assert page.locator(HAND).evaluate_all("cards => cards.map(card => card.value)") == hand
    assert page.locator(NEWS).all_inner_texts() == news


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(visit, scheme):
    """360 px wide: nothing sticks out, hand and pile are seen at once, cards fit a thumb."""
    phone = {"width": 360, "height": 740}
    page = visit(viewport=phone, has_touch=True, is_mobile=True, color_scheme=scheme)
    page.get_by_role("button", name="Play Pişti now").tap()
    page.wait_for_selector(HAND)
    for path in (page.url, "/", "/lobby", "/new", "/new?game=shithead", "/games/pisti/rules"):
        page.goto(path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= phone["width"], path
    page.go_back()
    page.goto("/lobby")
    page.locator(".listing").first.tap()
    wait_for_my_turn(page)
    boxes = [card.bounding_box() for card in page.locator(HAND).all()]
    assert len(boxes) == 4
    assert all(box["width"] >= 44 for box in boxes)
    assert all(box["y"] + box["height"] <= phone["height"] for box in boxes)
    page.locator(HAND).nth(2).tap()
    page.wait_for_selector(f".table-panel.your-turn {HAND}:nth-child(3)")
    expect(page.locator(HAND)).to_have_count(3)


@every_browser
def test_by_keyboard_alone(visit):
    """From the landing page; the focus stays in the hand, digits and arrows play."""
    page = visit()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play Pişti now":
            break
    page.keyboard.press("Enter")
    wait_for_my_turn(page)
    shown = version(page)
    page.keyboard.press("3")
    wait_for_news(page, shown)
    wait_for_my_turn(page)
    expect(page.locator(HAND)).to_have_count(3)
    focused = page.locator(f"{HAND}:focus")
    expect(focused).to_have_count(1)
    before = focused.get_attribute("value")
    page.keyboard.press("ArrowLeft")
    assert focused.get_attribute("value") != before
    page.keyboard.press("Enter")
    expect(page.locator(HAND)).to_have_count(2)
    expect(page.locator("#said")).not_to_be_empty()
    outline = page.locator(f"{HAND}:focus").evaluate("card => getComputedStyle(card).outlineStyle")
    assert outline == "solid"


PRESS_AT_ONCE = """() => {
  window.loadedOnce = true;
  let pressed = false;
  document.addEventListener("htmx:afterSwap", () => Promise.resolve().then(() => {
    const card = pressed ? null : document.querySelector("button.playing-card");
    pressed ||= Boolean(card);
    card?.click();
  }));
}"""


@every_browser
def test_a_press_at_the_moment_of_a_swap_is_sent_like_any_other(visit):
    """The new form is bound at once: one that is not would load the whole page."""
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.evaluate(PRESS_AT_ONCE)
    page.locator(HAND).first.click()
    expect(page.locator(HAND)).to_have_count(2)
    assert page.evaluate("window.loadedOnce")


@every_browser
def test_two_at_one_device(visit):
    """The hand is nowhere in the page until its owner says that they are there."""
    page = visit("/new")
    page.get_by_label("Seat 2: Who").select_option("local")
    page.get_by_label("Seat 2: Name").fill("Ann")
    page.get_by_role("button", name="Start").click()
    for _ in range(3):
        handover = page.locator(".handover")
        expect(handover).to_contain_text("Pass the device to")
        expect(page.locator(HAND)).to_have_count(0)
        assert page.locator(".hand-row [data-card]:not([data-card=''])").count() == 0
        who = page.locator(".handover-who strong").inner_text()
        handover.get_by_role("button").click()
        expect(page.locator(".headline")).to_contain_text(f"{who}, your turn")
        before = version(page)
        page.locator(HAND).first.click()
        expect(handover).not_to_contain_text(f"Pass the device to {who}")
        assert version(page) == before + 1


def test_without_javascript(visit):
    """Forms alone; the page loads itself again while the computer is to answer."""
    page = visit(java_script_enabled=False)
    page.get_by_role("button", name="Play Pişti now").click()
    for left in (3, 2, 1):
        page.locator(f".table-panel.your-turn {HAND}").first.click()
        page.wait_for_selector(".table-panel.your-turn")
        expect(page.locator(HAND)).to_have_count(left)


def test_the_form_follows_the_game_and_keeps_what_was_typed(visit):
    page = visit("/new")
    page.get_by_label("Seat 2: Who").select_option("local")
    page.get_by_label("Seat 2: Name").fill("Ann")
    page.get_by_label("Players").fill("3")
    page.get_by_label("Players").blur()
    expect(page.get_by_label("Seat 3: Who")).to_be_visible()
    expect(page.get_by_label("Seat 2: Name")).to_have_value("Ann")
    page.get_by_text("More options").click()
    page.get_by_text("Shithead", exact=True).first.click()
    expect(page.get_by_label("Threes do not stop a burn")).to_be_visible()
    assert "csrf" not in page.url


@every_browser
def test_a_rival_far_away_sees_the_move(visit):
    """Two browsers: who waits sees the other one's card without touching anything."""
    home = visit("/new")
    home.get_by_label("Seat 2: Who").select_option("open")
    home.get_by_role("button", name="Start").click()
    away = visit(home.locator("#address").input_value())
    away.get_by_role("button", name="Sit down here").click()
    expect(away.locator(".headline")).to_contain_text("Waiting for")
    wait_for_my_turn(home)
    card = home.locator(HAND).first.get_attribute("value")
    home.locator(HAND).first.click()
    wait_for_my_turn(away)
    expect(away.locator(f".pile [data-card='{card}']")).to_have_count(1)
    away.locator("#resign summary").click()
    away.get_by_role("button", name="Yes, resign").click()
    expect(home.locator(".finished-who")).to_have_text("You won!")
    assert home.title().startswith("You won!")

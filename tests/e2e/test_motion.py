"""Cards move: what happened is played over the newest state, and a press ends it."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.felts import STILL, said, shown
from tests.e2e.test_moments import NOTE_FLIGHTS
from tests.e2e.test_playing import HAND, version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser


def test_a_card_flies_and_a_press_ends_the_motion(visit):
    page = visit(pace="calm")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.wait_for_function(STILL)  # the first deal is dealt
    before = version(page)
    page.evaluate(NOTE_FLIGHTS)
    page.locator(HAND).first.click()
    page.wait_for_function("() => flights > 1")  # the answer is played after the own card
    assert version(page) > before, "the felt is played on while cards still move"
    wait_for_my_turn(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator(".is-staged")).to_have_count(0)
    expect(page.locator(HAND)).to_have_count(3)


def test_a_press_lifts_its_card_at_once(visit):
    """In the task of the click: nothing waits for the server. `make lighthouse` prints times."""
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    lifts = "card => { card.click(); return card.matches('.is-sent'); }"
    assert page.locator(HAND).first.evaluate(lifts)


def test_motion_ends_by_itself_and_the_pace_is_remembered(visit):
    page = visit(pace="quick")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.wait_for_function(STILL)
    page.evaluate(NOTE_FLIGHTS)
    page.locator(HAND).first.click()
    page.wait_for_function("() => flights")
    expect(page.locator(".stage")).to_have_count(0)
    page.get_by_label("Off", exact=True).check()
    page.reload()
    expect(page.get_by_label("Off", exact=True)).to_be_checked()
    wait_for_my_turn(page)
    page.locator(HAND).first.click()
    wait_for_my_turn(page)
    expect(page.locator(".stage")).to_have_count(0)


FAILS = "() => void (Element.prototype.animate = () => { throw new Error('Provoked') })"
NEVER_ENDS = "() => void (Element.prototype.animate = () => ({ finished: new Promise(() => {}) }))"
# No motion is ended because it is late: only a press is left to end it.
NO_ALARM = """() => {
  const { setTimeout } = window;
  window.setTimeout = (step, due, ...more) => due > 2000 ? 0 : setTimeout(step, due, ...more);
}"""
FIRST_CARD = "document.querySelector('#felt button.playing-card').getBoundingClientRect().toJSON()"
PHONE = {"width": 390, "height": 844}


def at_table(visit, **options: object) -> Page:
    page = visit(**options)
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    return page


def match_of(page: Page) -> dict:
    return page.request.get(f"/api/v1/matches/{page.url.rsplit('/', 1)[-1]}").json()


def still_moving(visit, **options: object) -> Page:
    """It is the own turn, and the rival's card flies and does not land."""
    page = visit("/new?game=pisti&seat-1-who=open", pace="calm", **options)
    page.get_by_role("button", name="Start").click()
    rival = visit(page.locator("#address").input_value())
    rival.get_by_role("button", name="Sit down here").click()
    wait_for_my_turn(page)
    page.wait_for_selector("body[data-live=up]")
    page.locator(HAND).first.click()
    wait_for_my_turn(rival)
    page.wait_for_function(STILL)
    page.evaluate(NEVER_ENDS)
    page.evaluate(NO_ALARM)
    rival.locator(HAND).first.click()
    page.wait_for_selector(".is-staged.your-turn .stage .ghost")
    return page


@pytest.mark.parametrize("what", [FAILS, NEVER_ENDS], ids=["fails", "never ends"])
@pytest.mark.parametrize("pace", ["quick", "calm"])
def test_whatever_goes_wrong_the_felt_as_it_is_is_shown(visit, what, pace):
    page = at_table(visit, pace=pace, allowed="Provoked")
    page.evaluate(what)
    page.evaluate("window.reported = 0; addEventListener('error', () => reported++)")
    for _ in range(2):
        before = version(page)
        page.locator(HAND).first.click()
        wait_for_news(page, before)
        wait_for_my_turn(page)
        page.wait_for_function(STILL)  # an act is planned for less than a second
        expect(page.locator(f"#felt {HAND}").first).to_be_visible()
        assert shown(page, "pisti") == said(match_of(page))
    reported = page.evaluate("window.reported")
    assert bool(reported) == (what == FAILS), "a fault is hidden from nobody"


PRESSES = {
    "mouse": lambda page, x, y: page.mouse.click(x, y),
    "finger": lambda page, x, y: page.touchscreen.tap(x, y),
    "twice": lambda page, x, y: page.mouse.dblclick(x, y),
    "number": lambda page, x, y: page.keyboard.press("1"),
    "enter": lambda page, x, y: page.keyboard.press("Enter"),
    "space": lambda page, x, y: page.keyboard.press(" "),
    "held": lambda page, x, y: [page.keyboard.down("Enter") for _ in range(4)],
}


@pytest.mark.parametrize("press", PRESSES)
def test_a_press_while_cards_move_shows_the_felt_and_plays_nothing(visit, press):
    """Who pressed saw an older felt; the next press plays."""
    page = still_moving(visit, viewport=PHONE, has_touch=press == "finger")
    moved, box = version(page), page.evaluate(FIRST_CARD)
    PRESSES[press](page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".stage, .is-staged")).to_have_count(0)
    page.wait_for_timeout(400)  # a move would be played by now
    wait_for_my_turn(page)
    match = match_of(page)
    assert (match["version"], len(match["view"]["hand"])) == (moved, 3)
    assert shown(page, "pisti") == said(match)
    page.keyboard.up("Enter")
    page.keyboard.press("1")
    wait_for_news(page, moved)
    assert len(match_of(page)["view"]["hand"]) == 2


def test_typing_beside_the_felt_ends_no_motion(visit):
    page = still_moving(visit)
    page.evaluate("document.getElementById('report').open = true")
    field = page.locator("#report input[name=text]")
    field.focus()
    page.keyboard.type("1a")
    expect(page.locator(".stage")).to_have_count(1)
    expect(field).to_have_value("1a")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 640)])
def test_the_hand_keeps_its_place(visit, size):
    """Nothing scrolls and the hand, held as a fan, stands still from move to move."""
    width, height = size
    # While a card still rises under the pointer, the driver of the browser scrolls to it.
    page = visit(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.wait_for_load_state()  # with its style sheets
    tops = set()
    for _ in range(3):
        boxes = [card.bounding_box() for card in page.locator(HAND).all()]
        tops.add(round(page.locator("#felt .hand > .hand-row").bounding_box()["y"]))
        assert all(box["y"] + box["height"] <= height for box in boxes)
        before = version(page)
        page.locator(HAND).first.click()
        wait_for_news(page, before)
        wait_for_my_turn(page)
    assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert page.evaluate("document.documentElement.scrollHeight") <= height

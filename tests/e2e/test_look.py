"""How pages come up on a slow phone, and that the table lies as it should at every width.

The phone has Lighthouse's slow line (1.6 Mbit/s, 150 ms) and a quarter of the processor. How soon
it shows a page `make lighthouse` prints. Where a test compares times, the best of some loads
counts, and there are more of them until one is soon enough: a machine that does other things at the
same time is no slower phone.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.e2e.felts import STILL
from tests.e2e.test_playing import HAND, version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER = 4
LOADS, MOST_LOADS = 4, 12
CLS = 0.02  # share of the window
NOTE_PAINTS = """
  window.paints = { largest: 0, element: "", shifted: 0, shifts: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      paints.largest = entry.startTime;
      paints.first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      paints.element = entry.element?.outerHTML.slice(0, 80) ?? "";
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      paints.shifted += entry.value;
      paints.shifts.push(entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join());
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
AT_ONCE = 50  # milliseconds after the first paint: the largest thing is there with it
QUIET = 1200  # milliseconds in which a page may still shift


def slow_down(page: Page) -> CDPSession:
    """From now on it is a slow phone that has never been here."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


Load = TypeVar("Load")


def loads(load: Callable[[], Load], is_soon: Callable[[Load], bool]) -> list[Load]:
    """Some, and more of them until one is soon enough."""
    found = [load() for _ in range(LOADS)]
    while not any(map(is_soon, found)) and len(found) < MOST_LOADS:
        found.append(load())
    return found


def painted(page: Page, path: str) -> dict[str, Any]:
    session = slow_down(page)
    page.goto(path, wait_until="load")
    page.wait_for_function("() => paints.largest")
    page.wait_for_timeout(QUIET)
    found = page.evaluate("paints")
    session.detach()
    return found


@pytest.mark.parametrize("place", ["landing", "table"])
def test_nothing_moves_while_a_slow_phone_loads_a_page(visit, place):
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    path = "/"
    if place == "table":
        page.get_by_role("button", name="Play Pişti now").tap()
        wait_for_my_turn(page)
        path = page.url
    page.context.add_init_script(NOTE_PAINTS)
    for _ in range(LOADS):
        found = painted(page, path)
        assert found["shifted"] <= CLS, found


def test_the_first_deal_moves_nothing_but_cards(visit):
    """A slow phone opens a match: the page is there soon, and stands still around the cards."""
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True, pace="quick")
    page.context.add_init_script(NOTE_PAINTS)

    def opened() -> dict[str, Any]:
        page.goto("/")
        page.evaluate("sessionStorage.clear()")
        slow_down(page)
        page.get_by_role("button", name="Play Pişti now").tap()
        page.wait_for_selector("#felt")
        page.wait_for_function("() => !document.querySelector('.stage, .is-opening')")
        page.wait_for_function("() => paints.largest")
        page.wait_for_timeout(QUIET)
        return page.evaluate("paints")

    found = loads(opened, lambda load: load["largest"] - load["first"] <= AT_ONCE)
    for load in found:
        first, largest = load["first"], load["largest"]
        print(f"\nfirst deal: {first:.0f}, {largest:.0f} ms, {load['element']}, {load['shifts']}")
    assert min(load["largest"] - load["first"] for load in found) <= AT_ONCE, found
    assert max(load["shifted"] for load in found) <= CLS, found


@pytest.mark.parametrize("width", [390, 1280, 1920])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_pile_is_the_middle_of_the_table(visit, width, seats):
    """It is the one focal point: in the middle, nearly half as large again as the hand."""
    page = visit(f"/new?game=pisti&players={seats}", viewport={"width": width, "height": 844})
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    felt, pile, hand = (
        page.locator(query).first.bounding_box()
        for query in ("#felt", ".pile-cards", "#felt .hand > .hand-row")
    )
    middle = felt["x"] + felt["width"] / 2
    assert abs(pile["x"] + pile["width"] / 2 - middle) <= 6
    assert abs(hand["x"] + hand["width"] / 2 - middle) <= 6
    empty = hand["y"] - (pile["y"] + pile["height"])
    above = pile["y"] - page.locator("#felt .seats > li").last.bounding_box()["y"]
    assert max(empty, 0) < 250
    assert above < 420
    card = page.locator(HAND).nth(1).evaluate("card => card.offsetWidth")
    assert page.locator(".pile .top").evaluate("card => card.offsetWidth") >= 1.4 * card
    assert hand["y"] + hand["height"] <= 844


SEATS = [("pisti", 2), ("pisti", 4), ("pazaak", 2), ("shithead", 2), ("shithead", 4),
         ("shithead", 8), ("pyanitsa", 2), ("pyanitsa", 4), ("pyanitsa", 8)]  # fmt: skip
USUAL = [(1280, 800), (1280, 720), (1366, 768), (1440, 900), (1920, 1080)]


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_a_usual_window_shows_the_whole_table(visit, game, seats):
    """As it is dealt, and after some moves: nobody scrolls to the buttons or to the own plate."""
    page = visit(f"/new?game={game}&players={seats}")
    page.get_by_role("button", name="Start").click()
    for _ in range(4):
        wait_for_my_turn(page)
        assert_all_fits(page)
        before = version(page)
        play_any(page)
        wait_for_news(page, before)


MAY_STICK_OUT = 4  # pixels: half of the felt's own padding


@pytest.mark.parametrize(("seats", "disputes"), [(4, 1), (4, 2), (4, 3), (8, 1), (8, 2)])
def test_disputes_of_a_trick_fit_a_usual_window(visit, seats, disputes):
    """A trick with disputes is rare: the circle that lies there is laid once more for each, and
    the first one is explained.
    """
    page = visit(f"/new?game=pyanitsa&players={seats}")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.evaluate(LAY_DISPUTES, disputes)
    page.evaluate(EXPLAIN)
    assert_all_fits(page)


SAY_MUCH = """() => {
  const said = (query, text, name) => document.querySelector(query).insertAdjacentHTML(
    "afterend", `<p class="${name}">${text}</p>`);
  said(".sh-pile-rule", "None of your cards may be played.", "sh-hint sh-cannot");
  document.querySelectorAll(".sh-story").forEach((each) => each.remove());
  said(".sh-table", "Beginner 2 plays 10♥ and burns the pile of 12 cards. Beginner 2 plays 4♦ 4♣.",
    "sh-story");
}"""


def test_a_long_turn_and_a_hand_that_may_not_be_played_fit_a_usual_window(visit):
    page = visit("/new?game=shithead&players=4")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.locator("#ready").click()
    page.wait_for_selector("#felt .sh-pile")
    wait_for_my_turn(page)
    page.evaluate(SAY_MUCH)
    assert_all_fits(page)


def assert_all_fits(page: Page) -> None:
    for width, height in USUAL:
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate(
            "[felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth]"
        )
        assert max(over) <= MAY_STICK_OUT, (width, height, over)


LAY_DISPUTES = """count => {
  const circle = document.querySelector("#felt .py-level");
  for (let n = 0; n < count; n++) {
    const dispute = circle.cloneNode(true);
    dispute.classList.add("is-dispute");
    dispute.querySelectorAll("li:nth-child(n + 3)").forEach((lay) => lay.remove());
    dispute.insertAdjacentHTML("afterbegin", "<h2>Dispute</h2>");
    circle.parentNode.append(dispute);
  }
}"""


EXPLAIN = """() => {
  document.querySelector("#felt .coach")?.remove();
  document.querySelector("#felt .py-you").insertAdjacentHTML("beforebegin", `<p class="coach">
    <span>Equal cards: the next ones decide who takes everything.</span>
    <a class="button quiet">Learn</a> <button class="quiet">×</button></p>`);
}"""


def play_any(page: Page) -> None:
    """A move that may be made, as somebody does who only clicks on."""
    page.evaluate("""() => document.querySelector(
      ".sh-buttons button:enabled, #felt button[name=move]:enabled").click()""")


def test_eighteen_seats_are_read_on_a_phone(visit):
    page = visit("/new?game=shithead&players=18", viewport=PHONE)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".sh-seat")
    names = page.locator(".sh-seat .sh-name").all()
    assert len(names) == 17
    sizes = [name.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") for name in names]
    assert min(sizes) >= 12
    assert page.evaluate("felt.scrollWidth - felt.clientWidth") <= 1


def test_four_cards_fan_across_a_phone(visit):
    page = visit(viewport=PHONE)
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    boxes = [card.bounding_box() for card in page.locator(HAND).all()]
    assert max(box["x"] + box["width"] for box in boxes) - min(box["x"] for box in boxes) >= 330
    shown = [after["x"] - box["x"] for box, after in pairwise(boxes)]
    assert min(shown) >= 44, "a thumb's width of every card is seen"


def test_a_ring_runs_out_around_the_face_of_who_is_to_play(visit):
    page = visit("/new?game=pisti&turn_seconds=20")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.evaluate("""() => {
      window.ticked = [];
      document.addEventListener("clock:tick", ({ detail }) => ticked.push(detail.second));
    }""")
    left = page.locator(".slot-hand .ring .ring-left")
    expect(left).to_have_count(1)
    offset = "ring => parseFloat(getComputedStyle(ring).strokeDashoffset)"
    before = left.evaluate(offset)
    page.wait_for_function("() => ticked.length >= 3")
    assert left.evaluate(offset) > before
    seconds = page.evaluate("ticked")
    assert seconds == sorted(seconds, reverse=True)
    expect(page.locator(".ring.is-last")).to_have_count(1)


def test_points_count_up_after_the_sweep(visit):
    """The number that is written is the new one as soon as nothing moves any more."""
    page = visit("/new?game=pyanitsa", pace="quick")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.evaluate("""() => {
      window.counted = [];
      new MutationObserver((all) => all.forEach(({ target }) =>
        target.matches?.(".is-counting") && counted.push(target.textContent)))
        .observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] });
    }""")
    for _ in range(12):
        before = version(page)
        page.locator("#flip").click()
        wait_for_news(page, before)
        page.wait_for_function(STILL)
        if page.evaluate("counted.length"):
            break
    assert page.evaluate("counted.length")
    chips = page.locator("#felt [data-counts]")
    held = [int(text) for text in chips.all_inner_texts()]
    assert sum(held) <= 52
    assert all(chip.get_attribute("data-counts") for chip in chips.all())


def test_the_look_of_the_cards_changes_at_once_and_stays(visit):
    page = visit()
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    diamond = "getComputedStyle(document.documentElement).getPropertyValue('--suit-diamond')"
    before = page.evaluate(diamond)
    with page.expect_response("**/look"):
        page.get_by_label("Four colours").check()
    assert page.evaluate(diamond) != before
    page.reload()
    assert page.evaluate(diamond) != before


def test_the_table_on_the_landing_page_plays_and_lies_still(visit):
    page = visit()
    expect(page.locator("[data-hand='0'] .playing-card")).to_have_count(4)
    page.wait_for_function(
        "() => document.querySelectorAll(\"[data-hand='0'] .playing-card\").length < 4"
    )
    still = visit(reduced_motion="reduce")
    still.wait_for_timeout(3500)
    expect(still.locator("[data-hand='0'] .playing-card")).to_have_count(4)
    plain = visit(java_script_enabled=False)
    expect(plain.locator("[data-pile] .playing-card")).to_have_count(1)


def test_no_letter_waits_for_its_face(visit):
    """Both faces are there when the page is, in every language, and nothing else is asked for."""
    for language in ("en", "tr", "ru", "cs"):
        page = visit(locale=language)
        page.wait_for_load_state("networkidle")
        loaded = page.evaluate(
            "[...document.fonts].filter(each => each.status === 'loaded').length"
        )
        assert loaded >= 2, language
        fonts = page.evaluate(
            "performance.getEntriesByType('resource').map(each => each.name)"
            ".filter(name => name.endsWith('.woff2'))"
        )
        assert 2 <= len(fonts) <= (7 if language == "cs" else 4), language

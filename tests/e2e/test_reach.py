"""All that is needed for one's turn is on the screen at once: games × seats × sizes × states.

What may be pressed is inside the screen, no word is cut or broken, nothing lies over anything. The
states that a match comes to seldom are laid on the page that was served, as a template would draw
them: what is measured is the style.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.felts import STILL
from tests.e2e.test_look import play_any
from tests.e2e.test_playing import version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser

SCRIPT = (Path(__file__).parent / "reach.js").read_text()
SIZES = [(390, 844), (360, 640), (1280, 800)]
LAID = {
    "full-hand": """() => {
      const hand = document.querySelector(".sh-hand");
      const stack = hand.querySelector(".sh-stack");
      hand.className = "hand-row sh-hand sh-many";
      hand.dataset.scrolls = "";
      const cards = () => hand.querySelectorAll(".pick").length;
      while (cards() < 28) {
        const more = stack.cloneNode(true);
        if (cards() % 3) more.append(more.querySelector(".pick").cloneNode(true));
        hand.append(more);
      }
      const go = document.querySelector(".sh-go");
      if (!document.getElementById("pickup")) {
        go.insertAdjacentHTML("beforeend",
          '<button form="at-once" id="pickup" class="sh-second">Pick up the pile (21)</button>');
      }
    }""",
    "burned": """() => {
      document.querySelector(".sh-pile-cards").innerHTML =
        '<span class="playing-card is-empty sh-burnt"><span>burned</span></span>';
    }""",
    "dispute": """() => {
      const circle = document.querySelector("#felt .py-level");
      for (let n = 0; n < 2; n++) {
        const dispute = circle.cloneNode(true);
        dispute.classList.add("is-dispute");
        dispute.querySelectorAll("li:nth-child(n + 3)").forEach((lay) => lay.remove());
        dispute.insertAdjacentHTML("afterbegin", "<h2>Dispute</h2>");
        circle.parentNode.append(dispute);
      }
    }""",
}  # fmt: skip

FEW = [
    ("shithead", 18, "exchange"), ("shithead", 2, "full-hand"), ("shithead", 8, "full-hand"),
    ("pyanitsa", 8, "turn"), ("pyanitsa", 4, "dispute"), ("pazaak", 2, "turn"),
    ("pisti", 4, "turn"), ("pisti", 2, "ending"), ("pisti", 2, "played"),
]  # fmt: skip
ALL = [
    *((("pisti", seats, state)) for seats in (2, 3, 4) for state in ("turn", "ending")),
    *((("pazaak", 2, state)) for state in ("turn", "ending")),
    *(
        ("shithead", seats, state)
        for seats in (2, 3, 4, 5, 8, 10, 18)
        for state in ("exchange", "turn", "burned", "full-hand")
    ),
    ("shithead", 4, "ending"), ("shithead", 18, "ending"),
    *(
        ("pyanitsa", seats, state)
        for seats in (2, 3, 4, 6, 8)
        for state in ("turn", "dispute")
    ),
    ("pyanitsa", 8, "ending"), ("pisti", 2, "played"), ("pazaak", 2, "played"),
]  # fmt: skip


def play_out(page: Page) -> None:
    """With a best moment, causes and the offer of a whole match: the fullest ending."""
    wait_for_my_turn(page)
    while not page.locator(".finished").count():
        before = version(page)
        play_any(page)
        wait_for_news(page, before)
        wait_for_my_turn(page)
    page.wait_for_function(STILL)


def come_to(page: Page, game: str, seats: int, state: str) -> None:
    if state == "played":
        page.goto("/")
        page.locator(f"form[action$='/play/{game}'] button").first.click()
        play_out(page)
        return
    page.goto(f"/new?game={game}&players={seats}")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    if state == "ending":
        page.on("dialog", lambda dialog: dialog.accept())
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.locator("form[action$='/resign'] button, button[formaction$='/resign']").first.click()
        page.wait_for_selector(".finished", timeout=60_000)
    elif game == "shithead" and state != "exchange":
        page.locator("#ready").click()
        page.wait_for_selector("#felt .sh-pile")
        wait_for_my_turn(page)
    if state in LAID:
        page.evaluate(LAID[state])
    page.wait_for_function(STILL)


def faults(page: Page) -> list[str]:
    page.evaluate("() => { scrollTo(0, 0); document.getElementById('felt')?.scrollTo(0, 0); }")
    if not page.evaluate("() => !!window.outOfReach"):
        page.evaluate(SCRIPT)
    return page.evaluate("() => outOfReach()")


def assert_all_is_within_reach(page: Page, game: str, seats: int, state: str) -> None:
    come_to(page, game, seats, state)
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if wrong := faults(page):
            found[width, height] = wrong
    assert not found, found


@pytest.mark.parametrize(("game", "seats", "state"), FEW)
def test_a_turn_is_played_without_scrolling(visit, game, seats, state):
    assert_all_is_within_reach(visit(), game, seats, state)


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "seats", "state"), ALL)
def test_every_turn_is_played_without_scrolling(visit, game, seats, state):
    assert_all_is_within_reach(visit(), game, seats, state)


LONG_NAMES = """() => document.querySelectorAll("#felt .seats .sh-name").forEach((each, n) => {
  each.textContent = n % 2 ? "Мужественный Лосось" : "Professor Alexandria";
})"""


def test_long_names_are_whole_among_eight_in_a_low_window(visit):
    page = visit(viewport={"width": 1280, "height": 720})
    come_to(page, "shithead", 8, "exchange")
    page.evaluate(LONG_NAMES)
    assert not [each for each in faults(page) if not each.startswith("broken: ")]


STICKS_OUT = """() => {
  const [ending, felt] = [".finished", "#felt"].map((each) => document.querySelector(each));
  return ending.getBoundingClientRect().bottom - felt.getBoundingClientRect().bottom;
}"""


def test_an_ending_on_a_phone_goes_with_its_felt(visit):
    """It lies over nothing else of the page, and long words in it are whole."""
    page = visit(locale="ru", viewport={"width": 360, "height": 640})
    come_to(page, "pazaak", 2, "played")
    assert not faults(page)
    for y in (150, 400, 4000):
        page.evaluate("y => scrollTo(0, y)", y)
        assert page.evaluate(STICKS_OUT) <= 0


CUT_ON_CARDS = """() => [...document.querySelectorAll(".pazaak-card text")].filter((each) => {
  const card = each.closest(".pazaak-card").getBoundingClientRect();
  const words = each.getBoundingClientRect();
  return words.width && (words.left < card.left || words.right > card.right);
}).map((each) => each.textContent)"""


@pytest.mark.parametrize("language", ["en", "tr", "ru", "cs"])
def test_words_on_cards_are_whole(visit, language):
    page = visit("/decks/new", locale=language)
    page.evaluate("() => document.fonts.ready")
    assert page.locator(".pazaak-card .pc-caption").count()
    assert not page.evaluate(CUT_ON_CARDS)

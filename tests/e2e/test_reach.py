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
      for (const top of document.querySelectorAll(".sh-top-row label.pick")) {
        top.outerHTML = `<span class="pick">${top.querySelector(".playing-card").outerHTML}</span>`;
      }
      const go = document.querySelector(".sh-go");
      if (!document.getElementById("pickup")) {
        go.insertAdjacentHTML("beforeend",
          '<button form="at-once" id="pickup" class="sh-second">Pick up the pile (21)</button>');
      }
    }""",
    "told": """() => {
      const lay = (after, html) =>
        document.querySelector(after).insertAdjacentHTML("afterend", html);
      document.querySelectorAll("#felt :is(.sh-story, .coach, .sh-pile-rule > *)")
        .forEach((each) => each.remove());
      lay(".sh-table", `<p class="sh-story">Beginner 2 plays 10♥ and burns the pile of 12 cards.
        Beginner 2 plays 4♦ 4♣.</p>`);
      lay(".slot-hand > .sh-mine", `<p class="coach"><span>10♥ is the lowest card you may play;
        keep 2, 3 and 10 for later.</span> <a class="button quiet">Learn</a>
        <button class="quiet">×</button></p>`);
      const ranks = [..."23456789", "10", ..."JQKA★"].map((rank) => `<li>${rank}</li>`);
      document.querySelector("#felt .sh-pile-rule").innerHTML = `<span>May be played on
        <span class="chip">10♥</span>:</span> <ul class="sh-ranks">${ranks.join("")}</ul>`;
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
    ("shithead", 5, "told"), ("shithead", 6, "told"), ("shithead", 18, "told"),
    ("pyanitsa", 8, "turn"), ("pyanitsa", 4, "dispute"), ("pazaak", 2, "turn"),
    ("pisti", 4, "turn"), ("pisti", 2, "ending"), ("pisti", 2, "played"),
]  # fmt: skip
ALL = [
    *((("pisti", seats, state)) for seats in (2, 3, 4) for state in ("turn", "ending")),
    *((("pazaak", 2, state)) for state in ("turn", "ending")),
    *(
        ("shithead", seats, state)
        for seats in (2, 3, 4, 5, 6, 7, 8, 10, 18)
        for state in ("exchange", "turn", "told", "burned", "full-hand")
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


def play_now(page: Page, game: str) -> None:
    page.goto("/")
    page.locator(f"form[action$='/play/{game}'] button").first.click()
    wait_for_my_turn(page)


def come_to(page: Page, game: str, seats: int, state: str) -> None:
    if state == "played":
        play_now(page, game)
        play_out(page)
        return
    page.goto(f"/new?game={game}&players={seats}")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    if state == "ending":
        page.on("dialog", lambda dialog: dialog.accept())
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.locator("form[action$='/resign'] button, button[formaction$='/resign']").first.click()
        page.wait_for_selector(".finished")
    elif game == "shithead" and state != "exchange":
        page.locator("#ready").click()
        page.wait_for_selector("#felt .sh-pile")
        wait_for_my_turn(page)
    if state in LAID:
        page.evaluate(LAID[state])
    page.wait_for_function(STILL)


# What flies in a clip, and the label that leaps up beside it, are measured as they lie afterwards.
LIE_STILL = """() => {
  scrollTo(0, 0);
  document.getElementById("felt")?.scrollTo(0, 0);
  for (const each of document.getAnimations()) {
    if (!each.effect.target.closest(".clip")) continue;
    each.pause();
    each.currentTime = 1650;
  }
}"""


def faults(page: Page) -> list[str]:
    page.evaluate(LIE_STILL)
    if not page.evaluate("() => !!window.outOfReach"):
        page.evaluate(SCRIPT)
    return page.evaluate("() => outOfReach()")


def assert_all_is_within_reach(page: Page, game: str, seats: int, state: str) -> None:
    come_to(page, game, seats, state)
    assert_it_fits(page)


def assert_it_fits(page: Page) -> None:
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


RENAME = """name => {
  const own = document.querySelector(".account-name").textContent.trim();
  const words = document.createTreeWalker(document.getElementById("felt"), NodeFilter.SHOW_TEXT);
  while (words.nextNode())
    if (words.currentNode.data.trim() === own) words.currentNode.data = name;
}"""
GUESTS = {"tr": "Yürekli Tarlakuşu", "ru": "Элегантный Кролик", "cs": "Elegantní Králík"}


@pytest.mark.parametrize("language", GUESTS)
@pytest.mark.parametrize("game", ["pisti", "pazaak", "shithead", "pyanitsa"])
def test_long_words_fit_a_first_turn(visit, game, language):
    """Under a long one of the names that guests are given."""
    page = visit(locale=language)
    play_now(page, game)
    page.evaluate(RENAME, GUESTS[language])
    page.wait_for_function(STILL)
    assert_it_fits(page)


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

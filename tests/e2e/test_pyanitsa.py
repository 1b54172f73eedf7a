"""Pyanitsa in a browser: one key, one trick, the whole match; an order made by hand."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.felts import STILL
from tests.e2e.test_playing import version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser


def trick(page: Page) -> int:
    return int(page.locator("#felt input[name=trick]").get_attribute("value") or -1)


TRICKS_PLAYED = "Number(document.querySelector('.py-curve h2').textContent.match(/\\d+/)[0])"


def at_table(visit, more: dict[str, str] | None = None, **options: object) -> Page:
    page = visit("/new?game=pyanitsa", **options)
    if more:
        page.get_by_text("More options").click()
    for label, value in (more or {}).items():
        field = page.get_by_label(label)
        is_list = field.evaluate("field => field.tagName === 'SELECT'")
        field.select_option(value) if is_list else field.fill(value)
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.wait_for_function(STILL)  # the first deal is dealt
    return page


def test_enter_turns_a_card_up(visit):
    page = at_table(visit)
    for _ in range(3):
        before = version(page)
        page.keyboard.press("Enter")
        wait_for_news(page, before)
        page.wait_for_selector("#flip")
    expect(page.locator(".py-curve polyline")).to_have_count(2)


def test_the_whole_trick_and_no_more(visit):
    page = at_table(visit)
    before = trick(page)
    page.keyboard.press("t")
    page.wait_for_function(
        "n => Number(document.querySelector('#felt [name=trick]')?.value) > n", arg=before
    )
    page.wait_for_timeout(600)
    assert trick(page) == before + 1


def test_to_the_end_with_a_stop_in_between(visit):
    # Of the usual 10,000 tricks a match may take many; shown, 120 last longer than a press.
    page = at_table(visit, {"Tricks at most": "120"}, pace="quick")
    page.locator("#run-end").click()
    page.locator("#stop").click()
    page.wait_for_function("() => !document.querySelector('.htmx-request, .is-sent')")
    page.wait_for_selector(".table-panel.your-turn, .finished")
    stood = version(page)
    page.wait_for_timeout(700)
    assert version(page) == stood
    page.wait_for_selector(".table-panel.your-turn #run-end, .finished")
    if not page.locator(".finished").count():
        page.locator("#run-end").click()
    expect(page.locator(".finished-who")).not_to_be_empty()
    expect(page.locator("#stop")).to_be_hidden()


# Counts of the tricks on show: how many, for how many milliseconds by plan, whether Stop was there.
NOTE_TRICKS = """
  window.shown = { tricks: 0, planned: 0, cards: 0, began: 0, ended: 0, withoutStop: 0 };
  let seen = Number(document.querySelector("#table-panel").dataset.version);
  document.addEventListener("click", () => (shown.began ||= performance.now()), true);
  document.addEventListener("htmx:afterSwap", () => {
    const motions = document.querySelector("#motions")?.content.querySelectorAll("i") ?? [];
    for (const { dataset } of motions) {
      if (!(Number(dataset.version) > seen)) continue;
      if (["clear", "sweep"].includes(dataset.kind)) shown.tricks += 1;
      shown.planned += 0.4 * Number(dataset.milliseconds);
    }
    seen = Number(document.querySelector("#table-panel").dataset.version);
  });
  new MutationObserver((found) => {
    for (const { addedNodes } of found)
      for (const each of addedNodes) shown.cards += Number(each.classList?.contains("ghost") ?? 0);
    if (document.querySelector(".stage") && document.querySelector("#stop").hidden)
      shown.withoutStop += 1;
  }).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("table:still", () => (shown.ended = performance.now()));
"""


def test_to_the_end_shows_120_tricks_in_four_seconds(visit):
    """By plan: what the browser took is printed, as a busy machine takes longer."""
    page = at_table(visit, {"Tricks at most": "120"}, pace="quick")
    page.evaluate(NOTE_TRICKS)
    page.locator("#run-end").click()
    expect(page.locator(".finished-who")).to_be_visible()
    shown = page.evaluate("window.shown")
    took = shown["ended"] - shown["began"]
    print(f"\n{shown['tricks']} tricks, by plan {shown['planned']:.0f} ms, took {took:.0f} ms")
    assert shown["tricks"] == page.evaluate(TRICKS_PLAYED)
    assert shown["cards"] >= 2 * shown["tricks"]
    assert shown["planned"] <= 4000 / 120 * shown["tricks"]
    assert shown["withoutStop"] == 0


def test_the_order_of_a_trick_is_made_by_hand(visit):
    page = at_table(visit, {"Taken cards are put away": "arbitrary"})
    while not page.locator("#collecting").count():
        before = version(page)
        page.locator("#flip").click()
        wait_for_news(page, before)
        page.wait_for_selector("#flip, #collecting")
    codes = page.locator("#collecting li").evaluate_all("all => all.map(li => li.dataset.code)")
    page.locator("#collecting [data-step='1']").first.click()
    page.locator("#collecting li").last.drag_to(page.locator("#collecting li").first)
    after = page.locator("#collecting li").evaluate_all("all => all.map(li => li.dataset.code)")
    assert sorted(after) == sorted(codes)
    numbers = page.locator("#collecting [name=place]").evaluate_all("all => all.map(n => n.value)")
    assert numbers == [str(n + 1) for n in range(len(codes))]
    before = version(page)
    page.locator("#collect").click()
    wait_for_news(page, before)
    page.wait_for_selector("#flip, .finished")


def test_computers_alone_are_watched_to_the_end(visit):
    page = visit("/new?game=pyanitsa")
    page.get_by_label("Seat 1: Who").select_option("bot:automaton")
    page.get_by_text("More options").click()
    page.get_by_label("Tricks at most").fill("60")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".finished-who")).not_to_be_empty()
    expect(page.locator(".py-curve polyline")).to_have_count(2)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_on_a_phone_without_javascript(visit, players):
    phone = {"width": 360, "height": 740}
    page = visit("/new?game=pyanitsa", viewport=phone, java_script_enabled=False)
    page.get_by_label("Players").fill(str(players))
    page.get_by_role("button", name="Update").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#flip")
    page.locator("#run-trick").click()
    page.wait_for_selector(".py-last", state="attached")  # told beside the table where many sit
    assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"]
    assert page.locator(".py-seat").count() == players

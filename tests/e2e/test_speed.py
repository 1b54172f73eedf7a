"""How long a page takes until it can be used, and a click until it is shown and confirmed.

Printed, not judged: a machine that does other things at the same time tells nothing. The targets
are 1 s for a page, and at the 95th percentile 100 ms until a click is shown, 200 ms until the
server has confirmed it. Judged is what our scripts do between a press and the first frame in which
its card moves: it fits into one frame.
"""

import statistics

import pytest

from tests.e2e.test_playing import HAND, wait_for_my_turn

pytestmark = pytest.mark.browser

MOVES = 20
NOTE_CLICKS = """
  window.times = { shown: [], confirmed: [] };
  let clicked = 0;
  document.addEventListener("click", (event) => {
    if (event.target.closest("button.playing-card")) clicked = performance.now();
  }, true);
  new MutationObserver(() => {
    if (!clicked || !document.querySelector(".is-sent")) return;
    window.times.shown.push(performance.now() - clicked);
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!clicked || event.detail.requestConfig.verb !== "post") return;
    window.times.confirmed.push(performance.now() - clicked);
    clicked = 0;
  });
"""
USABLE = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def test_pages_and_clicks(visit):
    page = visit()
    page.wait_for_load_state()
    print(f"\nlanding page usable after {page.evaluate(USABLE):.0f} ms")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    print(f"table usable after {page.evaluate(USABLE):.0f} ms")
    page.evaluate(NOTE_CLICKS)
    for count in range(1, MOVES + 1):
        wait_for_my_turn(page)
        page.locator(HAND).first.click()
        page.wait_for_function("count => window.times.confirmed.length >= count", arg=count)
    times = page.evaluate("window.times")
    for name, found in times.items():
        print(f"click {name}: p50 {statistics.median(found):.0f} ms, p95 {p95(found):.0f} ms")
        assert len(found) >= MOVES


FRAME = 16  # milliseconds
SERIES = 4  # the best counts
MEASURED = "performance.getEntriesByName('moves').map(({ duration }) => duration)"
NOTE_INPUT = """
  performance.clearMeasures();
  if (!window.noted) {
    window.noted = true;
    window.addEventListener("click", (event) => {
      if (event.target.closest("button.playing-card")) performance.mark("pressed");
    }, true);
    new MutationObserver(() => {
      const [pressed] = performance.getEntriesByName("pressed");
      if (!pressed || !document.querySelector(".is-sent")) return;
      performance.measure("moves", "pressed");
      performance.clearMarks("pressed");
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["class"] });
  }
"""


def test_a_press_moves_its_card_within_a_frame(visit):
    """From the click to the style that lifts the card: nothing waits for the server."""
    page = visit("/new?game=pisti")  # a whole match: Play now is over sooner
    page.get_by_role("button", name="Start").click()
    series = []
    for _ in range(SERIES):
        page.evaluate(NOTE_INPUT)
        for _ in range(MOVES):
            wait_for_my_turn(page)
            page.wait_for_function("() => !document.querySelector('.stage, #round-ending[open]')")
            page.locator(HAND).first.click()
            page.wait_for_function("() => !document.querySelector('.is-sent')")
        times = page.evaluate(MEASURED)
        assert len(times) >= MOVES - 2
        series.append(p95(times))
    print(f"\ninput to motion: p95 {', '.join(f'{each:.1f}' for each in series)} ms")
    assert min(series) <= FRAME, series

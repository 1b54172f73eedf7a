"""What is felt at a table, as one sees it who waits there: the first deal, moments, sound, endings.

The moves are made over the API, for all seats, and a page of somebody else looks on.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.match_by_api import HERE, Match, MatchByApi, moves

pytestmark = pytest.mark.browser

QUICK_AT_MOST = 900  # milliseconds of a moment at the quick pace
NOTE_MOMENTS = """
  window.moments = [];
  new MutationObserver((all) => all.forEach(({ addedNodes, removedNodes }) => {
    for (const each of addedNodes) {
      if (!each.classList?.contains("moment-layer")) continue;
      each.began = performance.now();
      requestAnimationFrame(() => moments.push({ word: each.textContent, layer: each,
        kinds: [...each.children].map((one) => one.className), lasted: null }));
    }
    for (const each of removedNodes) {
      const found = moments.find(({ layer }) => layer === each);
      if (found) found.lasted = performance.now() - each.began;
    }
  })).observe(document, { childList: true, subtree: true });
"""
NOTE_FLIGHTS = """
  window.flights = 0;
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((each) => {
    if (each.classList?.contains("ghost")) window.flights += 1;
  }))).observe(document, { childList: true, subtree: true });
"""


def pisti_move(match: Match) -> str:
    """A pişti where there is one; else takes what it can, and keeps the pile low."""
    view, top = match["view"], match["view"]["top"]
    ranks = [code for code in moves(match) if top and code[0] == top[0]]
    jacks = [code for code in moves(match) if top and code[0] == "J"]
    return (ranks or jacks or moves(match))[0]


def pazaak_move(match: Match) -> str:
    return next(move for move in ("draw", "pass", "end") if move in moves(match))


def shithead_move(match: Match) -> str:
    """Tens burn; the other cards as they come."""
    tens = [move for move in moves(match) if move.startswith("T")]
    return (tens or moves(match))[0]


def any_move(match: Match) -> str:
    return moves(match)[0]


GAMES = {
    "pisti": (pisti_move, ("Pişti!", "Double pişti!"), "moment-spark", {}),
    "pazaak": (pazaak_move, ("Bust!",), "moment-flash is-red", {}),
    "shithead": (shithead_move, ("Burned!",), "moment-flame", {"exchange": False}),
    "pyanitsa": (any_move, ("Dispute!",), "moment-wave is-fire", {"deck": 52}),
}


def looking_on(visit, game: str, options: dict) -> tuple[MatchByApi, Page]:
    player = visit("/")
    player.get_by_role("button", name="Play Pişti now").click()
    player.wait_for_selector("#felt")
    match = MatchByApi(player, game, [HERE], options=options)
    page = visit("/", pace="quick")
    page.context.add_init_script(NOTE_MOMENTS)
    page.goto(match.address)
    page.wait_for_selector("body[data-live=up]")
    return match, page


def shows(page: Page, at: int) -> None:
    page.wait_for_function(
        "at => +document.getElementById('table-panel').dataset.version >= at", arg=at
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_moment_is_felt_by_who_waits(visit, game):
    """Under 0.9 s at the quick pace, told in words as well, and the felt is the newest meanwhile."""
    choose, words, piece, options = GAMES[game]
    match, page = looking_on(visit, game, options)
    seen: list[dict] = []
    for _ in range(400):
        shows(page, match.play(choose)["version"])
        page.wait_for_function("() => !document.querySelector('.stage')")
        seen = page.evaluate("moments.map(({ word, kinds }) => ({ word, kinds }))")
        if any(moment["word"] in words for moment in seen):
            break
        if match.is_over:
            match, page = looking_on(visit, game, options)
    page.wait_for_function("() => moments.every(({ lasted }) => lasted !== null)")
    found = next(moment for moment in seen if moment["word"] in words)
    assert any(kind.startswith(piece) for kind in found["kinds"]), found
    lasted = page.evaluate("moments.map(({ lasted }) => lasted)")
    assert min(lasted) < QUICK_AT_MOST, lasted
    expect(page.locator("#said")).not_to_be_empty()
    expect(page.locator(".moment-layer")).to_have_count(0)

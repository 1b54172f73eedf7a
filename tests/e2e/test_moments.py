"""The table for a person who waits there: the first deal, moments, sound, endings.

The moves are made over the API, for all seats, and a page of somebody else looks on.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.match_by_api import HERE, Match, MatchByApi, moves
from tests.e2e.test_playing import HAND, play_first, version, wait_for_my_turn
from tests.e2e.test_replay import resigned_match
from tests.patience import on_a_busy_machine

pytestmark = pytest.mark.browser
every_browser = pytest.mark.every_browser

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
    top = match["view"]["top"]
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


@every_browser
@pytest.mark.parametrize("game", GAMES)
def test_a_moment_is_felt_by_who_waits(visit, game):
    """Under 0.9 s at the quick pace, and told in words as well."""
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
    assert min(lasted) < on_a_busy_machine(QUICK_AT_MOST), lasted
    expect(page.locator("#said")).not_to_be_empty()
    expect(page.locator(".moment-layer")).to_have_count(0)


def test_nothing_moves_where_no_motion_is_wanted(visit):
    """Neither a deal nor a moment; the words of it are there all the same."""
    page = visit("/", pace="calm", reduced_motion="reduce")
    page.context.add_init_script(NOTE_MOMENTS + NOTE_FLIGHTS)
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    expect(page.locator(HAND)).to_have_count(4)
    expect(page.locator(HAND).first).to_be_visible()
    expect(page.locator("#said")).not_to_be_empty()
    for _ in range(2):
        before = version(page)
        page.locator(HAND).first.click()
        shows(page, before + 2)
        wait_for_my_turn(page)
    assert page.evaluate("[flights, moments.length]") == [0, 0]


@every_browser
@pytest.mark.parametrize("game", ["Pişti", "Pazaak", "Shithead", "Pyanitsa"])
def test_the_first_deal_is_dealt_once(visit, game):
    """From the stock around the table; the page that is loaded again shows the table as it is."""
    page = visit("/", pace="quick")
    page.context.add_init_script(NOTE_FLIGHTS)
    page.get_by_role("button", name=f"Play {game} against the computer").click()
    page.wait_for_function("() => window.flights >= 4")
    page.wait_for_function("() => !document.querySelector('.stage, .is-staged, .is-opening')")
    if game == "Pişti":
        expect(page.locator(f"#felt {HAND}")).to_have_count(4)
        expect(page.locator(f"#felt {HAND}").first).to_be_visible()
    page.reload()
    wait_for_my_turn(page)
    page.wait_for_timeout(300)
    assert page.evaluate("flights") == 0
    expect(page.locator(".is-opening")).to_have_count(0)


@every_browser
def test_who_waits_for_a_player_sees_the_deal(visit):
    home = visit("/new?game=pisti&seat-1-who=open", pace="quick")
    home.get_by_role("button", name="Start").click()
    home.wait_for_selector("body[data-live=up]")
    home.evaluate(NOTE_FLIGHTS)
    away = visit(home.locator("#address").input_value(), pace="off")
    away.get_by_role("button", name="Sit down here").click()
    home.wait_for_function("() => window.flights >= 8")
    wait_for_my_turn(home)
    home.wait_for_function("() => !document.querySelector('.stage')")
    expect(home.locator(f"#felt {HAND}")).to_have_count(4)


def test_cards_lie_there_where_no_script_deals_them(visit):
    page = visit("/", java_script_enabled=False)
    page.get_by_role("button", name="Play Pişti now").click()
    expect(page.locator(HAND).first).to_be_visible()
    expect(page.locator("#speaker")).to_be_hidden()


def test_cards_are_seen_although_the_script_does_not_come(visit):
    """The style hides what is to be dealt for a moment only."""
    page = visit("/", allowed="choreography|Failed to load|ERR_FAILED")
    page.context.route("**/choreography*", lambda route: route.abort())
    page.get_by_role("button", name="Play Pişti now").click()
    expect(page.locator(HAND).first).to_be_visible()


@every_browser
def test_a_moment_does_not_stand_in_the_way(visit):
    """While a dispute still heaps up the next card is turned, by one press."""
    page = visit("/new?game=pyanitsa", pace="calm")
    page.get_by_role("button", name="Start").click()
    for _ in range(120):
        wait_for_my_turn(page)
        page.wait_for_function("() => !document.querySelector('.stage')")
        before = version(page)
        moment = page.locator(".moment-layer").count()
        page.locator("#flip").click()
        if moment:
            break
        shows(page, before + 1)
    assert moment, "no dispute in 120 cards"
    shows(page, before + 1)


@every_browser
def test_the_speaker_is_off_until_it_is_pressed_and_remembered(visit):
    page = visit("/")
    page.context.add_init_script("""
      window.played = 0;
      const sources = AudioScheduledSourceNode.prototype;
      const { start } = sources;
      sources.start = function (...at) { played++; return start.apply(this, at) };
    """)
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    speaker = page.get_by_role("button", name="Sound")
    expect(speaker).to_have_attribute("aria-pressed", "false")
    play_first(page)
    wait_for_my_turn(page)
    assert page.evaluate("played") == 0
    speaker.click()
    expect(speaker).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => played")  # it lets itself be heard at once
    asked = page.evaluate("played")
    play_first(page)
    page.wait_for_function("before => played > before", arg=asked)
    page.reload()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


@every_browser
def test_every_sound_is_short_and_can_be_heard(visit):
    """Rendered as the browser would play it: neither silent nor clipped, and over soon."""
    page = visit("/")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    heard = page.evaluate("""async () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      const { VOICES } = await import(loaded.find((name) => name.includes("/voices")));
      const found = {};
      for (const name of Object.keys(VOICES)) {
        const context = new OfflineAudioContext(1, 44100 * 2.5, 44100);
        VOICES[name](context, context.destination, 0.01);
        const data = (await context.startRendering()).getChannelData(0);
        const seconds = data.findLastIndex((value) => Math.abs(value) > 0.003) / 44100;
        const peak = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        found[name] = { peak, seconds };
      }
      return found;
    }""")
    assert len(heard) >= 14
    for name, sound in heard.items():
        assert 0.02 < sound["peak"] < 1.4, (name, sound)
        assert 0.01 < sound["seconds"] < 2, (name, sound)


def test_a_phone_vibrates_when_the_turn_comes_if_wanted(visit):
    """Not for a computer that answers at once; for a person who lets one wait."""
    page = visit("/new?game=pisti&seat-1-who=open", has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Start").tap()
    page.wait_for_selector("body[data-live=up]")
    away = visit(page.locator("#address").input_value())
    away.get_by_role("button", name="Sit down here").click()
    wait_for_my_turn(page)
    page.evaluate("() => { window.pulses = []; navigator.vibrate = (one) => pulses.push(one) }")
    page.get_by_label("Vibrate when it is your turn").check()
    page.locator(HAND).first.tap()
    wait_for_my_turn(away)
    away.wait_for_timeout(2700)
    away.locator(HAND).first.click()
    wait_for_my_turn(page)
    page.wait_for_function("() => pulses.length === 1")


# A bar stood where it was before, and all stand where their labels say.
HAS_RUN = """() => new Set(values).size > 1 && !document.querySelector(".stage")
  && [...document.querySelectorAll("#match-ending progress")]
    .every((bar) => bar.value === Number(/: (\\d+)/.exec(bar.getAttribute("aria-label"))[1]))"""


@every_browser
def test_an_ending_counts_up_and_says_itself(visit):
    """Bars race from the points before, sums stand right in the end; the live region tells all."""
    page = visit("/", pace="quick")
    page.add_init_script("""
      window.values = [];
      const look = () => {
        const bar = document.querySelector("#match-ending progress[data-from]");
        if (bar) values.push(bar.value);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    """)
    page.get_by_role("button", name="Play Pyanitsa against the computer").click()
    wait_for_my_turn(page)
    page.locator("#run-end").click()
    page.wait_for_selector("#match-ending")
    page.wait_for_function(HAS_RUN)
    bars = page.locator("#match-ending progress")
    for bar, sum_ in zip(bars.all(), page.locator("#match-ending [data-sum]").all(), strict=True):
        assert bar.evaluate("bar => bar.value") == int(sum_.inner_text())
    said = page.locator("#said").inner_text()
    assert page.locator(".finished-who").inner_text() in said
    assert page.locator(".clip figcaption").inner_text().splitlines()[1].split(".")[0] in said
    expect(page.locator(".is-winner").first).to_be_attached()
    expect(page.locator(".clip a")).to_have_attribute("href", re.compile(r"\?ply=\d+$"))


def test_the_result_is_shared_by_sheet_or_by_link(visit):
    page = visit("/")
    table = resigned_match(page, moves=2)
    page.evaluate("() => { window.sheets = []; navigator.share = async (one) => sheets.push(one) }")
    page.locator("#share-result > summary").click()
    expect(page.locator("#share-result")).to_have_attribute("open", "")
    [sheet] = page.evaluate("sheets")
    assert sheet["url"].endswith(table)
    assert "Pişti" in sheet["text"]
    links = page.locator("#share-result a").evaluate_all("all => all.map(each => each.href)")
    assert any(link.endswith(f"{table}/share.png") for link in links)
    assert any(link.endswith(f"{table}/share.svg") for link in links)
    assert any(link.startswith("https://wa.me/?text=") for link in links)
    for kind in ("png", "svg"):
        assert page.request.get(f"{table}/share.{kind}").ok
    plain = visit(table, java_script_enabled=False)
    plain.locator("#share-result > summary").click()
    expect(plain.get_by_role("link", name="WhatsApp")).to_be_visible()


def test_the_best_moment_plays_for_three_seconds_and_can_be_held(visit):
    page = visit("/", pace="off")
    page.get_by_role("button", name="Play Pyanitsa against the computer").click()
    wait_for_my_turn(page)
    page.locator("#run-end").click()
    page.wait_for_selector(".clip")
    running = """() => document.querySelector(".clip").getAnimations({ subtree: true })
      .filter(({ playState }) => playState === "running")
      .map((each) => each.effect.getComputedTiming().duration)"""
    assert set(page.evaluate(running)) == {3000}
    page.get_by_label("Stop the animation").check()
    assert page.evaluate(running) == []
    still = visit(page.url, reduced_motion="reduce")
    assert still.evaluate(running) == []
    expect(still.get_by_label("Stop the animation")).to_be_hidden()

"""Moments of a table, held still where most of them is seen, in the language of the table."""

import gettext
from collections.abc import Mapping
from typing import Final, NamedTuple

from playwright.sync_api import Page

from tests.e2e.serving import ROOT


class Moment(NamedTuple):
    """``table`` names the match of the scenes on whose felt it is played."""

    table: str
    word: str
    tone: str
    effect: str
    spot: str


MOMENTS: Final[Mapping[str, Moment]] = {
    "moment-burst": Moment("table-pisti", "Pişti!", "gold", "burst", "pile"),
    "moment-double": Moment("table-pisti-4", "Double pişti!", "gold", "double", "pile"),
    "moment-burn": Moment("table-shithead", "Burned!", "fire", "burn", "pile"),
    "moment-dispute": Moment("table-pyanitsa", "Dispute!", "fire", "dispute", "trick"),
    "moment-bust": Moment("table-pazaak", "Bust!", "red", "bust", "board-0"),
    "moment-twenty": Moment("table-pazaak", "Twenty!", "gold", "twenty", "board-0"),
}
HELD_AT: Final = 0.42  # of its time

PLAY = """async ({ word, tone, effect, spot, part }) => {
  const scripts = performance.getEntriesByType("resource").map(({ name }) => name);
  const { moment } = await import(scripts.find((name) => /\\/moments[^/]*\\.js/.test(name)));
  const element = document.getElementById("felt");
  const stage = { element, find: () => null, lying: () => [] }; // all of it is on the felt
  moment(stage, { word, tone, effect, start: spot }, 60);
  for (const each of document.getAnimations()) {
    each.pause();
    each.currentTime = part * Number(each.effect.getComputedTiming().endTime);
  }
}"""


def hold(page: Page, moment: Moment, language: str) -> None:
    """Plays it on the felt of the page that is shown, and stops the time."""
    page.locator("#felt").scroll_into_view_if_needed()
    asked = {"word": _in(language, moment.word), "part": HELD_AT}
    page.evaluate(PLAY, {**moment._asdict(), **asked})


def _in(language: str, word: str) -> str:
    folder = ROOT / "config" / "locale"
    return gettext.translation("django", folder, [language], fallback=True).gettext(word)

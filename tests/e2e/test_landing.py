"""Motions between two states: each is waited for, and the felt then is as the API has it.

Each table begins, goes on by a few turns and is taken to its last ones by the API, so that refills,
draws, captures, the end of a round and the end of the match are all seen.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.felts import STILL, frames, said, shown, watch
from tests.e2e.test_playing import HAND, version, wait_for_my_turn, wait_for_news
from tests.e2e.test_shithead import EDGE

pytestmark = pytest.mark.browser

TABLES = {  # the rival that thinks the shortest, and options for a short match
    "pisti": ("greedy", "target_score=1"),
    "pazaak": ("gambler", "rounds_to_win=1"),
    "shithead": ("lowest", "max_turns={turns}"),
    "pyanitsa": ("automaton", "max_tricks=8"),
}
TURNS_LEFT = {  # until the last two of every seat; a round of Pazaak is short enough as it is
    "pisti": lambda view, seats: 48 - view["plays_made"] - 2 * seats,
    "pazaak": lambda view, seats: 0,
    "shithead": lambda view, seats: view["options"]["max_turns"] - view["turns"] - 2 * seats,
    "pyanitsa": lambda view, seats: view["options"]["max_tricks"] - view["trick_no"],
}
SEATS = [("pisti", 2), ("pisti", 4), ("pazaak", 2)]
SEATS += [(game, seats) for game in ("shithead", "pyanitsa") for seats in (2, 4, 8)]
TURNS = {"off": 4, "quick": 4, "calm": 2}  # waited out before the last ones
PHONE = {"width": 390, "height": 844}


class Table:
    """A match in a browser and by the API."""

    def __init__(self, page: Page, game: str, seats: int) -> None:
        self.page, self.game = page, game
        rival, options = TABLES[game]
        rivals = "&".join(f"seat-{n}-who=bot:{rival}" for n in range(1, seats))
        options = options.format(turns=5 * seats)
        page.goto(f"/new?game={game}&players={seats}&{rivals}&{options}")
        page.get_by_role("button", name="Start").click()
        wait_for_my_turn(page)
        self.path = f"/api/v1/matches/{page.url.rsplit('/', 1)[-1]}"

    def match(self) -> dict[str, Any]:
        return self.page.request.get(self.path).json()

    def play_by_api(self) -> dict[str, Any]:
        """The own seat's next move; what the match is when it is the seat's turn again, or over."""
        match = self._settled()
        if match["status"] == "active":
            moves = match["view"]["legal_moves"]
            move = "ready" if "ready" in moves else moves[-1]
            token = self.page.locator("[name=csrfmiddlewaretoken]").first.input_value()
            asked = {"move": move, "version": match["version"]}
            self.page.request.post(f"{self.path}/moves", data=asked, headers={"X-CSRFToken": token})
        return self._settled()

    def _settled(self) -> dict[str, Any]:
        while True:
            match = self.match()
            if match["status"] != "active" or set(match["to_act"]) & set(match["your_seats"]):
                return match
            self.page.wait_for_timeout(30)

    def nearly_over(self) -> None:
        """Plays by the API up to the last turns."""
        while True:
            match = self._settled()
            left = TURNS_LEFT[self.game](match["view"], len(match["seats"]))
            if match["status"] != "active" or left <= 0:
                return
            self.play_by_api()

    def press(self) -> None:
        """Any move, by a press on the felt."""
        page, before = self.page, version(self.page)
        if page.locator("#felt #ready").count():
            page.locator("#ready").click()
        elif page.locator("#felt #play").count():
            page.locator("#felt label.pick:not(.is-barred)").first.click(position=EDGE)
            page.locator("#play").click()
        else:
            step = "#pickup, .moves button[value=draw], .moves button, #flip"
            page.locator(f"#felt {HAND}, #felt :is({step})").first.click()
        wait_for_news(page, before)

    def waits_out(self) -> dict[str, Any]:
        """Until the own turn or the end is shown and nothing moves; felt and API then agree."""
        page = self.page
        while True:
            match = self._settled()
            wait_for_news(page, match["version"] - 1)
            page.wait_for_function(STILL)
            if self.match()["version"] == match["version"]:
                assert shown(page, self.game) == said(match)
                return match


def play_on(table: Table, turns: int) -> None:
    while table.waits_out()["status"] == "active" and turns:
        table.press()
        turns -= 1


@pytest.mark.parametrize("pace", TURNS)
@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_after_each_motion_the_felt_is_what_the_api_says(visit, game, seats, pace):
    """Also on a phone, where every other number of seats is played."""
    window = PHONE if seats == 4 or game == "pazaak" else {"width": 1280, "height": 800}
    page = visit(pace=pace, viewport=window)
    table = Table(page, game, seats)
    watch(page)
    play_on(table, TURNS[pace])
    table.nearly_over()
    play_on(table, turns=30)
    expect(page.locator(".finished-who")).to_be_visible()
    seen = frames(page)
    assert seen["wrong"] == []
    assert bool(seen["moving"]) == (pace != "off")
    assert set(seen["acting"]) <= {1}

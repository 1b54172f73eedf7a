"""The generic table: any view as facts, cards as cards, lists by seat beside their seats."""

import pytest

from games.rules import catalog
from games.web.table_page import table_page
from games.web.tables import any_game, page_of
from games.web.tables.any_game import Fact, fact
from tests.matches.scenes import now, opened, played, short
from tests.web.browsing import signed_in

SLUGS = [game.slug for game in catalog.GAMES]


@pytest.fixture(params=SLUGS)
def generic(request, monkeypatch):
    """A game of the catalogue as if it had no table of its own."""
    monkeypatch.setattr("games.web.table.page_of", lambda slug: page_of("no-such-game"))
    return request.param


def test_a_card_is_drawn_and_other_words_are_written():
    assert fact("top", "TD") == Fact("Top", cards=("TD",))
    assert fact("pile", ["TD", "X1"]) == Fact("Pile", cards=("TD", "X1"))
    assert fact("last_capturer", None) == Fact("Last capturer", text="none")
    assert fact("phase", "turn_start") == Fact("Phase", text="turn start")
    assert fact("ready", True) == Fact("Ready", text="yes")


def test_lists_by_seat_stand_at_their_seats(ada):
    match = opened(ada, "me, bot greedy, bot random", options={"players": 3})
    facts = any_game.scene(table_page(match, ada.id))
    assert [Fact("Hand sizes", text="4") in seat for seat in facts.seats] == [True] * 3
    assert facts.hand == match.rules.view(match.state, 0).hand
    assert Fact("Stock size", text="36") in facts.common


def test_every_game_can_be_played_at_it(ada, generic):
    match = short(ada, generic)
    browser = signed_in(ada).open(f"/matches/{match.id}")
    while "show my cards" in browser.page or browser.moves:
        if "show my cards" in browser.page:
            browser.press("show my cards")
        legal = match.rules.legal_moves
        shown = browser.moves
        state = table_page(now(match), ada.id).match.state
        assert shown in [list(legal(state, seat)) for seat in (0, 1)]
        browser.press(shown[-1])
        if now(match).version >= 8:
            break
    assert now(match).version >= 8 or now(match).is_over


def test_it_shows_what_came_of_it(ada, generic):
    match = played(short(ada, generic))
    browser = signed_in(ada).open(f"/matches/{match.id}")
    assert browser.status == 200
    assert "Play again" in browser.text

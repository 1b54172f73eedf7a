"""The API tells no seat a card of another hand or of the stock, in any game (rules/leaks.py)."""

from random import Random

import pytest

from accounts import services
from cardroom.contract.playing import NAMES
from cardroom.rules import catalog
from cardroom.rules.witnesses import Witnesses
from games.matches.selectors.access import get_match
from tests.api.calls import get, move, new_match, post, read
from tests.conftest import PASSWORD
from tests.fifth_game import GAME as HIGH_CARD

PLIES = 8
MORE = pytest.param(60, marks=pytest.mark.sweep)


@pytest.fixture
def match_of(monkeypatch, first, stranger, keyed):
    """A match with another person at every seat, and all who read it: seats and a spectator."""
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, HIGH_CARD))

    def opened(game):
        seats = game.seats(game.options())
        match = new_match(first, ", ".join(["me", *["open"] * (seats - 1)]), game.slug)
        readers = {0: first}
        for seat in range(1, seats):
            name = f"{NAMES[seat]}-{seat}"
            readers[seat] = keyed(services.register(username=name, password=PASSWORD))
            match = post(readers[seat], f"matches/{match['id']}/join").json()
        return match, {**readers, None: stranger}

    return opened


def leaks(readers, match, witnesses, text=""):
    """The leaks of the last step, as every reader's program is told of it."""
    told, views = {}, {}
    for reader, client in readers.items():
        shown = read(client, match)
        since = {"after": shown["version"] - 1}
        events = get(client, f"matches/{match['id']}/events", since).json()["events"]
        told[reader] = [{**event, "move": None} for event in events]
        views[reader] = shown["view"]
    return witnesses.leaks(get_match(match["id"]).state, text, told, views)


@pytest.mark.parametrize("plies", [PLIES, MORE])
@pytest.mark.parametrize("game", [*catalog.GAMES, HIGH_CARD], ids=lambda game: game.slug)
def test_nobody_is_told_what_another_holds(game, plies, match_of):
    match, readers = match_of(game)
    witnesses, rng = Witnesses(game, get_match(match["id"]).setups), Random(1)
    assert leaks(readers, match, witnesses) == []
    for _ in range(plies):
        seat = rng.choice(match["to_act"])
        mine = read(readers[seat], match)
        chosen = rng.choice(mine["legal_moves"])["move"]
        match = move(readers[seat], mine, chosen).json()
        if match["status"] != "active":
            break  # what was hidden may be shown at the end
        assert leaks(readers, match, witnesses, chosen) == []


def test_a_hand_that_is_shown_to_all_would_be_noticed(match_of, monkeypatch):
    game = catalog.GAMES[0]
    for event in game.events.__args__:
        monkeypatch.setattr(event, "seen_by", lambda self, seat: self)
    match, readers = match_of(game)
    witnesses = Witnesses(game, get_match(match["id"]).setups)
    assert any("was told" in leak for leak in leaks(readers, match, witnesses))

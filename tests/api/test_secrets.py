"""No answer of a running match says what its reader may not know."""

import json
import re
from random import Random

import pytest

from accounts import services
from cardroom.contract.playing import NAMES
from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from cardroom.rules.witnesses import Witnesses
from games.matches.selectors.access import get_match
from tests.api.calls import get, move, new_match, post, read
from tests.conftest import PASSWORD
from tests.fifth_game import GAME as HIGH_CARD

CARD = re.compile(r"\b(?:[2-9TJQKA][CDHS]|X[12])\b")
PATHS = ["", "/events?limit=100&after=-1", "/saves"]


def answers(client, match):
    """Everything a reader is told of a match."""
    told = [get(client, f"matches/{match['id']}{path}").content.decode() for path in PATHS]
    told.append(get(client, "matches").content.decode())
    told.append(
        post(client, f"matches/{match['id']}/load", {"round": 0, "cards": "same"}).content.decode()
    )
    return told


def people(first, second, stranger, game, **rules):
    match = new_match(first, "me, open", game, **rules)
    post(second, f"matches/{match['id']}/join")
    return match


def play(first, second, match, plies):
    seats = {0: first, 1: second}
    for _ in range(plies):
        match = read(first, match)
        if match["status"] != "active":
            break
        client = seats[match["to_act"][0]]
        answer = move(client, read(client, match))
        assert answer.status_code == 201
    return match


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_the_seed_is_told_nobody_before_the_end(first, second, stranger, game):
    match = people(first, second, stranger, game)
    play(first, second, match, 6)
    seed = get_match(match["id"]).seed.hex()
    for client in (first, second, stranger):
        for told in answers(client, match):
            assert seed not in told
        assert read(client, match)["seed"] is None
    stale = move(first, match | {"version": 2**20}, "7H", seat=0)
    assert seed not in stale.content.decode()
    post(first, f"matches/{match['id']}/resign")
    assert read(stranger, match)["seed"] == seed


def test_pazaak_hands_side_decks_and_main_decks(first, second, stranger):
    match = people(first, second, stranger, "pazaak")
    for client, seat in ((first, 0), (second, 1), (stranger, None)):
        shown = read(client, match)
        view = shown["view"]
        state = get_match(match["id"]).state
        if seat is None:
            assert (view["hand"], view["side_deck"]) == (None, None)
        else:
            assert sorted(view["hand"]) == sorted(state.halves[seat].hand)
            assert sorted(view["side_deck"]) == sorted(state.halves[seat].side)
        assert "side_deck" not in json.dumps(shown["seats"])


def test_refusals_name_no_card_of_another(first, second, stranger):
    match = people(first, second, stranger, "pisti")
    state = get_match(match["id"]).state
    theirs = {TEXT[card] for card in state.hands[1]}
    for text in theirs:
        told = move(first, match | {"legal_moves": []}, text, seat=0, version=0)
        assert not (set(CARD.findall(told.content.decode())) - {text}) & theirs


def test_past_hands_stay_hidden_after_a_reshuffled_load(first, second, stranger):
    match = people(first, second, stranger, "pisti")
    play(first, second, match, 2)
    new = post(first, f"matches/{match['id']}/load", {"version": 2, "cards": "reshuffled"}).json()
    new = post(second, f"matches/{new['id']}/join").json()
    events = get(second, f"matches/{new['id']}/events", {"after": -1}).json()["events"]
    dealt = [event for event in events if event["type"] == "hand_dealt"]
    assert dealt
    assert all(event["cards"] is None for event in dealt)


# The API tells no seat a card of another hand or of the stock, in any game (rules/leaks.py).

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

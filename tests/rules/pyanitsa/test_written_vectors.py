"""The tables of vectors in RULES.md §6 of Pyanitsa, played as they stand there."""

import pytest

from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import Dispute, SeatOut, TrickTaken
from tests.rules.pyanitsa.scene import (
    draws,
    flip,
    laid,
    scene,
    taken,
    toy_match,
    trick,
    until,
    wons,
)
from tests.rules.specification import NONE, cards_at, chosen, code, codes, rules_of

FACE_DOWN = "##"


def rows(heading):
    return [pytest.param(row, id=f"{row['#']}-{at}") for at, row in enumerate(_table(heading))]


def _table(heading, first=None):
    return rules_of("pyanitsa").table(heading, first)


def piles(cell):
    return [code(part) for part in cell.split(" / ")]


def dealt(size, seats):
    options = PYANITSA.choose_options({"deck": size, "players": seats})
    return PYANITSA.start(options, (), list).state


@pytest.mark.parametrize("row", _table("Set-up"), ids=lambda row: row["D \\ n"])
def test_the_cards_of_each_seat(row):  # pyanitsa R4
    size = int(row["D \\ n"])
    for seats in range(2, 9):
        state = dealt(size, seats)
        assert row[str(seats)] == f"{len(state.draw[0])} / {len(state.aside)}"
        assert {len(pile) for pile in state.draw} == {len(state.draw[0])}


@pytest.mark.parametrize("row", rows("Dealing (R4)"))
def test_dealing(row):
    size = int(row["Deck"])
    state, deck = dealt(size, int(row["Seats"])), pack(size)
    assert state.draw[int(row["Seat"])] == tuple(deck[at] for at in cards_at(row["Cards"]))
    assert state.aside == tuple(deck[at] for at in cards_at(row["Set aside"]))


@pytest.mark.parametrize("row", rows("One trick (R7 to R14)"))
def test_one_trick(row):
    before = scene(*piles(row["Piles"]), led_by=int(row["Leader"]), **chosen(row["Options"]))
    state, events = trick(before)
    assert [card or FACE_DOWN for card in laid(events)] == code(row["Laid"]).split()
    assert (taken(events).seat, taken(events).reason) == (int(row["Taker"]), row["Reason"])
    assert wons(state) == piles(row["Won after"])
    assert draws(state) == piles(row["Draw after"])
    out = [str(event.seat) for event in events if isinstance(event, SeatOut)]
    assert (", ".join(out) or NONE) == row["Out"]


@pytest.mark.parametrize("row", rows("Recycling (R6)"))
def test_recycling(row):
    rule = code(row["`recycle`"])
    step = flip(scene("", "8D 7D", won=[code(row["Won pile"])], recycle=rule))
    assert laid(step.events) == [row["Laid"]]
    assert draws(step.state)[0] == code(row["Draw pile after"])
    assert wons(step.state)[0] == ""


@pytest.mark.parametrize("row", rows("Comparing (R3, R8, R9)"))
def test_comparing(row):
    cards = code(row["Cards"]).split()
    hands = [f"{card} 9{suit}" for card, suit in zip(cards, "CDH", strict=False)]
    before = scene(*hands, deck=int(row["Deck"]), **chosen(row["Options"]))
    _, events = until(before, _is_settled)
    last = events[-1]
    best = last.seats if isinstance(last, Dispute) else (taken(events).seat,)
    assert [cards[seat] for seat in best] == code(row["Winner"]).split()


def _is_settled(events):
    return any(isinstance(event, Dispute | TrickTaken) for event in events)


def test_a_whole_match():
    text = rules_of("pyanitsa").sections[6].partition("### A whole match")[2]
    state = toy_match(codes(text)[0]).state
    for row in _table("A whole match (R4, R6, R13, R15, R16)"):
        assert (state.trick_no, state.leader) == (int(row["Trick"]), int(row["Leader"]))
        state, events = trick(state)
        assert laid(events) == code(row["Laid"]).split()
        assert taken(events).seat == int(row["Taker"])
        assert wons(state) == [code(row["Won by seat 0"]), code(row["Won by seat 1"])]
    assert PYANITSA.outcome(state).winners == (0,)

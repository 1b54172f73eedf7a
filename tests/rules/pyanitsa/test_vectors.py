"""The tables of vectors in RULES.md §6 of Pyanitsa, played as they stand there."""

import pytest

from cardroom.rules.cards import pack, texts
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import Dispute, MatchOver, Recycled, SeatOut, TrickTaken
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
    assert (", ".join(map(str, outs(events))) or NONE) == row["Out"]
    assert PYANITSA.to_act(state) in ((), (int(row["Taker"]),))


@pytest.mark.parametrize("row", rows("Recycling (R6)"))
def test_recycling(row):
    rule = code(row["`recycle`"])
    step = flip(scene("", "8D 7D", won=[code(row["Won pile"])], recycle=rule))
    assert step.events[0] == Recycled(0, 2)
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
    assert draws(state) == ["QD JD", ""]
    assert events[-2:] == [SeatOut(1, 5), MatchOver((0,), "all_cards", (1, 2))]
    assert PYANITSA.outcome(state).winners == (0,)


# Cases beside the tables.

TOY = "AC KC QD JD 6H 7H"


def over(events):
    return any(isinstance(event, MatchOver) for event in events)


def outs(events):
    return [event.seat for event in events if isinstance(event, SeatOut)]


# vector 6, pyanitsa R11 R12
def test_a_dispute_of_three_narrows_down():
    _, events = trick(scene("9C 7C QC", "9D JC 6S QD", "9H JD 8S QH"))
    disputes = [event for event in events if isinstance(event, Dispute)]
    assert disputes == [Dispute(1, (0, 1, 2), False), Dispute(2, (1, 2), False)]


# vector 7, pyanitsa R10
def test_who_has_no_cards_for_a_dispute_takes_the_table():
    state, _ = trick(scene("9C", "9D KD"))
    state, events = trick(state)
    assert laid(events) == ["9C", "KD"]
    assert wons(state) == ["", "9C KD"]
    assert draws(state) == ["9D", ""]


# vector 10, pyanitsa R5
def test_the_won_pile_counts_for_a_mortgage():
    state, events = trick(scene("8C", "8S 7S 7H", won=["KC 9D"], dispute="mortgage"))
    assert laid(events) == ["8C", "8S", None, "9D", None, "7H"]
    assert events[3] == Recycled(0, 2)
    assert wons(state) == ["8C 8S KC 9D 7S 7H", ""]
    assert outs(events) == [1]


# vector 14, pyanitsa R14 R7
@pytest.mark.parametrize(("leader", "order"), [("winner", (2, 0)), ("fixed", (0, 2))])
def test_a_seat_without_cards_is_out_and_the_turn_order_skips_it(leader, order):
    state, events = trick(scene("9C 8C", "7D", "KH 6H", leader=leader))
    assert SeatOut(1, 1) in events
    assert state.to_lay == order


# vector 16, pyanitsa §2 goal
def test_the_toy_match_given_away():
    state = toy_match(TOY, goal="giveaway").state
    for _ in range(3):
        state, _ = trick(state)
    assert [len(a) + len(b) for a, b in zip(state.draw, state.won, strict=True)] == [4, 2]
    state, events = until(state, over)
    assert state.trick_no == 5
    assert events[-1] == MatchOver((1,), "gave_away", (2, 1))
    assert PYANITSA.outcome(state).points == (2, 1)


# vector 17, pyanitsa §2 goal
def test_two_that_give_their_last_card_away_in_one_trick_share_the_win():
    state, events = trick(scene("7C", "8C", "KD 6D", goal="giveaway"))
    assert events[-1] == MatchOver((0, 1), "gave_away", (1, 1, 3))
    assert PYANITSA.outcome(state).winners == (0, 1)


# vector 18, pyanitsa R16
def test_the_limit_stops_the_match_and_most_cards_win():
    state, events = until(toy_match(TOY, max_tricks=3).state, over)
    assert state.trick_no == 3
    assert events[-1] == MatchOver((0,), "limit", (1, 2))
    assert texts(state.won[1]) == ("6H", "7H")

"""The test vectors of the rules text §6, each under its number."""

import pytest

from cardroom.rules.cards import TEXT, pack, texts
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import Dispute, MatchOver, Recycled, SeatOut
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

TOY = "AC KC QD JD 6H 7H"


def over(events):
    return any(isinstance(event, MatchOver) for event in events)


def outs(events):
    return [event.seat for event in events if isinstance(event, SeatOut)]


def dealt(size, players):
    options = PYANITSA.choose_options({"deck": size, "players": players})
    return PYANITSA.start(options, (), list).state


# vector 1, pyanitsa R4
def test_the_deal_goes_round_card_by_card_and_sets_the_rest_aside():
    deck = pack(36)
    state = dealt(36, 5)
    assert state.draw[0] == tuple(deck[at] for at in (0, 5, 10, 15, 20, 25, 30))
    assert state.draw[4] == tuple(deck[at] for at in range(4, 35, 5))
    assert state.aside == (deck[35],)
    wide = pack(52)
    state = dealt(52, 3)
    assert state.draw[2] == tuple(wide[2:51:3])
    assert len(state.draw[2]) == 17
    assert state.aside == (wide[51],)


# vector 2, pyanitsa R8 R13 R7
def test_a_plain_trick():
    state, events = trick(scene("KC 7C", "9D 8D"))
    assert wons(state) == ["KC 9D", ""]
    assert taken(events).reason == "highest"
    state, _ = trick(scene("9C 7C", "KD 8D"))
    assert wons(state) == ["", "9C KD"]
    assert PYANITSA.to_act(state) == (1,)
    state, _ = trick(scene("9C 7C", "KD 8D", collect_order="own_first"))
    assert wons(state) == ["", "KD 9C"]


# vector 3, pyanitsa R9 R11
def test_an_open_dispute():
    state, events = trick(scene("8C QD 6C", "8S TD 6H"))
    assert wons(state) == ["8C 8S QD TD", ""]
    assert draws(state) == ["6C", "6H"]
    assert taken(events).reason == "dispute_won"
    state, _ = trick(scene("8C QD 6C", "8S TD 6H", collect_order="own_first"))
    assert wons(state) == ["8C QD 8S TD", ""]


# vector 4, pyanitsa §2 dispute
def test_a_mortgage():
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state, events = trick(scene(*piles, dispute="mortgage"))
    assert laid(events) == ["8C", "8S", None, "QD", None, "TD"]
    assert wons(state) == ["8C 8S 7D QD AH TD", ""]
    state, events = trick(scene(*piles))
    assert laid(events) == ["8C", "8S", "7D", "AH"]
    assert wons(state) == ["", "8C 8S 7D AH"]


# vector 5, pyanitsa R9
def test_equal_cards_below_the_highest_mean_nothing():
    state, events = trick(scene("7C 6C", "7D 6D", "KH 6H"))
    assert wons(state) == ["", "", "7C 7D KH"]
    assert not [event for event in events if isinstance(event, Dispute)]


# vector 6, pyanitsa R11 R12
def test_a_dispute_of_three_narrows_down():
    state, events = trick(scene("9C 7C QC", "9D JC 6S QD", "9H JD 8S QH"))
    disputes = [event for event in events if isinstance(event, Dispute)]
    assert disputes == [Dispute(1, (0, 1, 2), False), Dispute(2, (1, 2), False)]
    assert wons(state) == ["", "", "9C 9D 9H 7C JC JD 6S 8S"]


# vector 7, pyanitsa R10
def test_who_has_no_cards_for_a_dispute_takes_the_table():
    state, events = trick(scene("9C", "9D KD"))
    assert wons(state) == ["9C 9D", ""]
    assert draws(state) == ["", "KD"]
    assert taken(events).reason == "no_cards"
    assert not outs(events)
    state, events = trick(state)
    assert laid(events) == ["9C", "KD"]
    assert wons(state) == ["", "9C KD"]
    assert draws(state) == ["9D", ""]


# vector 8, pyanitsa R10
def test_of_two_without_cards_the_first_in_turn_order_takes():
    state, events = trick(scene("9C", "9D", "6H AH"))
    assert wons(state) == ["9C 9D 6H", "", ""]
    assert outs(events) == [1]
    state, events = trick(scene("9C", "9D", "6H AH", led_by=1))
    assert wons(state) == ["", "9D 6H 9C", ""]
    assert outs(events) == [0]


# vector 9, pyanitsa §2 dispute
def test_one_seat_with_one_card_turns_the_mortgage_off_for_all():
    state, events = trick(scene("8C QD", "8S AH TD", dispute="mortgage"))
    assert laid(events) == ["8C", "8S", "QD", "AH"]
    assert wons(state) == ["", "8C 8S QD AH"]
    assert outs(events) == [0]
    assert PYANITSA.outcome(state).winners == (1,)


# vector 10, pyanitsa R5
def test_the_won_pile_counts_for_a_mortgage():
    state, events = trick(scene("8C", "8S 7S 7H", won=["KC 9D"], dispute="mortgage"))
    assert laid(events) == ["8C", "8S", None, "9D", None, "7H"]
    assert events[3] == Recycled(0, 2)
    assert wons(state) == ["8C 8S KC 9D 7S 7H", ""]
    assert outs(events) == [1]


# vector 11, pyanitsa R6
@pytest.mark.parametrize(("recycle", "card", "rest"), [("fifo", "KC", "9D"), ("lifo", "9D", "KC")])
def test_the_won_pile_comes_up_again(recycle, card, rest):
    step = flip(scene("", "8D 7D", won=["KC 9D"], recycle=recycle))
    assert step.events[0] == Recycled(0, 2)
    assert laid(step.events) == [card]
    assert draws(step.state)[0] == rest
    assert wons(step.state)[0] == ""


# vector 12, pyanitsa §2 low_beats_ace
@pytest.mark.parametrize(
    ("deck", "low_beats_ace", "cards", "taker"),
    [
        (36, "off", "AC 6D", 0),
        (36, "lowest", "AC 6D", 1),
        (36, "lowest", "AC 6D KH", 1),
        (36, "lowest", "AC AD 6H", 2),
        (36, "lowest", "6C KD", 1),
        (52, "lowest", "AC 6D", 0),
        (52, "lowest", "AC 2D", 1),
        (52, "six", "AC 6D", 1),
        (52, "six", "AC 2D", 0),
        # vector 13
        (54, "off", "X1 AS", 0),
        (54, "lowest", "X1 AC 2D", 0),
    ],
)
def test_the_low_card_beats_an_ace_it_is_compared_with(deck, low_beats_ace, cards, taker):
    piles = [f"{card} 9{suit}" for card, suit in zip(cards.split(), "CDH", strict=False)]
    state, events = trick(scene(*piles, deck=deck, low_beats_ace=low_beats_ace))
    assert (taken(events).seat, taken(events).reason) == (taker, "highest")
    assert wons(state)[taker] == cards


# vector 12
def test_two_low_cards_with_an_ace_dispute():
    first = scene("6C TC", "6D 9D", "AH QH", low_beats_ace="lowest")
    _, events = until(first, lambda events: any(isinstance(e, Dispute) for e in events))
    assert events[-1] == Dispute(1, (0, 1), False)


# vector 13, pyanitsa R3
def test_jokers_are_equal_unless_ranked():
    _, events = trick(scene("X1 6C", "X2 7C", deck=54))
    assert Dispute(1, (0, 1), False) in events
    _, events = trick(scene("X2 6C", "X1 7C", deck=54, jokers="ranked"))
    assert (taken(events).seat, taken(events).reason) == (1, "highest")


# vector 14, pyanitsa R14 R7
@pytest.mark.parametrize(("leader", "order"), [("winner", (2, 0)), ("fixed", (0, 2))])
def test_a_seat_without_cards_is_out_and_the_turn_order_skips_it(leader, order):
    state, events = trick(scene("9C 8C", "7D", "KH 6H", leader=leader))
    assert SeatOut(1, 1) in events
    assert state.to_lay == order


# vector 15, pyanitsa R15
def test_a_whole_toy_match():
    step = toy_match(TOY)
    state = step.state
    assert draws(state) == ["AC QD 6H", "KC JD 7H"]
    state, _ = trick(state)
    assert wons(state) == ["AC KC", ""]
    state, _ = trick(state)
    assert wons(state) == ["AC KC QD JD", ""]
    state, _ = trick(state)
    assert wons(state) == ["AC KC QD JD", "6H 7H"]
    state, events = trick(state)
    assert [event.seat for event in events if isinstance(event, Recycled)] == [1, 0]
    assert laid(events) == ["6H", "AC"]
    assert wons(state) == ["6H AC", ""]
    state, events = trick(state)
    assert laid(events) == ["KC", "7H"]
    assert wons(state) == ["6H AC KC 7H", ""]
    assert draws(state) == ["QD JD", ""]
    assert events[-2:] == [SeatOut(1, 5), MatchOver((0,), "all_cards", (1, 2))]
    assert PYANITSA.to_act(state) == ()
    assert PYANITSA.outcome(state).winners == (0,)
    assert {TEXT[card] for card in PYANITSA.cards(state)} == set(TOY.split())


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

"""The exchange, who may act, and how a move out of turn is refused."""

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import Exchanged, Ready, Turn
from cardroom.rules.values import IllegalMove, NotYourTurn
from tests.rules.shithead.scene import exchanging, hand, no_deck, play, position, top


def test_all_seats_exchange_at_the_same_time():  # shithead R5
    state = exchanging(position(["5C", "6C", "7C"], ["KC", "KD", "KH"]))
    assert SHITHEAD.to_act(state) == (0, 1, 2)
    step = SHITHEAD.play(state, 2, "swap 7C KH", no_deck)
    assert step.events == (Exchanged(2, "7C", "KH"),)
    step = SHITHEAD.play(step.state, 1, "ready", no_deck)
    assert step.events == (Ready(1),)
    assert SHITHEAD.to_act(step.state) == (0, 2)
    assert SHITHEAD.legal_moves(step.state, 1) == ()
    assert SHITHEAD.legal_moves(step.state, 0) == ("ready", "swap 5C KC")
    step = play(step.state, "ready", "ready")
    assert step.events == (Ready(2), Turn(0))
    assert (hand(step.state, 2), top(step.state, 2)) == ("KH", "7C")


def test_two_seats_exchanging_at_once_reach_the_same_table_in_either_order():  # shithead R5
    state = exchanging(position(["5C", "6C"], ["KC", "KD"]))
    here = SHITHEAD.play(state, 0, "swap 5C KC", no_deck).state
    there = SHITHEAD.play(state, 1, "swap 6C KD", no_deck).state
    assert (
        SHITHEAD.play(here, 1, "swap 6C KD", no_deck).state
        == SHITHEAD.play(there, 0, "swap 5C KC", no_deck).state
    )


def test_who_is_out_of_the_game_cannot_resign():
    state = position(["5C", "", "6C"], places=[0, 1, 0])
    assert SHITHEAD.retired_seats(state) == {1}


TABLE = position(
    ["5C 5D 8C QS", "4C"], ["KC 5H", "4D"], ["9C - 9D", "JC"], pile="6H", turn=0
)  # fmt: skip


@pytest.mark.parametrize("seat", [1, 2, -1, 99])
def test_only_the_seat_to_act_may_move(seat):
    with pytest.raises(NotYourTurn):
        SHITHEAD.play(TABLE, seat, "8C", no_deck)


def test_the_match_over_is_nobodys_turn():
    over = play(position(["5C", "6C"], pile="4C"), "5C").state
    with pytest.raises(NotYourTurn, match="over"):
        SHITHEAD.play(over, 1, "6C", no_deck)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("5C", "exchange_first"),
        ("pickup", "exchange_first"),
        ("blind 0", "exchange_first"),
        ("swap KC 5C", "card_not_available"),
        ("swap 5C 4D", "card_not_available"),
        ("swap 4C KC", "card_not_available"),
    ],
)
def test_what_is_refused_in_the_exchange(move, reason):  # shithead R5
    with pytest.raises(IllegalMove) as refused:
        SHITHEAD.play(exchanging(TABLE), 0, move, no_deck)
    assert refused.value.reason == reason

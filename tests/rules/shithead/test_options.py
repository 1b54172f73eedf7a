"""Every option of shithead §2, and the preset."""

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import Burned, Drew, GameStarted
from cardroom.rules.shithead.options import cards_each
from cardroom.rules.values import BadOptions
from tests.rules.shithead.scene import (
    hand,
    in_new_order,
    legal,
    of,
    one,
    pile,
    play,
    position,
    setups,
)

LOWEST_STARTS = {"first_starter": "lowest_card", "exchange": False}


def begin(**options):
    chosen = SHITHEAD.choose_options(options)
    return SHITHEAD.start(chosen, setups(chosen.players), in_new_order)


def test_without_jokers_at_most_seventeen_seats():
    assert cards_each(SHITHEAD.choose_options({"players": 17, "jokers": 0})) == 1
    with pytest.raises(BadOptions, match="2 to 17"):
        SHITHEAD.choose_options({"players": 18, "jokers": 0})


@pytest.mark.parametrize(("jokers", "most"), [(2, 6), (0, 5)])
def test_three_of_each_kind_for_few_seats(jokers, most):
    step = begin(players=most, jokers=jokers, deal="three")
    assert one(step, GameStarted).k == 3
    with pytest.raises(BadOptions, match=f"2 to {most}."):
        SHITHEAD.choose_options({"players": most + 1, "jokers": jokers, "deal": "three"})


@pytest.mark.parametrize(
    "values",
    [
        {"players": 1}, {"players": 19}, {"games": 0}, {"games": 51}, {"jokers": 1},
        {"deal": "two"}, {"max_turns": 0}, {"refill": "none"}, {"color": "red"},
    ],
)  # fmt: skip
def test_options_out_of_range_are_refused(values):
    with pytest.raises(BadOptions):
        SHITHEAD.choose_options(values)


def test_the_traditional_preset():
    options = SHITHEAD.choose_options({"players": 4}, preset="traditional")
    assert (options.deal, options.jokers, options.refill) == ("three", 0, "up_to_three")
    assert (options.pickup, options.first_starter) == ("voluntary", "lowest_card")
    assert options.next_starter == "left_of_shed"
    assert one(SHITHEAD.start(options, setups(4), in_new_order), GameStarted).stock == 16


def test_refill_up_to_three():
    state = position(
        ["5C 5D 9H", "6C"], pile="4C", stock="JC JD JH", deal="three", refill="up_to_three"
    )
    step = play(state, "5C 5D")
    assert [event.card for event in of(step, Drew)] == ["JC", "JD"]
    assert [event.stock for event in of(step, Drew)] == [2, 1]
    assert hand(step.state, 0) == "9H JC JD"


def test_refill_up_to_three_leaves_a_full_hand_alone():
    state = position(["5C 6D 7C 9H", "6C"], pile="4C", stock="JC", refill="up_to_three")
    assert not list(of(play(state, "5C"), Drew))
    state = position(["5C", "6C"], pile="4C", stock="JC", refill="up_to_three")
    assert hand(play(state, "5C").state, 0) == "JC"


def test_the_pile_may_be_picked_up_voluntarily():
    state = position(["5C", "6C"], pile="4C", pickup="voluntary")
    assert legal(state) == {"5C", "pickup"}
    assert hand(play(state, "pickup").state, 0) == "4C 5C"
    assert legal(position(["5C", "6C"], pickup="voluntary")) == {"5C"}


def test_hidden_cards_are_never_passed_by():  # shithead R10
    state = position(["", "6C"], hidden=["5C - 9C"], pile="4C", pickup="voluntary")
    assert legal(state) == {"blind 0", "blind 2"}


def test_between_two_a_joker_may_give_another_turn():
    state = position(["X1 4C", "5C"], two_player_joker="again")
    state = play(state, "X1").state
    assert (state.turn, state.direction) == (0, -1)
    three = position(["X1 4C", "5C", "6C"], two_player_joker="again")
    assert play(three, "X1").state.turn == 2


def test_burning_through_threes():  # shithead R13
    state = position(["X1 4C", "5C"], pile="X2 3C", burn_through_threes=True)
    assert one(play(state, "X1"), Burned).reason == "jokers"
    state = position(["3S 4C", "5C"], pile="3C 3D 3H", burn_through_threes=True)
    assert one(play(state, "3S"), Burned).reason == "four"
    state = position(["9S 4C", "5C"], pile="9C 3D 9D 8H 9H", burn_through_threes=True)
    assert not list(of(play(state, "9S"), Burned))


def test_a_seven_may_have_no_power():
    state = position(["5C 7D 8D AS", "4C"], pile="7H", seven_lower=False)
    assert legal(state) == {"7D", "8D", "AS"}


def test_without_exchange_play_begins_at_once():
    step = begin(exchange=False)
    assert step.state.phase == "play"
    assert SHITHEAD.to_act(step.state) == (0,)


def test_the_limit_may_be_off():
    state = position(["5C 8C", "6C 7C"], pile="4C", turns=10**6, max_turns=None)
    assert play(state, "5C").state.turns == 10**6 + 1


def test_a_joker_is_wild_wherever_it_counts():
    for joker_top in ("high", "transparent", "reset"):
        assert "X2" in legal(position(["X2 4C", "5C"], pile="KC X1", joker_top=joker_top))
    state = play(position(["4C X2", "5C"], pile="X1", joker_top="transparent"), "4C").state
    assert pile(state) == "X1 4C"

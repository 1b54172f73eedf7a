"""Every option of shithead §2, and the preset."""

import pytest
from msgspec.structs import replace

from games.rules.cards import pack
from games.rules.errors import BadOptions
from games.rules.shithead import SHITHEAD
from games.rules.shithead.endings import standings
from games.rules.shithead.events import (
    Burned,
    Drew,
    GameOver,
    GameStarted,
    MatchOver,
    SeatOut,
    Turn,
)
from games.rules.shithead.options import cards_each
from tests.rules.shithead.scene import (
    exchanging,
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

EACH = {2: 9, 3: 6, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2} | dict.fromkeys(range(10, 19), 1)
LOWEST_STARTS = {"first_starter": "lowest_card", "exchange": False}


def begin(**options):
    chosen = SHITHEAD.choose_options(options)
    return SHITHEAD.start(chosen, setups(chosen.players), in_new_order)


@pytest.mark.parametrize("players", range(2, 19))
def test_the_pack_is_dealt_out_evenly(players):  # shithead R2
    step = begin(players=players)
    started = one(step, GameStarted)
    assert started == GameStarted(
        1, players - 1, 0, EACH[players], 54 - 3 * players * EACH[players]
    )
    assert sorted(SHITHEAD.cards(step.state)) == list(pack(54))


def test_without_jokers_at_most_seventeen_seats():
    assert cards_each(SHITHEAD.choose_options({"players": 17, "jokers": 0})) == 1
    with pytest.raises(BadOptions, match="2 to 17 seats"):
        SHITHEAD.choose_options({"players": 18, "jokers": 0})


@pytest.mark.parametrize(("jokers", "most"), [(2, 6), (0, 5)])
def test_three_of_each_kind_for_few_seats(jokers, most):
    step = begin(players=most, jokers=jokers, deal="three")
    assert one(step, GameStarted).k == 3
    with pytest.raises(BadOptions, match=f"2 to {most} seats"):
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


def test_the_lowest_card_may_start():
    state = exchanging(
        position(["4C 2C", "3C 9C", "3D 5D"], ["", "AC", ""], jokers=0, first_starter="lowest_card")
    )
    step = play(state, "ready", "ready", "ready")
    assert one(step, Turn) == Turn(1)  # both hold a three; seat 1 is nearer to the dealer's left
    taken = SHITHEAD.play(state, 1, "swap 3C AC", in_new_order).state
    assert play(taken, "ready", "ready", "ready").state.turn == 2


def three_to_the_second(deck):
    """The pack in order, but the only three in a hand is dealt to the second seat."""
    cards = list(deck)
    cards[40], cards[41] = cards[41], cards[40]
    return cards


def test_the_lowest_card_counts_only_in_the_first_game():
    options = SHITHEAD.choose_options(LOWEST_STARTS)
    first = SHITHEAD.start(options, setups(2), three_to_the_second)
    assert one(first, GameStarted).starter is None
    assert first.state.turn == 1
    last_but_one = position(["5C", "9C"], games=2, pile="4C", **LOWEST_STARTS)
    step = play(last_but_one, "5C", shuffle=three_to_the_second)
    assert one(step, GameStarted).starter == 1
    assert step.state.turn == 1
    last_but_one = position(["5C", "9C"], turn=1, games=2, pile="4C", **LOWEST_STARTS)
    step = play(last_but_one, "9C", shuffle=three_to_the_second)
    assert step.state.turn == 0  # the shed, though seat 1 holds the three


def test_the_left_neighbour_of_the_shed_may_start():
    state = position(["5C", "6C 7C", "8C"], pile="4C", places=[0, 0, 1], games=2,
                     next_starter="left_of_shed")  # fmt: skip
    state = replace(state, hands=(state.hands[0], state.hands[1], ()))
    step = play(state, "5C", shuffle=in_new_order)
    assert step.state.last_shed == (1,)
    assert (one(step, GameStarted).starter, step.state.dealer) == (2, 1)


def test_without_exchange_play_begins_at_once():
    step = begin(exchange=False)
    assert step.state.phase == "play"
    assert SHITHEAD.to_act(step.state) == (0,)


def at_the_limit(**options):
    return position(
        ["5C 6C", "7C 8C 9C", "7D 8D 9D", "", "JC"], pile="4C", places=[0, 0, 0, 1, 0],
        turns=9, max_turns=10, **options,
    )  # fmt: skip


def test_at_the_limit_the_seats_with_most_cards_share_the_shed():  # shithead R19
    step = play(at_the_limit(), "5C")
    over = one(step, GameOver)
    assert over.shed == (1, 2)
    assert over.places == (2, 5, 5, 1, 2)
    assert {left.seat for left in over.remaining} == {1, 2}
    assert SHITHEAD.outcome(step.state).winners == (3,)
    assert SHITHEAD.outcome(step.state).reason == "games"


@pytest.mark.parametrize(("next_starter", "first"), [("shed", 1), ("left_of_shed", 2)])
def test_after_the_limit_the_lowest_shed_counts(next_starter, first):  # shithead R19
    state = play(at_the_limit(games=2, next_starter=next_starter), "5C", shuffle=in_new_order).state
    assert (state.dealer + 1) % 5 == first
    assert state.times_shed == (0, 1, 1, 0, 0)
    assert state.turns == 0


def test_the_limit_does_not_undo_a_proper_end():  # shithead R18, R19
    state = position(["5C", "6C 7C"], pile="4C", turns=9, max_turns=10)
    step = play(state, "5C")
    assert one(step, SeatOut) == SeatOut(0, 1)
    assert one(step, GameOver).places == (1, 2)


def test_the_limit_may_be_off():
    state = position(["5C 8C", "6C 7C"], pile="4C", turns=10**6, max_turns=None)
    assert play(state, "5C").state.turns == 10**6 + 1


def test_the_ranking_goes_by_times_shed_then_by_places():
    state = position(["", "", "", ""], jokers=2)
    state = replace(state, times_shed=(1, 0, 0, 0), points=(4, 6, 5, 5), phase="over")
    assert [(s.seat, s.place) for s in standings(state)] == [(2, 1), (3, 1), (1, 3), (0, 4)]
    outcome = SHITHEAD.outcome(state)
    assert (outcome.winners, outcome.places) == ((2, 3), (4, 3, 1, 1))
    assert outcome.points == (4, 6, 5, 5)


def test_the_last_game_ends_the_match():
    state = position(["5C", "6C 7C"], pile="4C", games=2, game_no=2)
    state = replace(state, times_shed=(1, 0), points=(2, 1))
    step = play(state, "5C")
    assert step.scores == (1, 2)
    assert [s.seat for s in one(step, MatchOver).standings] == [0, 1]
    assert SHITHEAD.outcome(step.state).winners == (0, 1)
    assert SHITHEAD.to_act(step.state) == ()
    assert SHITHEAD.legal_moves(step.state, 1) == ()


def test_a_joker_is_wild_wherever_it_counts():
    for joker_top in ("high", "transparent", "reset"):
        assert "X2" in legal(position(["X2 4C", "5C"], pile="KC X1", joker_top=joker_top))
    state = play(position(["4C X2", "5C"], pile="X1", joker_top="transparent"), "4C").state
    assert pile(state) == "X1 4C"

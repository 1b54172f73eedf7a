"""How a game is dealt, and who starts it (shithead R2 to R4)."""

import pytest
from msgspec.structs import replace

from cardroom.rules.cards import pack
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import GameStarted, Turn
from tests.rules.shithead.scene import exchanging, in_new_order, one, play, position, setups

EACH = {2: 9, 3: 6, 4: 4, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2} | dict.fromkeys(range(10, 19), 1)


LOWEST_STARTS = {"first_starter": "lowest_card", "exchange": False}


def begin(**options):
    chosen = SHITHEAD.choose_options(options)
    return SHITHEAD.start(chosen, setups(chosen.players), in_new_order)


@pytest.mark.parametrize("players", range(2, 19))
def test_the_pack_is_dealt_out_evenly(players):  # shithead R2
    step = begin(players=players)
    started = one(step, GameStarted)
    k = EACH[players]
    assert started == GameStarted(
        game_no=1, dealer=players - 1, starter=0, k=k, stock=54 - 3 * players * k
    )
    assert sorted(SHITHEAD.cards(step.state)) == list(pack(54))


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

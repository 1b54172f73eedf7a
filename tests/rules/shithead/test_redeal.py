"""Dealing again what the loading seats cannot know (FORMAT.md §2)."""

from random import Random

import pytest

from cardroom.rules.cards import pack
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.knowledge import known_hands
from cardroom.rules.shuffles import seeded
from tests.rules.shithead.scene import played, setups


@pytest.mark.parametrize("seats", [{0}, {1, 2}, {0, 1, 2}, set()])
@pytest.mark.parametrize("plies", [0, 7, 60])
def test_what_the_loading_seats_cannot_know_is_dealt_again(seats, plies):  # FORMAT.md §2
    history, state = played(seed=plies, plies=plies, players=3)
    redealt = SHITHEAD.redeal(state, history, frozenset(seats), seeded(Random(9)))
    assert sorted(SHITHEAD.cards(redealt.state)) == list(pack(54))
    for seat in {*seats, None}:
        assert SHITHEAD.view(redealt.state, seat) == SHITHEAD.view(state, seat)
    known = known_hands([e for step in history for e in step.events], 3)
    for cards, hand in zip(known, redealt.state.hands, strict=True):
        assert cards <= set(hand)  # what everybody saw picked up stays where it is
    ((number, positions),) = redealt.moved
    (deck,), (laid,) = history[0].decks, redealt.decks
    assert number == 0
    moved = {deck[at] for at in positions}
    assert moved == {laid[at] for at in positions}
    assert moved.isdisjoint(card for seat in seats for card in state.hands[seat])
    assert all(deck[at] == laid[at] for at in range(54) if at not in positions)
    assert redealt.state != state


def test_a_redeal_follows_the_deck():  # FORMAT.md §2
    """Dealing the decks as they now lie gives the hidden cards of the state as it now is."""
    history, state = played(seed=5, plies=0)
    redealt = SHITHEAD.redeal(state, history, frozenset({0}), seeded(Random(2)))
    again = SHITHEAD.start(state.options, setups(3), lambda _pack: list(redealt.decks[0]))
    assert again.state == redealt.state


def test_only_the_running_games_deck_is_dealt_again():
    history, state = played(seed=3, games=3, rounds=2)
    redealt = SHITHEAD.redeal(state, history, frozenset({0}), seeded(Random(2)))
    assert [number for number, _ in redealt.moved] == [1]
    assert redealt.decks[0] == history[0].decks[0]


def test_a_match_that_is_over_is_left_alone():
    history, state = played(seed=4)

    def never(_pack):
        raise AssertionError("nothing is unknown, so nothing is shuffled")

    redealt = SHITHEAD.redeal(state, history, frozenset({0}), never)
    assert (redealt.state, redealt.moved) == (state, ())

"""What re-dealing does to decks and to what was told (FORMAT.md §2, loaded matches)."""

import pytest

from cardroom.rules.pisti.events import CardPlayed, DealStarted, HandDealt
from cardroom.rules.redeal import lay_back, redeal_decks, retold, this_round
from cardroom.rules.values import HistoryStep


def reverse(pack):
    return list(pack)[::-1]


def test_cards_are_laid_back_on_their_positions():
    assert lay_back((10, 11, 12, 13), (1, 3), (13, 11)) == (10, 13, 12, 11)
    with pytest.raises(ValueError, match="shorter"):
        lay_back((10, 11, 12), (0, 1), (11,))


def test_only_unknown_positions_move():
    decks, became = redeal_decks([(10, 11, 12, 13)], ((0, (0, 2, 3)),), reverse)
    assert decks == ((13, 11, 12, 10),)
    assert became == {10: 13, 12: 12, 13: 10}


def test_nothing_unknown_asks_for_no_shuffle():
    decks, became = redeal_decks([(10, 11)], (), lambda _: pytest.fail("shuffled"))
    assert (decks, became) == (((10, 11),), {})


def test_a_later_deck_of_the_same_cards_follows():
    decks, became = redeal_decks([(10, 11, 12), (12, 11)], ((0, (0, 2)),), reverse)
    assert decks == ((12, 11, 10), (10, 11))
    assert became == {10: 12, 12: 10}


def test_exchanges_follow_one_another():
    decks, became = redeal_decks([(1, 2, 3), (3, 1)], ((0, (0, 1, 2)), (1, (0, 1))), reverse)
    assert decks == ((3, 2, 1), (3, 1))  # the second deck is first (1, 3), then turned round
    assert became == {1: 1, 2: 2, 3: 3}


HISTORY = (
    HistoryStep(1, ((),), (DealStarted(1, 1, 0), HandDealt(0, 1, ("2C",)))),
    HistoryStep(
        2, ((),), (CardPlayed(0, "2C", 48), DealStarted(2, 0, 1), HandDealt(0, 1, ("2C",)))
    ),
    HistoryStep(2, (), (CardPlayed(1, "3C", 1), HandDealt(1, 1, ("4C",)))),
)


def test_this_round_is_told_from_its_opening_step_on():
    assert this_round(HISTORY) == [*HISTORY[1].events, *HISTORY[2].events]


def test_private_cards_of_this_round_are_told_anew():
    told = retold(HISTORY, {0: 2, 2: 0}, DealStarted)  # 2C and 4C change places
    assert told[0] == HISTORY[0].events
    assert told[1] == (CardPlayed(0, "2C", 48), DealStarted(2, 0, 1), HandDealt(0, 1, ("4C",)))
    assert told[2] == (CardPlayed(1, "3C", 1), HandDealt(1, 1, ("2C",)))

"""Sealed shuffles and what stands in for them (FORMAT.md §1).

The vectors of §3 are played in ``test_record_format.py``.
"""

import pytest

from cardroom.rules.cards import pack, text, texts
from cardroom.rules.redeal import redeal_decks, undo_redeal
from cardroom.rules.shuffles import RecordingShuffle, Sealed, Stacked, UnexpectedShuffle

SEED = bytes(range(32))


def test_shuffles_count_on():
    sealed = Sealed(SEED)
    assert [sealed(pack(52)) for _ in range(3)] == [Sealed(SEED, k)(pack(52)) for k in range(3)]
    assert sealed.used == 3


def test_a_single_card_takes_its_number_too():
    sealed = Sealed(SEED)
    assert sealed([7]) == [7]
    assert sealed.used == 1


def test_stacked_decks_are_made_of_their_pack():
    shuffle = RecordingShuffle(Stacked([["7H", "2C"], ["2C"], ["2C", "2C"]], text))
    assert texts(shuffle((0, 31))) == ("7H", "2C")
    assert shuffle.decks == [(31, 0)]
    for one_card in ((1,), (0, 31)):
        with pytest.raises(UnexpectedShuffle):
            shuffle(one_card)
    with pytest.raises(UnexpectedShuffle):
        shuffle((0,))


@pytest.mark.parametrize("follow", [True, False])
def test_a_re_deal_taken_back(follow):
    decks = ((0, 1, 2, 3, 4, 5), (5, 0, 2), (4, 2))
    moved = ((0, (1, 2, 5)), (1, (0, 1)))
    if follow:
        laid, _ = redeal_decks(decks, moved, Sealed(SEED, 4))
    else:
        sealed, now = Sealed(SEED, 4), [list(deck) for deck in decks]
        for index, positions in moved:
            taken = sealed([decks[index][at] for at in positions])
            for at, card in zip(positions, taken, strict=True):
                now[index][at] = card
        laid = tuple(map(tuple, now))
    assert laid != decks
    assert undo_redeal(laid, moved, Sealed(SEED, 4), follow=follow) == decks

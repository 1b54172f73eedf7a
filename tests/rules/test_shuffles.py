"""Sealed shuffles (record.md §1) against the vectors of its §3, and what stands in for them."""

import pytest

from games.rules.cards import pack, text, texts
from games.rules.redeal import redeal_decks, undo_redeal
from games.rules.shuffles import RecordingShuffle, Sealed, Stacked, UnexpectedShuffle, commitment

SEED = bytes(range(32))
MAIN_DECK = [value for value in range(1, 11) for _ in range(4)]

VECTORS = {
    0: "2H 9C TH QC 9D 9S 7D 9H QD JS 8S 6S 2S 5C KS 6D AH 3H 7S 3C 4S 8D 5D AS 2D QS "
    "4C 5H 6H 5S KH 6C QH JD 2C TD 8C 4D AD 8H 4H TS 3S JC AC 3D 7H JH KC KD TC 7C",
    1: "8S QC KH KS 4D 4H 2C 8C 2H 3D 9D 8D 5S 5H QH TH AD 4S 2D 6D JD 9H AS 3C 7D 7C "
    "JC JH KC TC QS 5D 8H 9C 9S 7H JS QD 3S AH 4C AC 6C 5C 6S TD TS 3H 2S 7S KD 6H",
}


def test_the_commitment_is_the_hash_of_the_seed():
    told = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(SEED) == told


@pytest.mark.parametrize("k", VECTORS)
def test_the_first_shuffles_of_the_whole_pack(k):
    assert " ".join(texts(Sealed(SEED, k)(pack(52)))) == VECTORS[k]


def test_shuffles_count_on():
    sealed = Sealed(SEED)
    assert [" ".join(texts(sealed(pack(52)))) for _ in VECTORS] == list(VECTORS.values())
    assert sealed.used == 2


def test_the_short_pack():
    told = "6D QC TD JH 9S 8H 6S AS AH QS QH KC 8C 6C TS AD 6H TC JS KH TH 8D 7S AC QD 7C 7H 9H KD"
    assert " ".join(texts(Sealed(SEED)(pack(36)))) == told + " 7D 8S 9C JD KS 9D JC"


def test_the_pack_with_jokers():
    told = "7D JH 8H 4H 4D 2D 8C 9S 8D 5C 2H 6H 9D 2C TD 3S 3D QH 5S 7C KH JS TC QC 9H KC 6C JD 5H"
    told += " AH 3H QD 5D TH 7S JC AS 8S X1 3C 4C 2S X2 6S KD 6D KS 7H TS 4S AD 9C QS AC"
    assert " ".join(texts(Sealed(SEED, 2)(pack(54)))) == told


def test_the_pazaak_main_deck():
    told = "9 8 4 2 7 2 6 4 2 9 5 10 10 10 6 6 7 6 3 1 2 5 1 8 10 3 8 1 3 8 3 9 9 7 1 5 4 5 7 4"
    assert " ".join(map(str, Sealed(SEED, 3)(MAIN_DECK))) == told


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

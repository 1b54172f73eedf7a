"""Cards as ints and as text (FORMAT.md §1: packs in canonical order)."""

import copy
import pickle
from collections import Counter
from hashlib import sha256
from itertools import permutations
from random import Random

import msgspec
import pytest

from cardroom.contract.playing import Sitting
from cardroom.rules import catalog, record
from cardroom.rules.cards import CARD, JOKER, RANK, TEXT, X1, X2, pack, parse, pretty, text, texts
from cardroom.rules.redeal import redeal_decks, undo_redeal
from cardroom.rules.shuffles import (
    MASK,
    RecordingShuffle,
    Sealed,
    Shuffle,
    Stacked,
    Stream,
    UnexpectedShuffle,
    batch,
    commitment,
    mix,
    seeded,
    start,
)
from cardroom.rules.values import pick_seat

WHOLE = " ".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")


def test_the_whole_pack_in_canonical_order():
    assert " ".join(texts(pack(52))) == WHOLE


def test_the_short_pack_begins_with_the_six():
    short = texts(pack(36))
    assert short[:9] == ("6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC")
    assert short == tuple(code for code in WHOLE.split() if code[0] not in "2345")


def test_jokers_come_last():
    assert texts(pack(54)) == (*WHOLE.split(), "X1", "X2")
    assert (TEXT[X1], TEXT[X2]) == ("X1", "X2")


@pytest.mark.parametrize("size", [0, 35, 53, 55])
def test_other_packs_are_unknown(size):
    with pytest.raises(ValueError, match=f"no pack of {size} cards; packs have 36, 52 or 54"):
        pack(size)


@pytest.mark.parametrize("card", range(54))
def test_text_and_card_are_one(card):
    assert CARD[text(card)] == card
    assert parse(text(card)) == (card,)


def test_ranks_ignore_the_suit():
    assert {RANK[CARD["T" + suit]] for suit in "CDHS"} == {8}
    assert RANK[CARD["2C"]] < RANK[CARD["TD"]] < RANK[CARD["JC"]] < RANK[CARD["AS"]]
    assert RANK[X1] == RANK[X2] == JOKER


def test_cards_are_parsed_in_their_order():
    assert texts(parse("7H TD X2 2C")) == ("7H", "TD", "X2", "2C")
    assert parse("") == ()


@pytest.mark.parametrize("code", ["1H", "7h", "10H", "H7", "X3"])
def test_an_unknown_code_is_named(code):
    with pytest.raises(ValueError, match=f"{code!r} is not a card"):
        parse(f"7H {code} 2C")


@pytest.mark.parametrize(
    ("code", "written"),
    [("7H", "7♥"), ("TD", "10♦"), ("2C", "2♣"), ("AS", "A♠"), ("X2", "Joker 2")],
)
def test_cards_as_people_write_them(code, written):
    assert pretty(code) == written


# Who acts next where several seats may: chance by the seed, and none where there is no choice.


def test_seats_that_may_act_at_once_are_equally_likely():
    rng = Random(1)
    picked = Counter(pick_seat((0, 2, 3), rng) for _ in range(3000))
    assert picked.keys() == {0, 2, 3}
    assert all(900 < times < 1100 for times in picked.values())


def test_the_same_seed_picks_the_same_seats():
    one, other = ([pick_seat((0, 1), rng) for _ in range(50)] for rng in (Random(7), Random(7)))
    assert one == other


def test_a_single_seat_takes_nothing_from_the_stream_of_chance():
    rng = Random(1)
    before = rng.getstate()
    assert pick_seat((5,), rng) == 5
    assert rng.getstate() == before


# Sealed shuffles and what stands in for them (FORMAT.md §1).
#
# The vectors of §3 are played in ``test_record_format.py``.

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


# Sealed shuffles favour no card and no place: counts over many fixed seeds, not luck.

MANY = 6000


def chi_square(counts: Counter, kinds: int) -> float:
    expected = counts.total() / kinds
    missing = kinds - len(counts)
    return missing * expected + sum((n - expected) ** 2 / expected for n in counts.values())


@pytest.mark.parametrize("shuffle", [Sealed(SEED), seeded(Random(1))], ids=["sealed", "seeded"])
def test_all_orders_of_four_cards_come_as_often(shuffle: Shuffle):
    orders = Counter(tuple(shuffle("abcd")) for _ in range(MANY))
    assert set(orders) == set(permutations("abcd"))
    assert chi_square(orders, 24) < 49.7  # 23 degrees of freedom: exceeded once in a thousand


@pytest.mark.parametrize("place", [0, 25, 51])
def test_every_card_comes_to_every_place_as_often(place):
    sealed = Sealed(SEED, used=1000 * place)
    cards = Counter(sealed(pack(52))[place] for _ in range(1500))
    assert chi_square(cards, 52) < 87.97  # 51 degrees of freedom: exceeded once in a thousand


@pytest.mark.parametrize("size", [36, 52, 54])
def test_a_shuffled_pack_is_the_whole_pack(size):
    deck = Sealed(SEED)(pack(size))
    assert sorted(deck) == list(pack(size))
    assert tuple(deck) != pack(size)


def test_seeds_and_numbers_give_different_decks():
    decks = {tuple(Sealed(SEED, k)(pack(52))) for k in range(50)}
    decks |= {tuple(Sealed(bytes([n]) * 32)(pack(52))) for n in range(50)}
    assert len(decks) == 100


def test_a_shuffle_leaves_its_pack_alone():
    cards = [1, 2, 3, 4, 5]
    Sealed(SEED)(cards)
    seeded(Random(1))(cards)
    assert cards == [1, 2, 3, 4, 5]


# The generator of simulations, as its description says.

SPLITMIX_OF_0 = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]  # published


def test_words_are_those_of_splitmix64():
    stream = Stream(0)
    assert [stream.getrandbits(64) for _ in SPLITMIX_OF_0] == SPLITMIX_OF_0
    assert mix(0) == SPLITMIX_OF_0[0]
    assert Stream(0).getrandbits(8) == 0xE2
    assert Stream(0).getrandbits(100) == ((SPLITMIX_OF_0[0] << 64) | SPLITMIX_OF_0[1]) >> 28
    assert Stream(0).random() == (SPLITMIX_OF_0[0] >> 11) / 2**53


def test_numbers_below_are_the_upper_part_of_a_product():
    assert Stream(0)._randbelow(52) == (SPLITMIX_OF_0[0] >> 8) * 52 >> 56
    assert {Stream(seed)._randbelow(3) for seed in range(40)} == {0, 1, 2}
    assert Stream(1)._randbelow(2**70) < 2**70


def test_a_word_serves_as_many_swaps_as_its_bits_allow():
    assert batch(51) == (8, 52 * 51 * 50 * 49 * 48 * 47 * 46 * 45)
    assert batch(1) == (1, 2)
    assert all(batch(last)[1] <= 2**48 for last in range(1, 200))


def test_every_order_is_equally_likely():
    stream, found = Stream(start(1, "decks", 3)), Counter()
    for _ in range(6000):
        cards = list(range(4))
        stream.shuffle(cards)
        found[tuple(cards)] += 1
    assert set(found) == set(permutations(range(4)))
    chi_square = sum((times - 250) ** 2 / 250 for times in found.values())
    assert chi_square < 50  # 23 degrees of freedom: one seed in a thousand is above


def test_a_stream_goes_on_from_its_state():
    stream = Stream(start(5, "bots", 1))
    stream.gauss(0, 1)
    other = Stream()
    other.setstate(stream.getstate())
    twins = (other, copy.deepcopy(stream), pickle.loads(pickle.dumps(stream)))
    expected = [stream.gauss(0, 1), stream.choice(range(9)), stream.sample(range(60), 3)]
    for twin in twins:
        assert [twin.gauss(0, 1), twin.choice(range(9)), twin.sample(range(60), 3)] == expected


def test_streams_of_other_seeds_purposes_and_numbers_are_others():
    starts = {start(s, p, n) for s in (0, 1) for p in ("decks", "bots") for n in range(50)}
    assert len(starts) == 200
    assert all(0 <= each <= MASK for each in starts)


# Seeds of mirrored matches (FORMAT.md §1): salt changes the commitment and deals no card.

SECRET, SALT = bytes(range(32)), bytes(range(32, 64))
PISTI = catalog.find("pisti")


def told(seed):
    """The record of a short match from this seed, as JSON."""
    sitting = Sitting(PISTI, PISTI.choose_options({"target_score": None}), seed)
    sitting.begin()
    sitting.play_on(Random(1), 4000)
    return msgspec.json.decode(record.write(sitting.record()))


def test_salt_deals_the_same_cards():
    for k in range(3):
        assert Sealed(SECRET + SALT, k)(pack(52)) == Sealed(SECRET, k)(pack(52))


def test_salt_makes_another_commitment():
    assert commitment(SECRET + SALT) == sha256(SECRET + SALT).hexdigest()
    assert (
        len({commitment(SECRET + bytes([n]) * 32) for n in range(9)} | {commitment(SECRET)}) == 10
    )


def test_the_record_of_a_mirrored_match_verifies_and_differs_in_its_seal_alone():
    plain, mirrored = told(SECRET), told(SECRET + SALT)
    assert record.verify(mirrored) is None
    assert len(mirrored["seed"]) == 128
    sealed = {"seed": plain["seed"], "commitment": plain["commitment"]}
    assert mirrored | sealed == plain


@pytest.mark.parametrize("seed", ["00" * 31, "00" * 33, "00" * 63, "00" * 65, "zz" * 32])
def test_a_seed_has_32_bytes_or_64(seed):
    fault = record.verify(told(SECRET) | {"seed": seed})
    assert fault is not None
    assert "seed" in fault.fault


def test_another_salt_is_another_seal():
    other = told(SECRET + SALT) | {"seed": (SECRET + bytes(32)).hex()}
    assert record.verify(other).fault == "The commitment is not the SHA-256 of the seed."


def test_another_secret_deals_other_cards():
    seed = bytes(32) + SALT
    other = told(SECRET + SALT) | {"seed": seed.hex(), "commitment": commitment(seed)}
    assert record.verify(other) is not None

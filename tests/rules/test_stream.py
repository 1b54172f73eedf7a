"""The generator of simulations, as its description says."""

import copy
import pickle
from collections import Counter
from itertools import permutations

from cardroom.rules.shuffles import MASK, Stream, batch, mix, start

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

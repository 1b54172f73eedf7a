"""Who acts next where several seats may: chance by the seed, and none where there is no choice."""

from collections import Counter
from random import Random

from cardroom.rules.values import pick_seat


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

"""The filter by itself: what a finishing order makes of beliefs."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings.scale import Belief, expected, learnt, updated

EVEN = Belief(0.0, 2.0)


def test_two_sides_move_apart_by_as_much():
    won, lost = updated([EVEN, EVEN], [1, 2])
    assert won.mean == -lost.mean > 0
    assert won.variance == lost.variance < EVEN.variance


def test_a_surprise_moves_more_than_what_was_expected():
    strong, weak = Belief(1.0, 1.0), Belief(-1.0, 1.0)
    as_expected = updated([strong, weak], [1, 2])[0].mean - strong.mean
    surprise = strong.mean - updated([strong, weak], [2, 1])[0].mean
    assert surprise > 3 * as_expected > 0


def test_what_is_certain_hardly_moves():
    known, newcomer = Belief(0.0, 0.01), EVEN
    after_known, after_newcomer = updated([known, newcomer], [1, 2])
    assert after_known.mean < 0.01 < -after_newcomer.mean


def test_a_draw_of_equals_tells_that_they_are_alike():
    one, other = updated([EVEN, EVEN], [1, 1])
    assert one == other
    assert one.mean == 0
    assert one.variance < EVEN.variance


def test_a_draw_helps_the_weaker():
    strong, weak = updated([Belief(1.0, 1.0), Belief(-1.0, 1.0)], [1, 1])
    assert strong.mean < 1.0
    assert weak.mean > -1.0


def test_the_mode_is_that_of_belief_and_likelihood():
    """Against the slope of the logarithm itself: zero at the answer."""
    before, places = [Belief(0.3, 1.5), Belief(-0.2, 0.8), Belief(0.0, 2.0)], [2, 1, 3]

    def height(at):
        prior = -sum((x - b.mean) ** 2 / (2 * b.variance) for x, b in zip(at, before, strict=True))
        first = at[1] - log(sum(map(exp, at)))
        return prior + first + at[0] - log(exp(at[0]) + exp(at[2]))

    mode = [belief.mean for belief in updated(before, places)]
    for one in range(3):
        for by in (-1e-3, 1e-3):
            moved = [x + by * (at == one) for at, x in enumerate(mode)]
            assert height(moved) < height(mode)


@given(
    st.lists(st.floats(-4, 4), min_size=2, max_size=6).flatmap(
        lambda means: st.tuples(
            st.just(means),
            st.lists(st.integers(1, 4), min_size=len(means), max_size=len(means)),
            st.permutations(range(len(means))),
        )
    )
)
def test_seats_are_alike(scene):
    """A belief and a place lead to the same wherever their person sits."""
    means, places, order = scene
    beliefs = [Belief(mean, 1.0) for mean in means]
    straight = updated(beliefs, places)
    turned = updated([beliefs[at] for at in order], [places[at] for at in order])
    for position, at in enumerate(order):
        assert turned[position] == pytest.approx(straight[at], abs=1e-7)
        assert 0 < straight[at].variance <= 1.0


def test_a_prediction_knows_its_doubt():
    sure = expected(Belief(1.0, 0.01), Belief(-1.0, 0.01))
    doubtful = expected(Belief(1.0, 4.0), Belief(-1.0, 4.0))
    assert 0.5 < doubtful < sure < 1
    assert expected(EVEN, EVEN) == 0.5


def test_an_opponent_of_whom_less_is_known_weighs_less():
    settled, newcomer = Belief(0.0, 0.4), Belief(0.0, 4.0)
    plain, _ = updated([settled, newcomer], [1, 2])
    won, lost = learnt([settled, newcomer], [1, 2])
    assert won.mean == pytest.approx(plain.mean / 100)
    assert lost == updated([settled, newcomer], [1, 2])[1]
    assert learnt([EVEN, EVEN], [1, 2]) == updated([EVEN, EVEN], [1, 2])

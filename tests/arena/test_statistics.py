import statistics as reference
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.arena.statistics import (
    Survival,
    describe,
    deviation,
    mean,
    median,
    merged,
    quantile,
    survival,
    wilson,
)

samples = st.lists(st.integers(0, 60), min_size=1, max_size=80)


@given(samples)
def test_histograms_say_the_same_as_the_values_themselves(values):
    histogram = Counter(values)
    assert mean(histogram) == pytest.approx(reference.fmean(values))
    assert median(histogram) == reference.median(values)
    if len(values) > 1:
        assert deviation(histogram) == pytest.approx(reference.stdev(values))


@given(samples, st.integers(1, 1000))
def test_a_quantile_is_the_smallest_value_that_covers_its_share(values, permille):
    found = quantile(Counter(values), permille)
    assert found in values
    assert sum(value <= found for value in values) * 1000 >= permille * len(values)
    assert sum(value < found for value in values) * 1000 < permille * len(values)


@given(samples)
def test_the_survival_curve_is_the_share_that_lasted_longer(values):
    for step in survival(Counter(values)):
        longer = sum(value > step.length for value in values)
        assert step.share == pytest.approx(longer / len(values))


def test_the_survival_curve_begins_with_all_and_ends_with_none():
    assert survival({3: 1, 5: 3}) == (Survival(0, 1.0), Survival(3, 0.75), Survival(5, 0.0))


@given(samples, samples)
def test_merging_is_counting_together(one, other):
    assert merged([Counter(one), Counter(other)]) == Counter(one + other)
    assert list(merged([Counter(one), Counter(other)])) == sorted({*one, *other})


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_the_published_ones(successes, trials, low, high):
    interval = wilson(successes, trials)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_nothing_tried_says_nothing():
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_share_and_stays_within_bounds(trials, data):
    interval = wilson(data.draw(st.integers(0, trials)), trials)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1


def test_a_distribution_of_one_match_is_that_match():
    found = describe({7: 1})
    assert (found.mean.value, found.median, found.p95, found.longest) == (7, 7, 7, 7)
    assert found.mean.low == found.mean.high == 7


def test_the_mean_comes_with_its_error():
    found = describe({0: 50, 10: 50})
    assert found.mean.value == 5
    assert found.mean.high - 5 == pytest.approx(1.96 * 5.025 / 10, abs=1e-3)

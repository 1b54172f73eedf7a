import pytest

from cardroom.arena.figures import Figures, Mirrored, Tally
from cardroom.arena.ranking import openskill_ratings, ratings


def met(won, matches, others=1):
    """A pairing in which the first bot won so many matches, in twos with the same cards."""
    lost = matches - won
    first = Tally(matches, won, 0, lost, 0, matches)
    second = Tally(matches, lost, 0, won, 0, matches * others)
    scores = {4: won // 2, 2: won % 2, 0: (lost - won % 2) // 2}
    return Figures(
        matches=matches,
        bots={"one": first, "other": second},
        mirrored={"one": Mirrored(scores, {})} if others == 1 else {},
    )


def named(figures, one, other):
    bots = {one: figures.bots["one"], other: figures.bots["other"]}
    mirrored = dict(zip([one], figures.mirrored.values(), strict=False))
    return {(one, other): Figures(matches=figures.matches, bots=bots, mirrored=mirrored)}


def test_ten_to_one_is_400_points_and_the_mean_is_1500():
    found = ratings(named(met(10_000, 11_000), "a", "b"))
    assert list(found) == ["a", "b"]
    assert found["a"].value - found["b"].value == pytest.approx(400, abs=1)
    assert found["a"].value + found["b"].value == pytest.approx(3000)


def test_the_interval_holds_the_rating_and_narrows_with_more_matches():
    few, many = (ratings(named(met(6 * n, 10 * n), "a", "b"))["a"] for n in (10, 1000))
    assert few.low < few.value < few.high
    assert many.high - many.low < (few.high - few.low) / 5


def test_a_bot_that_always_wins_has_a_rating(few_resamples):
    found = ratings(named(met(200, 200), "a", "b") | named(met(120, 200), "b", "c"))
    assert list(found) == ["a", "b", "c"]
    assert found["a"].value < found["a"].high < 3500


def test_one_against_three_that_wins_a_quarter_is_as_strong_as_they():
    results = named(met(2500, 10_000, others=3), "a", "b")
    results |= named(met(2500, 10_000, others=3), "b", "a")
    found = ratings(results)
    assert found["a"].value == pytest.approx(1500, abs=1)
    assert openskill_ratings(results) is None  # more than two sides


def test_openskill_orders_the_bots_alike():
    results = named(met(140, 200), "a", "b") | named(met(140, 200), "b", "c")
    found = openskill_ratings(results | named(met(170, 200), "a", "c"), seed=3)
    assert sorted(found, key=lambda bot: -found[bot].mu) == ["a", "b", "c"]
    assert all(0 < each.sigma < 25 / 3 for each in found.values())

"""Intervals from mirrored matches: as wide as what varies, no wider and no narrower."""

from collections import Counter
from random import Random

import pytest

from cardroom.arena import ranking
from cardroom.arena.figures import Figures, Mirrored, Tally
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import student95, wilson

SEQUENCES = 60


def contest(rng, skill, luck):
    """Figures of matches in twos: the same cards help one bot first, then the other one."""
    halves = []
    for _ in range(SEQUENCES):
        cards = rng.gauss(0, luck)
        halves.append([_half_wins(rng.gauss(skill + side * cards, 1)) for side in (1, -1)])
    flat = [half for pair in halves for half in pair]
    tally = Tally(len(flat), flat.count(2), flat.count(1), 0, 0, len(flat))
    scores = dict(Counter(map(sum, halves)))
    return Figures(matches=len(flat), bots={"a": tally}, mirrored={"a": Mirrored(scores, {})})


def _half_wins(balance):
    return 1 if abs(balance) < 0.05 else 2 * (balance > 0)


@pytest.mark.parametrize("skill", [0.0, 1.0])
def test_the_interval_holds_the_truth_in_95_of_100_contests(skill):
    rng = Random(4)
    large = [ranking.score(contest(rng, skill, 1.0), "a").value for _ in range(1500)]
    truth = sum(large) / len(large)
    found = [ranking.score(contest(rng, skill, 1.0), "a") for _ in range(1000)]
    held = sum(each.low <= truth <= each.high for each in found)
    assert 930 <= held <= 970


def test_cards_that_decide_everything_narrow_the_interval():
    rng = Random(5)
    lucky, skilful = (ranking.score(contest(rng, 0.1, luck), "a") for luck in (9.0, 0.0))
    assert lucky.high - lucky.low < 0.6 * (skilful.high - skilful.low)


def test_luck_is_the_part_of_the_spread_that_mirrored_decks_take_away():
    rng = Random(6)
    shares = [ranking.pair_luck(contest(rng, 0.0, luck), "a") for luck in (0.0, 1.0, 30.0)]
    assert shares[0] < 0.35
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.9
    assert ranking.pair_luck(Figures(matches=1, bots={"a": Tally(1, 1, 0, 0, 0, 1)}), "a") is None


def test_a_bot_that_always_wins_has_the_interval_of_its_matches():
    won = Figures(
        matches=20, bots={"a": Tally(20, 20, 0, 0, 0, 20)}, mirrored={"a": Mirrored({4: 10}, {})}
    )
    assert ranking.score(won, "a") == wilson(20, 20)


def test_draws_count_half_and_both_scores_make_one(toy):
    request = describe(
        "toy", values={"target": None, "max_rounds": 2}, bots=["high", "low"], games=41, swap=True
    )
    figures = run_part(request, Part(0, 41))
    tally = figures.bots["high"]
    scores = [ranking.score(figures, name) for name in ("high", "low")]
    assert tally.shared
    assert scores[0].value == (tally.won + tally.shared / 2) / 41
    assert sum(score.value for score in scores) == pytest.approx(1)
    assert list(figures.unpaired) == [20]  # the decks that only one rotation has played


def test_the_margin_is_the_difference_of_the_points_of_a_seat(toy):
    request = describe("toy", values={"players": 3}, bots=["high", "low"], games=30, swap=True)
    figures = run_part(request, Part(0, 30))
    high, low = (figures.bots[name] for name in ("high", "low"))
    margin = ranking.pair_margin(figures, "high")
    assert margin.value == pytest.approx(high.points / high.seats - low.points / low.seats)
    assert margin.low < margin.value < margin.high
    assert ranking.pair_margin(figures, "low").value == pytest.approx(-margin.value)


# How gambler's margins over rookie at Pazaak, greedy's over random at Pişti to 151 points, and
# rookie's over random are spread over mirrored pairs: skewed, wide, and almost always the same.
SPREADS = {
    "skewed": {4: 4165, 3: 3948, 2: 416, 1: 806, 0: 659, -2: 6},
    "wide": {centre + step: 1 for centre in (150, 180, 185, 190, 230) for step in range(-40, 41)},
    "rare": {4: 8565, 3: 1328, 2: 51, 1: 30, 0: 26},
}


def margins(rng, spread, pairs_played):
    drawn = rng.choices(list(spread), list(spread.values()), k=pairs_played)
    count = 2 * pairs_played
    tally = Tally(count, count, 0, 0, 0, count)
    mirrored = Mirrored({4: pairs_played}, dict(Counter(drawn)))
    return Figures(matches=count, bots={"a": tally}, seats=(tally, tally), mirrored={"a": mirrored})


@pytest.mark.parametrize("name", SPREADS)
@pytest.mark.parametrize("pairs_played", [30, 100])
def test_the_interval_of_a_margin_holds_the_truth(name, pairs_played):
    rng, spread = Random(7), SPREADS[name]
    truth = sum(value * times for value, times in spread.items()) / sum(spread.values()) / 2
    found = [ranking.pair_margin(margins(rng, spread, pairs_played), "a") for _ in range(1500)]
    held = sum(each.low <= truth <= each.high for each in found) / len(found)
    assert 0.935 <= held <= 0.985


def test_margins_that_are_all_alike_are_no_certainty():
    few, many = (ranking.pair_margin(margins(Random(1), {4: 1}, n), "a") for n in (10, 200))
    assert few.low < 1.5 < 2.0 < few.high
    assert many.high - many.low < 0.2


@pytest.mark.parametrize(("freedom", "quantile"), [(5, 2.571), (10, 2.228), (60, 2.000)])
def test_students_quantile_is_that_of_the_tables(freedom, quantile):
    assert student95(freedom) == pytest.approx(quantile, abs=0.01)

import random
import statistics as reference
from collections import Counter
from dataclasses import replace
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.arena import ranking
from cardroom.arena.figures import Figures, Mirrored, Tally, figures_of, merge
from cardroom.arena.playouts import Playout, play_match
from cardroom.arena.request import Part, run_part
from cardroom.arena.request import describe as request_describe
from cardroom.arena.series import Series
from cardroom.arena.statistics import (
    Survival,
    describe,
    deviation,
    mean,
    measure_names,
    median,
    merged,
    quantile,
    student95,
    survival,
    wilson,
)
from cardroom.rules import catalog
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Measure, Outcome
from tests.arena.toy import HIGH, LOW, RANDOM, TOY, CardLaid, RoundWon, ToyOptions, setups

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


# Intervals from mirrored matches: as wide as what varies, no wider and no narrower.

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
    request = request_describe(
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
    request = request_describe(
        "toy", values={"players": 3}, bots=["high", "low"], games=30, swap=True
    )
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


ALONE = ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))


def ended(winners, points, places, reason="target"):
    return Playout(Outcome(winners, points, reason, places), {"plies": 8}, {"card_laid": 8})


def test_one_against_three_counts_each_bot_once_a_match():
    played = ended((2,), (1, 0, 3, 0), (2, 3, 1, 3))
    bots = figures_of(played, ["a", "b", "b", "b"], ALONE).bots
    assert bots["a"] == Tally(matches=1, points=1, seats=1)
    assert bots["b"] == Tally(matches=1, won=1, last=1, points=3, seats=3)


def test_partners_win_together_and_that_is_no_draw():
    found = figures_of(ended((0, 2), (9, 4), (1, 2, 1, 2)), ["a", "b", "a", "b"], TEAMS)
    assert [seat.won for seat in found.seats] == [1, 0, 1, 0]
    assert [seat.shared for seat in found.seats] == [0, 0, 0, 0]
    assert [seat.points for seat in found.seats] == [9, 4, 9, 4]
    assert found.bots["a"] == Tally(matches=1, won=1, points=18, seats=2)


def test_a_first_place_shared_between_sides_is_a_draw():
    found = figures_of(ended((0, 1), (5, 5), (1, 1)), ["a", "b"], ALONE[:2])
    assert [(seat.won, seat.shared, seat.last) for seat in found.seats] == [(0, 1, 0)] * 2
    assert found.bots["a"] == Tally(matches=1, shared=1, points=5, seats=1)


def test_seats_of_one_bot_that_share_the_first_place_won_it_for_the_bot():
    found = figures_of(ended((1, 2), (0, 5, 5), (3, 1, 1)), ["a", "b", "b"], ALONE[:3])
    assert found.bots["b"].won == 1
    assert [seat.shared for seat in found.seats] == [0, 1, 1]


def test_all_who_share_the_last_place_are_last():
    found = figures_of(ended((0,), (5, 1, 1), (1, 2, 2)), ["a", "b", "c"], ALONE[:3])
    assert [seat.last for seat in found.seats] == [0, 1, 1]


def test_a_match_stopped_by_its_limit_is_unfinished():
    stopped = figures_of(ended((0,), (1, 0), (1, 2), "limit"), ["a", "b"], ALONE[:2])
    assert stopped.unfinished == 1
    assert merge([stopped, stopped]).unfinished == 2


@pytest.fixture(scope="module")
def parts():
    series = Series(TOY, ToyOptions(players=3), (HIGH, LOW, RANDOM), seed=5, swap=True)
    return [series.figures(range(first, first + 7)) for first in range(0, 70, 7)]


def test_parts_merge_in_any_order_and_grouping_to_the_same_bytes(parts):
    whole = msgspec.json.encode(merge(parts))
    mixed = random.Random(3).sample(parts, len(parts))
    grouped = merge([merge(mixed[:4]), merge([]), merge(mixed[4:])])
    assert msgspec.json.encode(grouped) == whole


def test_the_parts_add_up_to_the_whole(parts):
    series = Series(TOY, ToyOptions(players=3), (HIGH, LOW, RANDOM), seed=5, swap=True)
    assert merge(parts) == series.figures(range(70))


def test_figures_survive_the_way_through_json(parts):
    whole = merge(parts)
    assert msgspec.json.decode(msgspec.json.encode(whole), type=Figures) == whole


def test_no_parts_are_no_matches():
    assert merge([]) == Figures()


# The counts of a match, and the measure of its length.


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_every_game_counts_what_it_states(game):
    figures = run_part(request_describe(game.slug, games=1, bots=["random"]), Part(0, 1))
    assert set(figures.measures) == set(measure_names(game))
    assert figures.measures["plies"]
    assert game.length in measure_names(game)


def test_two_measures_may_count_one_type_of_event():
    measures = (
        Measure(name="cards", event=CardLaid),
        Measure(name="cards of seat 1", event=CardLaid, where=lambda event: event.seat == 1),
        Measure(name="wins", event=RoundWon),
    )
    game = replace(TOY, measures=measures)
    options = ToyOptions(target=None, max_rounds=2)
    played = play_match(game, options, (HIGH, HIGH), setups(2), seeded(Random(1)), Random())
    assert played.measures == {
        "cards": 4, "cards of seat 1": 2, "wins": 2, "rounds": 2, "plies": 4,
    }  # fmt: skip
    assert measure_names(game) == ("cards", "cards of seat 1", "wins", "rounds", "plies")

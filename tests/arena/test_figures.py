import random

import msgspec
import pytest

from cardroom.arena.figures import Figures, Tally, figures_of, merge
from cardroom.arena.playouts import Playout
from cardroom.arena.series import Series
from cardroom.rules.values import Outcome
from tests.arena.toy import HIGH, LOW, RANDOM, TOY, ToyOptions

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

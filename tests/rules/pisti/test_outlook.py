"""The chance to win a match from the end of a block, for two, three and four sides."""

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.world import empty_world
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL

SEATS = pytest.mark.parametrize("players", [2, 3, 4])


def chances(players=4, *, totals=(), points=(), plays=0, turn=0, **options):
    world = empty_world(PISTI.options(players=players, **options))
    world.totals[: len(totals)], world.points[: len(points)] = totals, points
    world.plays, world.turn = plays, turn
    return [chance_to_win(world, side) for side in range(world.sides)]


@SEATS
def test_before_the_first_card_every_side_has_about_the_same(players):
    each = chances(players)
    assert each == pytest.approx([1 / players] * players, abs=0.05)
    assert sum(each) == pytest.approx(1, abs=0.001)


def test_partners_are_one_side():
    assert chances(4, teams=True) == pytest.approx([0.5, 0.5], abs=0.05)


@SEATS
def test_chances_add_up_at_every_score(players):
    for totals in ([0, 90, 20, 88], [140, 0, 0, 0], [150, 149, 148, 147]):
        assert sum(chances(players, totals=totals[:players])) == pytest.approx(1, abs=0.001)


def test_one_rival_far_in_front_is_worse_than_three_a_little_in_front():
    """Their mean is the same."""
    one = chances(totals=[100, 130, 85, 85])[0]
    three = chances(totals=[100, 100, 100, 100])[0]
    assert one < three - 0.05


@SEATS
def test_the_first_to_the_target_has_won(players):  # R27
    points = [12, 3, 2, 1][:players]
    each = chances(players, totals=[140] * players, points=points, plays=PLAYS_PER_DEAL)
    assert each == [1.0, *[0.0] * (players - 1)]


def test_a_tie_at_the_target_is_played_on():  # R27
    each = chances(totals=[151, 151, 100, 100], plays=PLAYS_PER_DEAL)
    assert each[0] == each[1] == pytest.approx(0.5, abs=0.01)
    assert each[2] == each[3] < 0.01


@SEATS
def test_of_a_single_deal_a_tie_is_shared(players):  # R28
    points = [9, 9, 2, 1][:players]
    each = chances(players, points=points, plays=PLAYS_PER_DEAL, target_score=None)
    assert each == [0.5, 0.5, *[0.0] * (players - 2)]


def test_scores_of_any_size_are_weighed():
    far = chances(totals=[0, 9_000, 0, 0], target_score=10_000)
    assert far[0] == pytest.approx(0, abs=1e-6)
    assert far[1] == pytest.approx(1, abs=1e-6)

"""Points, places and divisions as plain values."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from games.leagues.rules import (
    DOWN,
    MATCHES,
    MEETINGS,
    ROOM,
    SIZE,
    STAYS,
    UP,
    Ended,
    Played,
    Score,
    Seated,
    Standing,
    arranged,
    division_of_newcomer,
    moves,
    moving,
    ranked,
    score_of,
    tier_of_newcomer,
    tiers_for,
)

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
ADA, *OTHERS = (UUID(int=n) for n in range(1, 60))


def match(number, *places, against=OTHERS, sides=None):
    """Ada has the first place; the opponents the others."""
    accounts = [ADA, *against[: len(places) - 1]]
    sides = sides or range(len(places))
    seats = tuple(map(Seated, accounts, sides, places))
    return Played(MONDAY + timedelta(hours=number), UUID(int=number), seats)


@pytest.mark.parametrize(
    ("places", "points"),
    [((1, 2), 10), ((1, 1), 5), ((2, 1), 0), ((2, 1, 3), 5), ((1, 2, 3, 4), 10), ((3, 1, 2, 4), 3)],
)
def test_a_match_gives_the_share_of_opponents_left_behind(places, points):
    assert score_of(ADA, [match(1, *places)], MONDAY) == Score(points, 1)


def test_an_equal_place_counts_half_and_a_half_is_rounded_up():
    assert score_of(ADA, [match(1, 2, 2, 1, 1, 1)], MONDAY).points == 1  # 10 × ½ / 4


def test_partners_are_no_opponents():
    team = match(1, 1, 1, 2, 2, sides=(0, 0, 1, 1))
    assert score_of(ADA, [team], MONDAY) == Score(10, 1)


def test_the_first_meetings_with_an_opponent_count_whatever_the_order_of_reading():
    pumped = [match(n, 1, 2) for n in range(20)]
    assert score_of(ADA, reversed(pumped), MONDAY) == Score(10 * MEETINGS, MEETINGS)
    with_another = [*pumped, match(30, 1, 2, 3)]
    assert score_of(ADA, with_another, MONDAY) == Score(10 * MEETINGS + 5, MEETINGS + 1)


def test_lost_meetings_count_first_too():
    lost = [match(n, 2, 1) for n in range(MEETINGS)]
    assert score_of(ADA, [*lost, match(9, 1, 2)], MONDAY) == Score(0, MEETINGS)


def test_the_first_matches_of_the_week_count():
    many = [match(n, 1, 2, against=OTHERS[n:]) for n in range(40)]
    assert score_of(ADA, many, MONDAY) == Score(10 * MATCHES, MATCHES)
    late = score_of(ADA, many, MONDAY + timedelta(hours=38))
    assert late == Score(20, 2)


def standing(number, points, matches=5, slot=None):
    return Standing(OTHERS[number], number if slot is None else slot, Score(points, matches))


def test_of_equal_points_fewer_matches_come_first_then_who_stood_before():
    order = ranked([standing(0, 10, 9), standing(1, 10, 3), standing(2, 30), standing(3, 10, 3)])
    assert [one.slot for one in order] == [2, 1, 3, 0]


def test_whoever_has_played_stands_before_those_who_have_not():
    order = ranked([standing(0, 0, 0), standing(1, 0, 4), standing(2, 0, 2)])
    assert [one.slot for one in order] == [2, 1, 0]


def test_one_in_four_goes_up_and_down_and_five_at_most():
    assert [moving(n) for n in (1, 3, 4, 8, 20, ROOM)] == [0, 0, 1, 2, 5, 5]
    order = ranked(standing(n, 50 - n) for n in range(8))
    assert moves(order, 2, 3) == [UP] * 2 + [STAYS] * 4 + [DOWN] * 2
    assert moves(order, 1, 3) == [STAYS] * 6 + [DOWN] * 2
    assert moves(order, 3, 3) == [UP] * 2 + [STAYS] * 6


def test_nobody_goes_up_without_a_point():
    order = ranked([standing(0, 5), *(standing(n, 0, 0) for n in range(1, 8))])
    assert moves(order, 2, 2) == [UP, *[STAYS] * 7]


def test_tiers_follow_from_the_number_of_players():
    assert [tiers_for(n) for n in (0, SIZE, SIZE + 1, 72, 73, 168, 9999)] == [1, 1, 2, 2, 3, 3, 5]


def ended(number, tier, points=0, move=STAYS):
    return Ended(OTHERS[number], tier, points, move)


def test_the_promise_of_a_week_is_kept_exactly():
    week = [ended(n, 1 + n // 20, 50 - n) for n in range(40)]
    week[15], week[25] = ended(15, 1, 3, DOWN), ended(25, 2, 40, UP)
    tiers = {at.account: at.tier for at in arranged(week)}
    assert tiers[OTHERS[15]] == 2
    assert tiers[OTHERS[25]] == 1
    assert sum(tier == 1 for tier in tiers.values()) == 20


def test_divisions_are_even_bounded_and_nobody_is_lost_or_doubled():
    week = [ended(n, 1, n) for n in range(50)]
    placed = arranged(week)
    assert {at.account for at in placed} == set(OTHERS[:50])
    sizes = {n: sum(at.division == n for at in placed) for n in (1, 2, 3)}
    assert sorted(sizes.values()) == [16, 17, 17]
    assert len({at[1:] for at in placed}) == 50
    assert placed == arranged(reversed(week))
    assert placed[0].account == OTHERS[49]  # the most points


def test_a_tier_that_closes_lifts_its_players():
    assert {at.tier for at in arranged([ended(0, 3), ended(1, 1)])} == {1}


def test_newcomers_come_in_by_their_rating():
    ratings = {1: 1800.0, 2: 1400.0}
    assert tier_of_newcomer(None, ratings, 3) == 3
    assert tier_of_newcomer(1800.0, ratings, 3) == 1
    assert tier_of_newcomer(1500.0, ratings, 3) == 2
    assert tier_of_newcomer(1300.0, ratings, 3) == 3


def test_newcomers_fill_the_emptiest_division_and_then_a_new_one():
    assert division_of_newcomer({}) == 1
    assert division_of_newcomer({1: 25, 2: 24}) == 2
    assert division_of_newcomer({1: ROOM, 2: ROOM}) == 3

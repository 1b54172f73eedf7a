"""Who sits down with whom: a plan from values, without a database."""

from uuid import UUID

from games.lobby.selectors import ANYBODY_AFTER, WIDENS_BY, WINDOW, Company, tables
from tests.lobby.seekers import one


def plan(waiting, seats=2, company=None):
    found = tables(waiting, seats, company or Company())
    return [(sorted(p.account.int for p in table.people), table.computers) for table in found]


def pair(first, second):
    return frozenset((UUID(int=first), UUID(int=second)))


def test_two_who_wait_meet_and_one_alone_waits_on():
    assert plan([one(1), one(2)]) == [([1, 2], 0)]
    assert plan([one(1)]) == []
    assert plan([one(n, waited=-n) for n in range(1, 6)]) == [([1, 2], 0), ([3, 4], 0)]


def test_the_nearest_rating_is_chosen_for_who_waits_longest():
    assert plan([one(1, 1500, 9), one(2, 1590), one(3, 1520)]) == [([1, 3], 0)]


def test_the_window_widens_with_waiting_until_anybody_will_do():
    far = 1500 + WINDOW + WIDENS_BY * 10
    assert plan([one(1, 1500, 9.9), one(2, far)]) == []
    assert plan([one(1, 1500, 10), one(2, far)]) == [([1, 2], 0)]
    assert plan([one(1, 1500, ANYBODY_AFTER), one(2, 9000)]) == [([1, 2], 0)]


def test_two_who_blocked_each_other_never_meet():
    apart = Company(blocked={pair(1, 2)})
    assert plan([one(1, waited=999), one(2, waited=999)], 2, apart) == []
    assert plan([one(1, waited=2), one(2, waited=1), one(3)], 2, apart) == [([1, 3], 0)]
    four = [one(n, waited=9 - n) for n in range(1, 6)]
    assert plan(four, 4, apart) == [([1, 3, 4, 5], 0)]


def test_a_third_time_in_a_row_only_where_nobody_else_is_there():
    again = Company(twice={pair(1, 2)})
    assert plan([one(1), one(2)], 2, again) == [([1, 2], 0)]
    assert plan([one(1, waited=2), one(2, waited=1), one(3, 1599)], 2, again) == [([1, 3], 0)]
    blocked = Company(blocked={pair(1, 3), pair(2, 3)}, twice={pair(1, 2)})
    assert plan([one(1), one(2), one(3)], 2, blocked) == [([1, 2], 0)]


def test_a_table_that_needs_everybody_seats_them_a_third_time_too():
    again = Company(twice={pair(1, 2)})
    assert plan([one(1), one(2), one(3)], 3, again) == [([1, 2, 3], 0)]


def test_computers_sit_down_after_the_time_that_was_chosen():
    assert plan([one(1, waited=29, after=30)], 4) == []
    assert plan([one(1, waited=30, after=30)], 4) == [([1], 3)]
    assert plan([one(1, waited=0, after=0)], 2) == [([1], 1)]


def test_people_sit_down_together_before_computers_do():
    waiting = [one(1, waited=30, after=30), one(2, waited=5, after=60), one(3, waited=20)]
    assert plan(waiting, 4) == [([1, 2], 2)]  # the third one wants people only


def test_a_full_table_comes_before_computers():
    waiting = [one(n, waited=99 - n, after=10) for n in range(1, 10)]
    assert plan(waiting, 8) == [([1, 2, 3, 4, 5, 6, 7, 8], 0), ([9], 7)]


def test_many_are_planned_quickly():
    waiting = [one(n, 1000 + n * 500 % 4001, waited=n % 7) for n in range(1, 501)]
    found = plan(waiting)
    assert len(found) > 200
    assert len({account for people, _ in found for account in people}) == 2 * len(found)

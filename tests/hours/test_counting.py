"""The deadline as a function of values: what rests never counts, and nothing else is left out."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accounts.hours.services import MOST_QUIET, Rest, day_begins, deadline

ZONES = (
    *("UTC", "Europe/Prague", "America/New_York", "America/St_Johns", "Asia/Kolkata"),
    *("Australia/Lord_Howe", "Pacific/Auckland", "Europe/Istanbul"),
)
HALF, HOUR, DAY = timedelta(minutes=30), timedelta(hours=1), timedelta(days=1)
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
NIGHT = {"time_zone": "Europe/Prague", "quiet_from": time(22), "quiet_until": time(8)}

moments = st.integers(0, 2 * 400 * 24).map(lambda n: BEGINNING + n * HALF)
allowances = st.integers(1, 2 * 24 * 8).map(lambda n: n * HALF)
# Clocks are set between midnight and four: there a time of day may come twice, or never.
in_the_day = st.integers(8, 47).map(lambda n: time(n // 2, 30 * (n % 2)))


@st.composite
def holidays(draw):
    begins = draw(st.lists(moments, max_size=3))
    return tuple((at, at + draw(st.integers(1, 60)) * 6 * HOUR) for at in begins)


@st.composite
def rests(draw):
    begin, end = draw(in_the_day), draw(in_the_day)
    return Rest(draw(st.sampled_from(ZONES)), begin, end, draw(holidays()))


def is_quiet(rest, at):
    clock = at.astimezone(ZoneInfo(rest.time_zone)).time()
    begin, end = rest.ends or (time(), time())
    within = begin <= clock < end if begin <= end else clock >= begin or clock < end
    return within or any(first <= at < last for first, last in rest.holidays)


def walked(since, allowed, rest):
    """The same, half an hour after the other."""
    at, left = since, allowed
    while left:
        left -= timedelta() if is_quiet(rest, at) else HALF
        at += HALF
    return at


@settings(max_examples=60)
@given(moments, allowances, rests())
def test_every_half_hour_that_does_not_rest_counts_once(since, allowed, rest):
    assume(rest.ends is None or not time(0) < rest.ends[1] < time(4))
    assert deadline(since, allowed, rest) == walked(since, allowed, rest)


@settings(max_examples=50)
@given(moments, allowances, rests(), st.integers(1, 20), holidays())
def test_more_rest_is_never_an_earlier_deadline(since, allowed, rest, halves, more):
    begin, length = rest.hours or (time(22), timedelta())
    longer = datetime.combine(date.min, begin) + min(length + halves * HALF, MOST_QUIET)
    rested = Rest(rest.time_zone, begin, longer.time(), rest.holidays + more)
    least = Rest(rest.time_zone)
    ends = [deadline(since, allowed, one) for one in (least, rest, rested)]
    assert ends == sorted(ends)
    assert ends[0] == since + allowed


@settings(max_examples=40)
@given(moments, st.lists(allowances, min_size=2, max_size=4), rests())
def test_it_never_goes_back_and_time_adds_up(since, several, rest):
    at = since
    for allowed in several:
        at = deadline(at, allowed, rest)
    assert at == deadline(since, sum(several, timedelta()), rest)
    ends = [deadline(since + n * HALF, several[0], rest) for n in range(60)]
    assert all(one <= after for one, after in pairwise(ends))


@given(moments, allowances, rests())
def test_it_is_never_infinite(since, allowed, rest):
    days = allowed // (13 * HOUR) + 2  # fourteen hours of a day count, or thirteen of a short one
    away = sum((end - begin for begin, end in rest.holidays), timedelta())
    assert deadline(since, allowed, rest) <= since + days * 25 * HOUR + away


@pytest.mark.parametrize(
    ("since", "allowed", "expected"),
    [
        (datetime(2026, 7, 1, 18, tzinfo=UTC), 14 * HOUR, datetime(2026, 7, 2, 18, tzinfo=UTC)),
        # the evening before the clocks go forward, and before they go back
        (datetime(2026, 3, 28, 20, tzinfo=UTC), 2 * HOUR, datetime(2026, 3, 29, 7, tzinfo=UTC)),
        (datetime(2026, 10, 24, 19, tzinfo=UTC), 2 * HOUR, datetime(2026, 10, 25, 8, tzinfo=UTC)),
        # to the moment at which the night begins
        (datetime(2026, 7, 1, 18, tzinfo=UTC), 2 * HOUR, datetime(2026, 7, 1, 20, tzinfo=UTC)),
        # begun at night, on both sides of midnight
        (datetime(2026, 7, 1, 21, tzinfo=UTC), HOUR, datetime(2026, 7, 2, 7, tzinfo=UTC)),
        (datetime(2026, 7, 1, 23, tzinfo=UTC), HOUR, datetime(2026, 7, 2, 7, tzinfo=UTC)),
    ],
)
def test_a_night_in_prague(since, allowed, expected):
    assert deadline(since, allowed, Rest(**NIGHT)) == expected


def test_longer_quiet_hours_count_for_ten_hours():
    rest = Rest("UTC", time(20), time(19))
    assert rest.ends == (time(20), time(6))
    assert deadline(datetime(2026, 7, 1, 20, tzinfo=UTC), HOUR, rest).hour == 7


@pytest.mark.parametrize("hours", [(None, None), (time(7), time(7))])
def test_no_quiet_hours(hours):
    assert deadline(BEGINNING, DAY, Rest("Europe/Prague", *hours)) == BEGINNING + DAY


def test_a_holiday_over_the_new_year_is_added_whole():
    zone = "America/New_York"
    away = day_begins(date(2026, 12, 28), zone), day_begins(date(2027, 1, 4), zone)
    since = datetime(2026, 12, 27, 12, tzinfo=UTC)
    assert deadline(since, 3 * DAY, Rest(zone, holidays=(away,))) == since + 10 * DAY


def test_a_zone_that_is_gone_counts_as_utc():
    rest = Rest("Europe/Atlantis", time(22), time(6))
    assert deadline(datetime(2026, 7, 1, 22, tzinfo=UTC), HOUR, rest).hour == 7

"""The choices of a person: ten hours of a day, 21 days of a year, each announced before."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine

from accounts.hours import services
from accounts.hours.models import Holiday
from accounts.hours.services import (
    BadHoliday,
    BadHours,
    HolidayIsOver,
    HolidaysOverlap,
    NoSuchHoliday,
    ProgramsDoNotRest,
    TooManyHolidays,
    days_left,
    holidays_to_come,
    hours_of,
    rests_of,
)
from accounts.models import User
from accounts.notifications.refusals import BadChoices

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def announce(user, first, last):
    return services.announce_holiday(user=user, first=date(*first), last=date(*last))


class TestQuietHours:
    def test_are_private_and_count_for_no_clock_until_a_person_says_so(self, ada, sleeps):
        sleeps(ada)
        services.change_hours(user=ada, counts=False)
        assert hours_of(ada.pk).quiet_from == time(22)
        assert rests_of([ada.pk], NOW) == {}

    def test_are_at_most_ten(self, ada, sleeps):
        with pytest.raises(BadHours):
            sleeps(ada, quiet_until=time(8, 1))
        assert rests_of([ada.pk], NOW) == {}

    def test_have_two_ends(self, ada, sleeps):
        with pytest.raises(BadHours):
            services.change_hours(user=ada, counts=True)
        with pytest.raises(BadChoices):
            sleeps(ada, quiet_from=None)
        with pytest.raises(BadChoices):
            sleeps(ada, time_zone="Europe/Atlantis")

    def test_of_the_account_of_a_program_there_are_none(self, ada):
        User.objects.filter(pk=ada.pk).update(is_bot=True)
        ada.refresh_from_db()
        with pytest.raises(ProgramsDoNotRest):
            services.change_hours(user=ada, counts=True)
        with pytest.raises(ProgramsDoNotRest):
            announce(ada, (2026, 12, 1), (2026, 12, 2))


class TestHolidays:
    def test_begin_and_end_at_midnight_where_the_person_is(self, ada, sleeps):
        sleeps(ada, time_zone="America/New_York")
        row = announce(ada, (2026, 12, 24), (2026, 12, 26))
        assert row.starts_at == datetime(2026, 12, 24, 5, tzinfo=UTC)
        assert row.ends_at == datetime(2026, 12, 27, 5, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("first", "last"),
        [
            ((2026, 12, 2), (2026, 12, 1)),
            ((2026, 11, 22), (2026, 11, 30)),
            ((2027, 11, 20), (2027, 11, 25)),
        ],
        ids=["backwards", "begun", "too far ahead"],
    )
    def test_are_days_to_come(self, ada, first, last):
        with pytest.raises(BadHoliday):
            announce(ada, first, last)

    def test_have_a_limit_each_year(self, ada):
        announce(ada, (2026, 12, 11), (2027, 1, 5))  # 21 days of the one, 5 of the other
        assert (days_left(ada.pk, 2026), days_left(ada.pk, 2027)) == (0, 16)
        with pytest.raises(TooManyHolidays):
            announce(ada, (2026, 12, 10), (2026, 12, 10))
        with pytest.raises(TooManyHolidays):
            announce(ada, (2027, 2, 1), (2027, 2, 17))
        announce(ada, (2027, 2, 1), (2027, 2, 16))

    def test_do_not_overlap(self, ada):
        announce(ada, (2026, 12, 1), (2026, 12, 5))
        with pytest.raises(HolidaysOverlap):
            announce(ada, (2026, 12, 5), (2026, 12, 6))

    def test_can_be_withdrawn_for_an_hour(self, ada, clock):
        row = announce(ada, (2026, 12, 1), (2026, 12, 21))
        clock.shift(timedelta(minutes=59))
        assert rests_of([ada.pk], datetime.now(UTC)) == {}
        assert services.end_holiday(account=ada.pk, holiday_id=row.pk) is None
        assert days_left(ada.pk, 2026) == 21

    @pytest.mark.parametrize("later", [timedelta(hours=1), timedelta(days=9)])
    def test_are_spent_when_they_end_early(self, ada, clock, later):
        row = announce(ada, (2026, 12, 1), (2026, 12, 21))
        clock.shift(later)
        assert rests_of([ada.pk], datetime.now(UTC))
        assert services.end_holiday(account=ada.pk, holiday_id=row.pk) is not None
        assert rests_of([ada.pk], datetime.now(UTC)) == {}
        assert holidays_to_come([ada.pk]) == {}
        assert days_left(ada.pk, 2026) == 0
        with pytest.raises(HolidayIsOver):
            services.end_holiday(account=ada.pk, holiday_id=row.pk)

    def test_of_another_are_not_there(self, ada, ben):
        row = announce(ada, (2026, 12, 1), (2026, 12, 5))
        with pytest.raises(NoSuchHoliday):
            services.end_holiday(account=ben.pk, holiday_id=row.pk)

    def test_of_two_years_ago_are_forgotten(self, ada, clock):
        announce(ada, (2026, 12, 1), (2026, 12, 5))
        clock.move_to(datetime(2028, 2, 1, tzinfo=UTC))
        announce(ada, (2028, 3, 1), (2028, 3, 1))
        assert Holiday.objects.count() == 1

"""Quiet hours and holidays in the API: accounts/me/hours, accounts/me/holidays."""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from msgspec import UNSET, Struct, UnsetType

from accounts.hours import services
from accounts.hours.services import Hours
from accounts.models import User
from accounts.notifications import refusals as notifications
from accounts.notifications.api import Clock, Zone, time_value
from config.api.operations import Api, answer, given

api = Api("accounts")


class HolidayLine(Struct):
    """Days in which your clocks stand still; ``ended_at``: you ended it before its last day."""

    id: UUID
    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime
    ended_at: datetime | None


class RestingHours(Struct):
    """When your clock stands still in matches with at least a day for a move.

    Time zone and quiet hours are those of your notifications. ``clocks_rest``: clocks stand still
    in them too, for at most ten hours of a day; your opponents and those who may join your table
    see them.
    ``days_left`` are the days of holiday that you may still announce for this year.
    """

    time_zone: str
    quiet_from: str | None
    quiet_until: str | None
    clocks_rest: bool
    days_left: int
    holidays: list[HolidayLine]

    @classmethod
    def of(cls, hours: Hours, user: User) -> "RestingHours":
        ends = (hours.quiet_from, hours.quiet_until)
        begin, end = (None if at is None else f"{at:%H:%M}" for at in ends)
        rows = [answer(HolidayLine, row) for row in services.holidays_of(user.pk)]
        left = services.days_left(user.pk, timezone.now().year)
        return cls(hours.time_zone, begin, end, hours.counts, left, rows)


class HoursChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    time_zone: Zone | UnsetType = UNSET
    quiet_from: Clock | UnsetType | None = UNSET
    quiet_until: Clock | UnsetType | None = UNSET
    clocks_rest: bool | UnsetType = UNSET

    def changes(self) -> dict[str, Any]:
        names = {"clocks_rest": "counts"}
        return {names.get(name, name): time_value(name, one) for name, one in given(self).items()}


class NewHoliday(Struct, forbid_unknown_fields=True):
    """Both days belong to it."""

    first_day: date
    last_day: date


@api.get("accounts/me/hours", scope="account")
def hours(user: User) -> RestingHours:
    """Read your quiet hours and holidays

    When the caller's clock stands still in matches with days for a move.
    """
    return RestingHours.of(services.hours_of(user.pk), user)


@api.patch(
    "accounts/me/hours",
    scope="account",
    refuses=[services.BadHours, notifications.BadChoices, services.ProgramsDoNotRest],
)
def change_hours(user: User, body: HoursChange) -> RestingHours:
    """Choose your quiet hours

    Holds for turns that begin from now on; a turn that runs keeps its deadline.
    """
    return RestingHours.of(services.change_hours(user=user, **body.changes()), user)


@api.post(
    "accounts/me/holidays",
    scope="account",
    refuses=[
        *(services.BadHoliday, services.TooManyHolidays),
        *(services.HolidaysOverlap, services.ProgramsDoNotRest),
    ],
    creates="accounts/me/hours",
)
def announce_holiday(user: User, body: NewHoliday) -> HolidayLine:
    """Announce a holiday

    Counts for turns that begin an hour later or after; until then it can be withdrawn.

    At most 21 days in a year, at most a year ahead.
    """
    row = services.announce_holiday(user=user, first=body.first_day, last=body.last_day)
    return answer(HolidayLine, row)


@api.delete(
    "accounts/me/holidays/<uuid:holiday_id>",
    scope="account",
    refuses=[services.NoSuchHoliday, services.HolidayIsOver],
)
def end_holiday(user: User, holiday_id: UUID) -> None:
    """End a holiday

    Withdraws one that was announced within the last hour; later its days stay spent.

    Turns that have begun keep their deadlines.
    """
    services.end_holiday(account=user.pk, holiday_id=holiday_id)

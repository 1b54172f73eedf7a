"""Quiet hours and holidays in the API: accounts/me/hours, accounts/me/holidays."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.hours import choosing, selectors
from accounts.hours.models import Holiday
from accounts.hours.refusals import (
    BadHoliday,
    BadHours,
    HolidayIsOver,
    HolidaysOverlap,
    NoSuchHoliday,
    ProgramsDoNotRest,
    TooManyHolidays,
)
from accounts.hours.selectors import Hours
from accounts.models import User
from accounts.notifications.api.choices import Clock, Zone
from accounts.notifications.refusals import BadChoices
from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals

TIMES = ("quiet_from", "quiet_until")


class HolidayLine(Struct):
    """Days in which your clocks stand still; ``ended_at``: you ended it before its last day."""

    id: UUID
    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: Holiday) -> "HolidayLine":
        return cls(*(getattr(row, name) for name in cls.__struct_fields__))


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
        rows = map(HolidayLine.of, selectors.holidays_of(user.pk))
        left = selectors.days_left(user.pk, timezone.now().year)
        return cls(hours.time_zone, begin, end, hours.counts, left, [*rows])


class HoursChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    time_zone: Zone | UnsetType = UNSET
    quiet_from: Clock | UnsetType | None = UNSET
    quiet_until: Clock | UnsetType | None = UNSET
    clocks_rest: bool | UnsetType = UNSET

    def changes(self) -> dict[str, Any]:
        names = {"clocks_rest": "counts"}
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {
            names.get(name, name): _value(name, one)
            for name, one in given.items()
            if one is not UNSET
        }


class NewHoliday(Struct, forbid_unknown_fields=True):
    """Both days belong to it."""

    first_day: date
    last_day: date


class HoursView(APIView):
    read_scope = "account"
    write_scope = "account"

    @extend_schema(
        operation_id="hours",
        summary="Read your quiet hours and holidays",
        tags=["accounts"],
        responses={200: RestingHours},
    )
    def get(self, request: Request) -> Response:
        """When the caller's clock stands still in matches with days for a move."""
        me = signed_in(request)
        return Response(RestingHours.of(selectors.hours_of(me.pk), me))

    @extend_schema(
        operation_id="change_hours",
        summary="Choose your quiet hours",
        tags=["accounts"],
        request=HoursChange,
        responses={200: RestingHours, **refusals(BadHours, BadChoices, ProgramsDoNotRest)},
    )
    def patch(self, request: Request) -> Response:
        """Holds for turns that begin from now on; a turn that runs keeps its deadline."""
        me = signed_in(request)
        hours = choosing.change(user=me, **body_of(request, HoursChange).changes())
        return Response(RestingHours.of(hours, me))


class HolidaysView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="announce_holiday",
        summary="Announce a holiday",
        tags=["accounts"],
        request=NewHoliday,
        responses={
            201: HolidayLine,
            **refusals(BadHoliday, TooManyHolidays, HolidaysOverlap, ProgramsDoNotRest),
        },
    )
    def post(self, request: Request) -> Response:
        """Counts for turns that begin an hour later or after; until then it can be withdrawn.

        At most 21 days in a year, at most a year ahead.
        """
        body = body_of(request, NewHoliday)
        row = choosing.announce(user=signed_in(request), first=body.first_day, last=body.last_day)
        return Response(HolidayLine.of(row), status=201)


class HolidayView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="end_holiday",
        summary="End a holiday",
        tags=["accounts"],
        responses={204: None, **refusals(NoSuchHoliday, HolidayIsOver)},
    )
    def delete(self, request: Request, holiday_id: UUID) -> Response:
        """Withdraws one that was announced within the last hour; later its days stay spent.

        Turns that have begun keep their deadlines.
        """
        choosing.end(account=signed_in(request).pk, holiday_id=holiday_id)
        return Response(status=204)


def _value(name: str, given: Any) -> Any:
    return time.fromisoformat(given) if name in TIMES and given is not None else given


urlpatterns = [
    path("hours", HoursView.as_view()),
    path("holidays", HolidaysView.as_view()),
    path("holidays/<uuid:holiday_id>", HolidayView.as_view()),
]

"""When the clocks of the people at a table stand still."""

from datetime import date, datetime
from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.schema import refusals
from config.refusals import NotFound
from games.api.matches.access import visible
from games.matches.seating.resting_people import SeatResting, resting_at


class SeatHoliday(msgspec.Struct, frozen=True):
    """Both days belong to it; the moments are where they begin and end for the person."""

    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime


class SeatHours(msgspec.Struct, frozen=True):
    """``quiet_from`` and ``quiet_until`` as the clock shows it in ``time_zone``; null: none."""

    seat: int
    time_zone: str
    quiet_from: str | None
    quiet_until: str | None
    holidays: list[SeatHoliday]

    @classmethod
    def of(cls, one: SeatResting) -> "SeatHours":
        rest, days = one.resting
        begin, end = rest.ends or (None, None)
        names = SeatHoliday.__struct_fields__
        return cls(
            seat=one.seat,
            time_zone=rest.time_zone,
            quiet_from=None if begin is None else f"{begin:%H:%M}",
            quiet_until=None if end is None else f"{end:%H:%M}",
            holidays=[SeatHoliday(*(getattr(row, name) for name in names)) for row in days],
        )


class TableHours(msgspec.Struct, frozen=True):
    """The seats whose people rest; none where a move has less than a day."""

    seats: list[SeatHours]


class MatchHours(APIView):
    @extend_schema(
        operation_id="match_hours",
        summary="Read when the players' clocks stand still",
        tags=["playing"],
        responses={200: TableHours, **refusals(NotFound)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """Quiet hours and holidays of the people at a table with at least a day for a move.

        For those who play, and while a seat is free for people who may sit down. They are in the
        ``deadline_at`` of a turn that begins now; a turn that runs keeps what held at its
        beginning.
        """
        reader = request.user.pk if request.user.is_authenticated else None
        seats = resting_at(visible(match_id, request), reader)
        return Response(TableHours([SeatHours.of(one) for one in seats]))

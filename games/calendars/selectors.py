"""What stands in a calendar: moves that are due within days, and tournaments."""

from typing import Final

from django.db.models import QuerySet
from knox.crypto import hash_token

from accounts.models import User
from games.calendars.models import CalendarAddress
from games.competitions.models import Entrant, Tournament
from games.lobby.paces import DAY
from games.matches.models import Match, Seat

MOST: Final = 200


def owner_of(secret: str) -> User | None:
    """The active account whose calendar has this address."""
    row = CalendarAddress.objects.select_related("account")
    found = row.filter(digest=hash_token(secret), account__is_active=True).first()
    return found.account if found else None


def address_of(user: User) -> CalendarAddress | None:
    return CalendarAddress.objects.filter(account=user).first()


def moves_due(user: User) -> list[Match]:
    """Matches with days for a move in which this person is to move, the most urgent first."""
    running = Match.objects.filter(
        status=Match.Status.ACTIVE, turn_seconds__gte=DAY, deadline_at__isnull=False
    )
    own = Seat.objects.filter(user=user, kind=Seat.Kind.USER).values("match")
    rows = running.filter(pk__in=own).defer("state", "loaded").prefetch_related("seats")
    return [row for row in rows.order_by("deadline_at")[:MOST] if _is_to_move(row, user)]


def _is_to_move(match: Match, user: User) -> bool:
    seats = [seat.index for seat in match.seats.all() if seat.user_id == user.pk]
    return bool(set(seats) & set(match.to_act))


def tournaments_of(user: User) -> QuerySet[Tournament]:
    """Those to come and those that run, in which this person takes part."""
    joined = Entrant.objects.filter(account=user, state=Entrant.State.JOINED).values("tournament")
    statuses = (Tournament.Status.ANNOUNCED, Tournament.Status.RUNNING)
    return Tournament.objects.filter(pk__in=joined, status__in=statuses).order_by("starts_at")[
        :MOST
    ]

"""A person's calendar: its address, its entries, and the file."""

import secrets
from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, override
from icalendar import Event
from knox.crypto import hash_token

from accounts.models import User
from config.club import PLACE
from games.calendars.models import CalendarAddress
from games.competitions.files import alarm, empty_calendar, event_of
from games.competitions.models import Entrant, Tournament
from games.language import words
from games.matches.models import Match, Seat
from games.matches.time_bank import DAY

# Entries of a calendar: moves that are due within days, and tournaments.

MOST: Final = 200


def owner_of(secret: str) -> User | None:
    """The active account whose calendar has this address."""
    rows = CalendarAddress.objects.select_related("account")
    row = rows.filter(digest=hash_token(secret), account__is_active=True).first()
    return row.account if row else None


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
    """Tournaments to come and running ones in which this person takes part."""
    joined = Entrant.objects.filter(account=user, state=Entrant.State.JOINED).values("tournament")
    statuses = (Tournament.Status.ANNOUNCED, Tournament.Status.RUNNING)
    return Tournament.objects.filter(pk__in=joined, status__in=statuses).order_by("starts_at")[
        :MOST
    ]


Address = Callable[[str, object], str]


def calendar_of(user: User, address: Address) -> bytes:
    """``address`` makes the whole address of a page from its name and the id in it."""
    calendar = empty_calendar("Calendar")
    calendar.add("x-wr-calname", PLACE.name)
    with override(user.language):
        for match in moves_due(user):
            calendar.add_component(_move(match, user, address("table", match.pk)))
        for tournament in tournaments_of(user):
            page = address("tournament", tournament.pk)
            calendar.add_component(event_of(tournament, page))
    return bytes(calendar.to_ical())


def _move(match: Match, user: User, page: str) -> Event:
    """One entry a match: the next move moves it to the next deadline.

    It is a moment, so it has no end: an end must be later than the beginning (§3.6.1).
    """
    others = [seat.name for seat in match.seats.all() if seat.user_id != user.pk]
    event = Event()
    event.add("uid", f"{match.pk}@cardroom")
    event.add("dtstamp", match.updated_at)
    event.add("dtstart", match.deadline_at)
    event.add("sequence", match.version)
    event.add("url", page)
    event.add(
        "summary",
        gettext("Move by now: {game} against {names}").format(
            game=words(match.rules.name), names=", ".join(filter(None, others))
        ),
    )
    event.add_component(alarm(event))
    return event


# Every write of a calendar's address.


def make_address(account: UUID) -> str:
    """The secret of a new address, shown once; the one before leads nowhere from now on."""
    secret = secrets.token_urlsafe(32)
    CalendarAddress.objects.update_or_create(
        account_id=account, defaults={"digest": hash_token(secret), "created_at": timezone.now()}
    )
    return secret


def end_address(account: UUID) -> None:
    CalendarAddress.objects.filter(account=account).delete()

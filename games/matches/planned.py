"""Planning moves ahead in a slow match: writing, reading and withdrawing the plan of a seat.

Nobody else learns of it: the match is not announced, and neither its version nor the time of its
last change is another one.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.locking import check_may_play
from accounts.models import User
from cardroom.rules import values as errors
from cardroom.rules.shuffles import Sealed
from games.matches import plans
from games.matches.joining import locked_match
from games.matches.models import Match, Plan
from games.matches.plans import PlanLine
from games.matches.refusals import (
    CannotPlan,
    MalformedMove,
    MatchNotActive,
    NotYourSeat,
    SeatHandedOver,
    YourTurnNow,
)
from games.matches.selectors.access import Caller, find_match, snapshot_of
from games.matches.selectors.history import visible
from games.matches.snapshot import MatchSnapshot

SLOW: Final = 24 * 3600  # seconds for a move


class Planned(NamedTuple):
    """The plan of a seat; ``dropped`` says why the one before does not stand any more."""

    seat: int
    steps: Sequence[Sequence[PlanLine]]
    dropped: str
    dropped_version: int | None
    at: datetime | None


def may_plan(match: MatchSnapshot) -> bool:
    """Whether its players have days for a move, or all the time in the world."""
    return (
        match.status == "active"
        and match.is_playable
        and match.clock_json is None
        and (match.turn_seconds is None or match.turn_seconds >= SLOW)
    )


@transaction.atomic
def put(
    *, match_id: UUID, user: User, steps: Sequence[Sequence[PlanLine]], seat: int | None = None
) -> Planned:
    """Takes the place of the plan that stands. Raises ``Refusal`` by cause."""
    row, seats = locked_match(match_id, user)
    check_may_play(user.id)
    match = snapshot_of(row, seats)
    own = _seat(match, user.id, seat)
    _judge(match, own)
    _judge_notation(match, own, steps)
    values = {"steps": plans.encode(steps), "dropped": "", "dropped_version": None}
    Plan.objects.update_or_create(match=row, seat=own, defaults={**values, "at": timezone.now()})
    _note(row, stand=True)
    return _read(match_id, own)


@transaction.atomic
def withdraw(*, match_id: UUID, user: User, seat: int | None = None) -> None:
    """Deletes the plan, and the notice of one that was dropped. Again is no error."""
    row, seats = locked_match(match_id, user)
    own = _seat(snapshot_of(row, seats), user.id, seat)
    if Plan.objects.filter(match=row, seat=own).delete()[0]:
        _note(row, stand=Plan.objects.filter(match=row).exclude(steps=b"[]").exists())


def read(*, match_id: UUID, caller: Caller, seat: int | None = None) -> Planned:
    """The plan of the caller's seat, of nobody else's."""
    match, user = visible(find_match(match_id, caller))
    return _read(match_id, _seat(match, user, seat))


def plan_of(match: MatchSnapshot, user: UUID | None, seat: int | None) -> Planned | None:
    """For the page of this seat."""
    if seat is None or seat not in match.seats_of(user):
        return None
    return _read(match.id, seat)


def _read(match_id: UUID, seat: int) -> Planned:
    row = Plan.objects.filter(match=match_id, seat=seat).first()
    if row is None:
        return Planned(seat, [], "", None, None)
    return Planned(seat, plans.decoded(row.steps), row.dropped, row.dropped_version, row.at)


def _note(row: Match, *, stand: bool) -> None:
    """A move that was judged without this is judged again."""
    row.plans = plans.changed(row.plans, stand=stand)
    row.save(update_fields=["plans"])


def _judge_notation(match: MatchSnapshot, seat: int, steps: Sequence[Sequence[PlanLine]]) -> None:
    """Whether each move is one at all; whether it is allowed then shows when it is due."""
    for line in (line for step in steps for line in step):
        try:
            match.rules.play(match.state, seat, line.play, Sealed(match.seed, match.shuffles_used))
        except errors.MalformedMove as error:
            raise MalformedMove(error.sentence) from None
        except errors.RulesError:
            continue


def _seat(match: MatchSnapshot, user: UUID, seat: int | None) -> int:
    own = match.seats_of(user)
    if not own or seat not in (None, *own):
        raise NotYourSeat
    return own[0] if seat is None else seat


def _judge(match: MatchSnapshot, seat: int) -> None:
    if match.status != "active":
        raise MatchNotActive
    if not may_plan(match):
        raise CannotPlan
    if match.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    if match.seats[seat].stand_in:
        raise SeatHandedOver
    if seat in match.to_act:
        raise YourTurnNow

"""Clocks that stand still while people rest.

Only where a move has days. What rests is read when a choice begins, and stands in the seat's row as
time beyond the limit for that choice. So a deadline follows from the log and the seats for ever,
whatever their people choose later, and a match without days for a move costs nothing.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone
from msgspec.structs import replace

from accounts.hours.models import Holiday
from accounts.hours.services import Rest, deadline, holidays_to_come, rests_of
from games.matches.models import Match, Seat
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import DAY
from games.matches.transition import Transition


def extra_seconds(turn_seconds: int | None, rest: Rest, at: datetime) -> int:
    """Whole seconds by which a turn that begins now ends later than usual."""
    allowed = timedelta(seconds=turn_seconds or 0)
    return ceil((deadline(at, allowed, rest) - at - allowed).total_seconds())


def rest_from_the_start(row: Match, people: Sequence[Seat], at: datetime) -> datetime | None:
    """The deadline of a match that begins now; the seats get the time in which they rest."""
    if row.turn_seconds is None or not people:
        return None
    if row.turn_seconds >= DAY:
        rests = rests_of({seat.user_id for seat in people if seat.user_id}, at)
        for seat in people:
            if seat.user_id in rests:
                seat.extra_seconds = extra_seconds(row.turn_seconds, rests[seat.user_id], at)
                seat.extra_version = row.version
    extra = (seat.extra_seconds if seat.extra_version is not None else 0 for seat in people)
    return at + timedelta(seconds=row.turn_seconds + min(extra))


def full_time(turn_seconds: int, holder: UUID | None, at: datetime) -> datetime:
    """Until when a person has who gets the whole time for a move now."""
    allowed = timedelta(seconds=turn_seconds)
    rests = rests_of([holder], at) if holder and turn_seconds >= DAY else {}
    return deadline(at, allowed, rests[holder]) if holder in rests else at + allowed


# Quiet hours and holidays of those whose choice begins with the moves that are written.
#
# Read in one statement for all matches that are written together (``games.matches.resting``).


def add_rest(transitions: Sequence[Transition], at: datetime) -> None:
    """Gives each choice that begins with these moves the time in which its person rests."""
    begun = [one for one in transitions if one.match.counts_days]
    people = {holder for one in begun for _, holder in _beginning(one)}
    rests = rests_of(people, at) if people else {}
    for transition in begun if rests else ():
        for seat, holder in list(_beginning(transition)):
            if holder in rests:
                extra = extra_seconds(transition.match.turn_seconds, rests[holder], at)
                given = replace(
                    transition.seats[seat], extra_seconds=extra, extra_version=transition.version
                )
                transition.seats[seat] = given
                transition.seats_changed = True


def _beginning(transition: Transition) -> Iterator[tuple[int, UUID]]:
    """The seats to act whose choice is a new one, and who holds them."""
    for seat in transition.people_to_act:
        holder = transition.seats[seat].user_id
        if holder is not None and seat not in transition.unchanged:
            yield seat, holder


# Whose clocks stand still at a table, for those who play there or may sit down.
#
# Only where a move has days. A person chose to show that to those they play with, not to
# spectators: it tells when they sleep and where they live.

NEVER = Rest()


class Resting(NamedTuple):
    """The rest that holds for the turns of a person that begin now."""

    rest: Rest
    holidays: list[Holiday]


class SeatResting(NamedTuple):
    seat: int
    name: str
    resting: Resting


def resting_at(match: MatchSnapshot, reader: UUID | None) -> list[SeatResting]:
    """The seats whose people rest at all, as far as this reader may know."""
    if not match.counts_days or not _may_know(match, reader):
        return []
    people = resting_of({seat.user_id for seat in match.seats if seat.user_id})
    return [
        SeatResting(seat.index, match.names[seat.index], people[seat.user_id])
        for seat in match.seats
        if seat.user_id in people
    ]


def _may_know(match: MatchSnapshot, reader: UUID | None) -> bool:
    """A person with a seat may, and everybody signed in while a seat is free."""
    if reader is None or match.is_over:
        return False
    return match.status == "open" or bool(match.seats_of(reader))


def resting_of(accounts: Collection[UUID]) -> dict[UUID, Resting]:
    return dict(_resting_of(accounts)) if accounts else {}


def _resting_of(accounts: Collection[UUID]) -> Iterator[tuple[UUID, Resting]]:
    rests, holidays = rests_of(accounts, timezone.now()), holidays_to_come(accounts)
    for account in accounts:
        rest, away = rests.get(account, NEVER), holidays.get(account, [])
        if rest.ends or away:
            yield account, Resting(rest, away)

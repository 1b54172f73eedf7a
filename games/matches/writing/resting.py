"""Quiet hours and holidays of the people to act, where a move has days.

What rests is read when a choice begins, in one statement for all matches that are written together,
and stands in the seat's row as time beyond the limit for that choice. So a deadline follows from
the log and the seats for ever, whatever their people choose later, and a match without days for a
move costs nothing.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import ceil
from uuid import UUID

from msgspec.structs import replace

from accounts.hours.counting import Rest, deadline
from accounts.hours.selectors import rests_of
from games.matches.models import Match, Seat
from games.matches.selectors.access import snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.transition import Transition


def add_rest(transitions: Sequence[Transition], at: datetime) -> None:
    """Gives each choice that begins with these moves the time in which its person rests."""
    begun = [one for one in transitions if one.match.counts_days]
    people = {holder for one in begun for _, holder in _beginning(one)}
    rests = rests_of(people, at) if people else {}
    for transition in begun if rests else ():
        for seat, holder in list(_beginning(transition)):
            if holder in rests:
                extra = _extra(transition.match.turn_seconds, rests[holder], at)
                _give(transition, seat, extra)


def _beginning(transition: Transition) -> Iterator[tuple[int, UUID]]:
    """The seats to act whose choice is a new one, and who holds them."""
    for seat in transition.people_to_act:
        holder = transition.seats[seat].user_id
        if holder is not None and seat not in transition.unchanged:
            yield seat, holder


def _give(transition: Transition, seat: int, extra: int) -> None:
    given = replace(transition.seats[seat], extra_seconds=extra, extra_version=transition.version)
    transition.seats[seat] = given
    transition.seats_changed = True


def rest_from_the_start(row: Match, people: Sequence[Seat], at: datetime) -> datetime | None:
    """The deadline of a match that begins now; the seats get the time in which they rest."""
    match = snapshot_of(row, ())
    usual = match.next_deadline(at for _ in people)
    if usual is None or not match.counts_days:
        return usual
    rests = rests_of({seat.user_id for seat in people if seat.user_id}, at)
    for seat in people:
        if seat.user_id in rests:
            seat.extra_seconds = _extra(row.turn_seconds, rests[seat.user_id], at)
            seat.extra_version = row.version
    return usual + timedelta(seconds=min(_of_start(seat, row.version) for seat in people))


def _of_start(seat: Seat, version: int) -> int:
    return seat.extra_seconds if seat.extra_version == version else 0


def full_time(match: MatchSnapshot, holder: UUID | None, at: datetime) -> datetime:
    """Until when a person has who gets the whole time for a move now."""
    allowed = timedelta(seconds=match.turn_seconds or 0)
    rests = rests_of([holder], at) if holder and match.counts_days else {}
    return deadline(at, allowed, rests[holder]) if holder in rests else at + allowed


def _extra(turn_seconds: int | None, rest: Rest, at: datetime) -> int:
    """In whole seconds, as the row has them."""
    allowed = timedelta(seconds=turn_seconds or 0)
    return ceil((deadline(at, allowed, rest) - at - allowed).total_seconds())

"""The deadlines of the people to act: each has the full time for each choice.

The match row keeps the deadline that ends first. Those of the other seats are not stored: since
when a seat has its choice follows from the log (``choices_at``), and what it has beyond the limit
for that choice stands in its row. The log is read only where it must be: several people have to act
in a match with a limit, and their times began at different plies.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil

from games.matches.models import Seat
from games.matches.selectors.history import Choice, choices_at
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.transition import Transition


def deadline_after(transition: Transition, at: datetime) -> datetime | None:
    """The match's deadline once these moves are written at this time."""
    match = transition.match
    if match.turn_seconds is None and match.deadline_at is None:
        return None
    people = transition.people_to_act
    unchanged = [seat for seat in people if seat in transition.unchanged]
    if not unchanged:
        return match.next_deadline(at for _ in people)
    if match.deadline_at == match.next_deadline([match.updated_at]):
        return match.deadline_at  # the time of all began with the last ply
    if unchanged == match.people_to_act:
        return match.deadline_at  # it is that of one of them
    choices = choices_at(match, match.version)
    return min(filter(None, (_deadline(match, seat, choices[seat]) for seat in unchanged)))


def current_deadline(match: MatchSnapshot) -> datetime | None:
    """The match's deadline by its log and seats, after another person or bot took over a seat."""
    if not match.turn_seconds or not match.people_to_act:
        return match.deadline_at if match.people_to_act else None
    return min(deadlines(match).values())


def deadlines(match: MatchSnapshot) -> dict[int, datetime]:
    """The deadline of each of the people to act, by seat."""
    choices = choices_at(match, match.version)
    ends = ((seat, _deadline(match, seat, choices[seat])) for seat in match.people_to_act)
    return {seat: until for seat, until in ends if until is not None}


def late_seats(match: MatchSnapshot, now: datetime) -> Iterator[int]:
    """The seats of the people whose time is up."""
    yield from (seat for seat, until in deadlines(match).items() if until <= now)


def extended(deadline: datetime, by: timedelta, now: datetime) -> datetime:
    """A deadline with time added: to what is left of it, or from now on if it has passed."""
    return max(deadline, now) + by


def give_until(match: MatchSnapshot, seat: Seat, until: datetime) -> None:
    """Sets the seat's row to have this deadline for the choice that it has now."""
    choice = choices_at(match, match.version)[seat.index]
    usual = choice.since + timedelta(seconds=match.turn_seconds or 0)
    seat.extra_seconds = ceil((until - usual).total_seconds())
    seat.extra_version = choice.timed_version


def _deadline(match: MatchSnapshot, seat: int, choice: Choice) -> datetime | None:
    """Without a limit only an operator sets one, for all who are to act."""
    usual = match.next_deadline([choice.since])
    if usual is None:
        return match.deadline_at
    return usual + timedelta(seconds=match.seats[seat].extra_at(choice.timed_version))

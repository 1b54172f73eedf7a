"""The deadlines of the people to act: each has the full time for each choice, or a bank.

The match row keeps the deadline that ends first. With a limit for a move those of the other seats
are not stored: since when a seat has its choice follows from the log (``choices_at``), and what it
has beyond the limit for that choice stands in its row. The log is read only where it must be:
several people have to act in a match with a limit, and their times began at different plies. With
banks of time each seat's deadline stands in the row, and is written by the statement of the move.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil

from games.matches.models import Match, Seat
from games.matches.selectors.access import snapshot_of
from games.matches.selectors.history import Choice, choices_at
from games.matches.snapshot import MatchSnapshot, Progress
from games.matches.time_bank import Banks
from games.matches.writing.transition import Transition


def progress_at(transition: Transition, at: datetime) -> Progress:
    """The columns of the match once these moves are written at this time, clocks and all."""
    if transition.match.clock_json is None:
        return transition.progress(at, deadline_after(transition, at))
    banks = _banks_after(transition, at)
    awaited = [seat.index for seat in transition.seats if seat.awaited]
    return transition.progress(at, banks.deadline(awaited), banks.encode())


def is_too_late(transition: Transition, at: datetime) -> bool:
    """Whether the bank of the person who moves is empty at the time that would be written."""
    match = transition.match
    if match.clock_json is None or match.deadline_at is None or transition.caller.user is None:
        return False
    ends = match.banks.ends_of([transition.plies[0].seat or 0]) if match.banks else {}
    return any(end <= at for end in ends.values())


def _banks_after(transition: Transition, at: datetime) -> Banks:
    """Each person who moved is charged; a roll-back gives everybody a full bank again."""
    match, people = transition.match, transition.people_to_act
    banks = match.banks or Banks(0)
    moved = {ply.seat for ply in transition.plies if ply.seat is not None}
    if any(ply.seat is None for ply in transition.plies):
        return banks.terms.begun(banks.people, len(match.seats), people, at)
    if match.deadline_at is None:
        banks = banks.stopped()
    goes_on = moved if match.rules.time_goes_on(transition.state) else ()
    return banks.after(people, moved, goes_on, at)


def deadline_after(transition: Transition, at: datetime) -> datetime | None:
    """The match's deadline once these moves are written at this time."""
    match = transition.match
    if match.turn_seconds is None and match.deadline_at is None:
        return None
    people = transition.people_to_act
    unchanged = [seat for seat in people if seat in transition.unchanged]
    begun = _first_begun(transition, [seat for seat in people if seat not in unchanged], at)
    if not unchanged:
        return begun
    kept = _first_unchanged(transition, unchanged)
    return min(filter(None, (begun, kept)), default=None)


def _first_begun(transition: Transition, seats: Sequence[int], at: datetime) -> datetime | None:
    """The first deadline of the seats whose choice begins with these moves."""
    extra = [
        transition.seats[seat].extra_at(transition.version, transition.version) for seat in seats
    ]
    usual = transition.match.next_deadline(at for _ in seats)
    return usual + timedelta(seconds=min(extra)) if usual else None


def _first_unchanged(transition: Transition, unchanged: Sequence[int]) -> datetime | None:
    """The first deadline of the seats whose choice is what it was."""
    match = transition.match
    as_usual = match.deadline_at == match.next_deadline([match.updated_at])
    if as_usual and not match.counts_days:
        return match.deadline_at  # the time of all began with the last ply
    if unchanged == match.people_to_act:
        return match.deadline_at  # it is that of one of them
    choices = choices_at(match, match.version)
    ends = (_deadline(match, seat, choices[seat]) for seat in unchanged)
    return min(filter(None, ends), default=None)


def current_deadline(match: MatchSnapshot) -> datetime | None:
    """The match's deadline by its log and seats, after another person or bot took over a seat."""
    if not match.has_limit or not match.people_to_act:
        return match.deadline_at if match.people_to_act else None
    return min(deadlines(match).values(), default=None)


def deadlines(match: MatchSnapshot) -> dict[int, datetime]:
    """The deadline of each of the people to act, by seat."""
    if match.banks is not None:
        return match.banks.ends_of(match.people_to_act, match.awaited)
    choices = choices_at(match, match.version)
    ends = ((seat, _deadline(match, seat, choices[seat])) for seat in match.people_to_act)
    return {seat: until for seat, until in ends if until is not None}


def late_seats(match: MatchSnapshot, now: datetime) -> Iterator[int]:
    """The seats of the people whose time is up."""
    yield from (seat for seat, until in deadlines(match).items() if until <= now)


def extended(deadline: datetime, by: timedelta, now: datetime) -> datetime:
    """A deadline with time added: to what is left of it, or from now on if it has passed."""
    return max(deadline, now) + by


def give_all_until(row: Match, seats: Sequence[Seat], until: Mapping[int, datetime]) -> None:
    """Gives each of these seats this deadline for the choice that it has now.

    Writes the seats; the caller writes the row, whose ``deadline_at`` and ``clock`` it sets.
    """
    match = snapshot_of(row, seats)
    if match.banks is not None:
        banks = match.banks if row.deadline_at else match.banks.stopped()
        row.clock = banks.running_until(until, match.awaited).encode()
    else:
        for index, end in until.items():
            give_until(match, seats[index], end)
            seats[index].save(update_fields=["extra_seconds", "extra_version"])
    row.deadline_at = current_deadline(snapshot_of(row, seats)) if until else None


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
    extra = match.seats[seat].extra_at(choice.timed_version, match.version)
    return usual + timedelta(seconds=extra)

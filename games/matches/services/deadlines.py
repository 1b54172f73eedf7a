"""Until when the people to act must have moved: each has the full time for each choice.

The match row keeps the deadline that ends first. Those of the other seats are not stored: since
when a seat has its choice follows from the log (``choices_at``). The log is read only where it must
be: several people have to act in a match with a limit, and their times began at different plies.
"""

from collections.abc import Iterator
from datetime import datetime

from games.matches.selectors.history import choices_at
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot


def deadline_after(transition: Transition, at: datetime) -> datetime | None:
    """The match's deadline once these moves are written at this time."""
    match, people = transition.match, transition.people_to_act
    unchanged = [seat for seat in people if seat in transition.unchanged]
    if not unchanged:
        return match.next_deadline(at for _ in people)
    if match.deadline_at == match.next_deadline([match.updated_at]):
        return match.deadline_at  # the time of all began with the last ply
    if unchanged == match.people_to_act:
        return match.deadline_at  # it is that of one of them
    choices = choices_at(match, match.version)
    return match.next_deadline(choices[seat].since for seat in unchanged)


def late_seats(match: MatchSnapshot, now: datetime) -> Iterator[int]:
    """The seats of the people whose time is up."""
    choices = choices_at(match, match.version)
    for seat in match.people_to_act:
        deadline = match.next_deadline([choices[seat].since])
        if deadline is not None and deadline <= now:
            yield seat

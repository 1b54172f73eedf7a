"""Quiet hours and holidays of those whose choice begins with the moves that are written.

Read in one statement for all matches that are written together (``games.matches.resting``).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from accounts.hours.selectors import rests_of
from games.matches.resting import extra_seconds
from games.matches.writing.transition import Transition


def add_rest(transitions: Sequence[Transition], at: datetime) -> None:
    """Gives each choice that begins with these moves the time in which its person rests."""
    begun = [one for one in transitions if one.match.counts_days]
    people = {holder for one in begun for _, holder in _beginning(one)}
    rests = rests_of(people, at) if people else {}
    for transition in begun if rests else ():
        for seat, holder in list(_beginning(transition)):
            if holder in rests:
                _give(
                    transition,
                    seat,
                    extra_seconds(transition.match.turn_seconds, rests[holder], at),
                )


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

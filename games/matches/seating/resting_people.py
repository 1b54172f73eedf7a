"""Whose clocks stand still at a table, for those who play there or may sit down.

Only where a move has days. A person chose to show that to those they play with, not to
spectators: it tells when they sleep and where they live.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from accounts.hours.counting import Rest
from accounts.hours.models import Holiday
from accounts.hours.selectors import holidays_to_come, rests_of
from games.matches.snapshot import MatchSnapshot

NEVER = Rest()


class Resting(NamedTuple):
    """What holds for the turns of a person that begin now."""

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

"""Names that strangers do not get: of people who hide their profile from all but their friends.

Those whom a match concerns, who sit in it, are invited to it or opened it, know each other. To all
others such a person is ``HIDDEN``, at the table as in every list, feed, picture and record. What is
shown is a copy of the match, or rows that are not to be saved.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

import msgspec

from accounts.models import User
from accounts.social.selectors import hidden_from, hidden_profiles
from games.house_names import HIDDEN
from games.matches.models import Match, Seat
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot

_OF_NAMES: Final = ("names", "answers")


def named_for(
    match: MatchSnapshot, reader: UUID | None, hidden_name: str = HIDDEN
) -> MatchSnapshot:
    """The match with the names that this reader may know; a door says how it calls the others."""
    if match.concerns(reader):
        return match
    people = _people(match.seats)
    hidden = hidden_from(reader, people) if people else ()
    if not hidden:
        return match
    seats = tuple(
        msgspec.structs.replace(seat, name=hidden_name) if _person(seat) in hidden else seat
        for seat in match.seats
    )
    shown = msgspec.structs.replace(match, seats=seats)
    kept = {name: value for name, value in match.__dict__.items() if name not in _OF_NAMES}
    shown.__dict__.update(kept, withholds=True)
    return shown


def with_somebody_hidden(matches: Iterable[MatchSnapshot]) -> set[UUID]:
    """Those of the matches at which somebody hides: their readers do not all get the same names."""
    people = {match.id: _people(match.seats) for match in matches}
    everybody = set[UUID]().union(*people.values())
    hidden = set(hidden_profiles().filter(account__in=everybody)) if everybody else set()
    return {match_id for match_id, each in people.items() if each & hidden}


def name_rows_for(rows: Sequence[Match], reader: UUID | None, hidden_name: str = HIDDEN) -> None:
    """The same in the rows of a list, which were read with their seats, and in their hosts."""
    strange = [row for row in rows if not _concerns(row, reader)]
    people = {row.creator_id for row in strange}.union(*(_people(r.seats.all()) for r in strange))
    hidden = hidden_from(reader, people) if people else set()
    for row in strange if hidden else ():
        for seat in row.seats.all():
            if _person(seat) in hidden:
                seat.name = hidden_name
        if row.creator_id in hidden:
            row.creator = User(pk=row.creator_id, display_name=hidden_name)


def _concerns(row: Match, reader: UUID | None) -> bool:
    people = {seat.user_id or seat.invited_id for seat in row.seats.all()}
    return reader is not None and reader in people | {row.creator_id}


def _people(seats: Iterable[Seat | SeatSnapshot]) -> set[UUID]:
    return {person for seat in seats if (person := _person(seat)) is not None}


def _person(seat: Seat | SeatSnapshot) -> UUID | None:
    """Whose name the seat has; a guest at somebody's device has one of their own."""
    return seat.invited_id if seat.kind == "open" else seat.user_id if seat.kind == "user" else None

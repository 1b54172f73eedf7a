"""Names that strangers do not get: of people who hide their profile from all but their friends.

Those whom a match concerns, who sit in it, are invited to it or opened it, know each other. To all
others such a person is ``HIDDEN``, at the table as in every list, feed, picture and record. What is
shown is a copy of the match, or rows that are not to be saved.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from accounts.models import User
from accounts.social.selectors import hidden_from, hidden_profiles
from games.house_names import HIDDEN
from games.matches.models import Match, Seat
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot

Call: TypeAlias = Callable[[str], str]
_OF_NAMES: Final = ("names", "answers")


def named_for(match: MatchSnapshot, reader: UUID | None, call: Call = str) -> MatchSnapshot:
    """The match with the names that this reader may know, those of the house as a door says them.

    Of the house are the names of computers and of who is hidden: pages translate them.
    """
    people = set() if match.concerns(reader) else _people(match.seats)
    hidden = hidden_from(reader, people) if people else set()
    seats = tuple(_named(seat, hidden, call) for seat in match.seats)
    if seats == match.seats:
        return match
    shown = msgspec.structs.replace(match, seats=seats)
    kept = {name: value for name, value in match.__dict__.items() if name not in _OF_NAMES}
    shown.__dict__.update(kept)
    if hidden:
        shown.__dict__["withholds"] = True
    return shown


def _named(seat: SeatSnapshot, hidden: Collection[UUID], call: Call) -> SeatSnapshot:
    name = HIDDEN if _person(seat) in hidden else seat.name if seat.kind == "bot" else ""
    called = call(name) if name else seat.name
    return seat if called == seat.name else msgspec.structs.replace(seat, name=called)


def with_somebody_hidden(matches: Iterable[MatchSnapshot]) -> set[UUID]:
    """Those of the matches at which somebody hides: their readers do not all get the same names."""
    people = {match.id: _people(match.seats) for match in matches}
    everybody = set[UUID]().union(*people.values())
    hidden = set(hidden_profiles().filter(account__in=everybody)) if everybody else set()
    return {match_id for match_id, each in people.items() if each & hidden}


def name_rows_for(rows: Sequence[Match], reader: UUID | None, call: Call = str) -> None:
    """The same in the rows of a list, which were read with their seats, and in their hosts."""
    strange = [row for row in rows if not _concerns(row, reader)]
    people = {row.creator_id for row in strange}.union(*(_people(r.seats.all()) for r in strange))
    hidden = hidden_from(reader, people) if people else set()
    for row in strange if hidden else ():
        for seat in row.seats.all():
            if _person(seat) in hidden:
                seat.name = call(HIDDEN)
        if row.creator_id in hidden:
            row.creator = User(pk=row.creator_id, display_name=call(HIDDEN))
    computers = (seat for row in rows for seat in row.seats.all() if seat.kind == Seat.Kind.BOT)
    for seat in computers if call is not str else ():
        seat.name = call(seat.name)


def _concerns(row: Match, reader: UUID | None) -> bool:
    people = {seat.user_id or seat.invited_id for seat in row.seats.all()}
    return reader is not None and reader in people | {row.creator_id}


def _people(seats: Iterable[Seat | SeatSnapshot]) -> set[UUID]:
    return {person for seat in seats if (person := _person(seat)) is not None}


def _person(seat: Seat | SeatSnapshot) -> UUID | None:
    """Whose name the seat has; a guest at somebody's device has one of their own."""
    return seat.invited_id if seat.kind == "open" else seat.user_id if seat.kind == "user" else None

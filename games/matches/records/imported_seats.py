"""The people on the seats of a match that was played at another installation.

A record names people only as they were shown there. A person for whom no account of this
installation is given gets one that nobody can sign in to.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.names.shown_names import shown_name
from accounts.services.people import pseudonym
from cardroom.rules.record import RecordedSeat
from games.matches.models import Seat

Accounts: TypeAlias = Mapping[str, User]


class CannotImport(Exception):
    """A record that is in order, but cannot be stored here."""


def seats_of(recorded: Sequence[RecordedSeat], accounts: Accounts) -> list[Seat]:
    """The seats with their people; raises ``CannotImport``."""
    _check_names(recorded)
    seats: list[Seat] = []
    for index, recorded_seat in enumerate(recorded):
        seat = Seat(
            index=index,
            kind=recorded_seat.kind,
            name=recorded_seat.name,
            bot=recorded_seat.bot or "",
        )
        seat.side_deck = None if recorded_seat.side_deck is None else list(recorded_seat.side_deck)
        if recorded_seat.kind == "user":
            seat.user = _person(recorded_seat.name, accounts, seats)
        seats.append(seat)
    device = next((seat.user for seat in seats if seat.user), None)
    for seat in seats:
        if seat.kind == "local":
            seat.user = device or pseudonym(seat.name)
    return seats


def _person(name: str, accounts: Accounts, others: Sequence[Seat]) -> User:
    namesakes = sum(other.name == name for other in others)
    person = accounts.get(name) or pseudonym(name, namesakes)
    if any(other.user == person for other in others):
        raise CannotImport(f"Two of its seats would belong to the account {person.username}.")
    return person


def _check_names(seats: Sequence[RecordedSeat]) -> None:
    for number, seat in enumerate(seats):
        try:
            shown = not seat.name or shown_name(seat.name) == seat.name
        except ValidationError:
            shown = False
        if not shown or (not seat.name and seat.kind != "open"):
            raise CannotImport(f"The name of seat {number} cannot be shown here.")

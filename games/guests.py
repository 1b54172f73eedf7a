"""People at a shared device: such a seat goes by any name, so others read whose guest it is."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import msgspec
from django.utils.translation import gettext

from games.matches.seats import SeatRequest


class NamedSeat(Protocol):
    """A row of a seat or its snapshot."""

    @property
    def kind(self) -> str: ...
    @property
    def user_id(self) -> UUID | None: ...
    @property
    def name(self) -> str: ...


def name_for(seat: NamedSeat, name: str, seats: Sequence[NamedSeat], reader: UUID | None) -> str:
    """``Twin (guest of Ada)``; the bare name for the host, who knows, and of everybody else.

    Computers are called in the reader's language.

    A host without a seat of the own is not named.
    """
    if seat.kind == "bot" and name:
        return gettext(name)
    if seat.kind != "local" or seat.user_id in (None, reader):
        return name
    hosts = (one.name for one in seats if one.kind == "user" and one.user_id == seat.user_id)
    host = next(hosts, "")
    if not host:
        return gettext("{name} (guest)").format(name=name)
    return gettext("{name} (guest of {host})").format(name=name, host=host)


def with_names(seats: Sequence[SeatRequest]) -> list[SeatRequest]:
    """Guests for whom no name was given get one in the reader's language: ``Player 2``."""
    return [_named(seat, number) for number, seat in enumerate(seats, start=1)]


def _named(seat: SeatRequest, number: int) -> SeatRequest:
    if seat.kind != "local" or seat.name:
        return seat
    return msgspec.structs.replace(seat, name=gettext("Player {n}").format(n=number))

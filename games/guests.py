"""Whose guest somebody at a shared device is: such a seat goes by any name, so readers are told."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from django.utils.translation import gettext


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

    A host without a seat of the own is not named.
    """
    if seat.kind != "local" or seat.user_id in (None, reader):
        return name
    hosts = (one.name for one in seats if one.kind == "user" and one.user_id == seat.user_id)
    host = next(hosts, "")
    if not host:
        return gettext("{name} (guest)").format(name=name)
    return gettext("{name} (guest of {host})").format(name=name, host=host)

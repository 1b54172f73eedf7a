"""Somebody wants to take a round back: what the row of a match keeps of it, and nothing secret."""

from datetime import datetime
from typing import Literal

import msgspec

Status = Literal["waiting", "accepted", "declined", "withdrawn"]


class TakeBack(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seat that wants it, the round, and the version at which it was wanted.

    ``at`` is when it was wanted, or settled. With the next move it is over, by its version: nothing
    has to be written for that. ``agreed`` are the seats of the others who accepted. ``tried`` are
    those that wanted it at this version, so that nobody is pressed again and again.
    """

    seat: int
    round: int
    version: int
    at: datetime
    status: Status = "waiting"
    agreed: tuple[int, ...] = ()
    tried: tuple[int, ...] = ()
    declined_by: int | None = None

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    def stands_at(self, version: int) -> bool:
        """Whether it says something about a match at this version.

        Once everybody accepted, the roll-back has made the next version.
        """
        return version == self.version + (self.status == "accepted")


def decoded(text: bytes | None) -> TakeBack | None:
    return None if text is None else msgspec.json.decode(text, type=TakeBack)

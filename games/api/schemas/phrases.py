"""Bodies and answers of what people say at a table."""

from datetime import datetime
from typing import Annotated

import msgspec

from games.api.schemas.fields import Body, SeatIndex


class OfferedPhrase(msgspec.Struct, frozen=True):
    """What may be said; ``picture`` is a sign, whose name is the text, else empty."""

    phrase: str
    text: str
    picture: str


class SaidPhrase(msgspec.Struct, frozen=True):
    """What a seat said, in the reader's language."""

    seat: int
    phrase: str
    text: str
    picture: str
    at: datetime


class Phrases(msgspec.Struct, frozen=True):
    """``offered`` is empty for a reader who cannot speak here; ``said``: in the last minute.

    ``muted`` are the seats whose phrases you do not read, ``muted_all``: you read nobody's.
    """

    offered: list[OfferedPhrase]
    said: list[SaidPhrase]
    muted: list[int]
    muted_all: bool


class NewPhrase(Body, frozen=True):
    """One of the phrases that ``GET`` offers."""

    phrase: Annotated[str, msgspec.Meta(min_length=1, max_length=32)]


class MuteSeat(Body, frozen=True):
    """The person on ``seat``; without it everybody, at every table."""

    seat: SeatIndex | None = None

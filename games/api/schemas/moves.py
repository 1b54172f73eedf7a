"""Moves, resignations and events as JSON."""

from typing import Annotated, Any

import msgspec

from games.api.schemas.fields import Body, SeatIndex, Version


class NewMove(Body, frozen=True):
    move: Annotated[str, msgspec.Meta(max_length=400)]
    version: Version
    seat: SeatIndex | None = None


class Resignation(Body, frozen=True):
    seat: SeatIndex | None = None


class EventsQuery(msgspec.Struct, frozen=True):
    """``limit`` counts versions, so that a version's events always come together."""

    after: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25
    seat: SeatIndex | None = None


class Events(msgspec.Struct, frozen=True):
    """``events``: each with ``version``, ``by`` (who moved), ``move``, ``type``, its own fields."""

    game: str
    version: int
    events: list[dict[str, Any]]

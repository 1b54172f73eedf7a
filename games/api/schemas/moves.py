"""Moves, resignations and events as JSON."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from games.api.schemas.fields import Body, SeatIndex, Version
from games.matches.selectors.log import LogEntry, events_for, move_for
from games.matches.snapshot import MatchSnapshot
from games.rules.values import Event


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


def event_response(entry: LogEntry, move: str, event: Event) -> dict[str, Any]:
    """One event with the facts of its ply; ``move`` as its reader may know it.

    ``seat``, where an event has it, is a field of the event itself.
    """
    facts: dict[str, Any] = msgspec.to_builtins(event)
    return {"version": entry.version, "by": entry.seat, "move": move or None} | facts


def events_response(
    match: MatchSnapshot, entries: Iterable[LogEntry], seat: int | None, *, shows_all: bool
) -> list[dict[str, Any]]:
    """The events of some plies as a seat may know them; ``shows_all``: with every move."""
    return [
        event_response(entry, entry.move if shows_all else move_for(match, entry, seat), event)
        for entry in entries
        for event in events_for(match, entry, seat)
    ]

"""The log of a match: its plies with their events, and which of them a seat may know."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any

import msgspec
from django.db.models import Min

from games.matches.models import Ply, Round
from games.matches.selectors.archive import archived_plies
from games.matches.selectors.secrecy import reading_seat
from games.matches.snapshot import MatchSnapshot, columns
from games.rules.values import Deck, Event

_decks = msgspec.json.Decoder(tuple[Deck, ...])


class LogEntry(msgspec.Struct, frozen=True):
    """A ply of the log with its events decoded, secrets included."""

    version: int
    seat: int | None
    move: str
    events: tuple[Event, ...]
    decks: tuple[Deck, ...]
    at: datetime


def log_entries(
    match: MatchSnapshot, *, after: int = -1, until: int | None = None
) -> Iterator[LogEntry]:
    """The plies with ``after < version <= until`` in order."""
    plies = Ply.objects.filter(match_id=match.id, version__gt=after).order_by("version")
    if until is not None:
        plies = plies.filter(version__lte=until)
    rows: list[tuple[Any, ...]] = list(plies.values_list(*columns(LogEntry)))
    if not rows and after < match.version:
        rows = [_as_row(ply) for ply in archived_plies(match, after, until)]
    for version, seat, move, events, decks, at in rows:
        happened = match.rules.decode_events(bytes(events))
        yield LogEntry(version, seat, move, happened, _decks.decode(decks) if decks else (), at)


def _as_row(ply: Ply) -> tuple[Any, ...]:
    return tuple(getattr(ply, name) for name in columns(LogEntry))


def events_for(match: MatchSnapshot, entry: LogEntry, seat: int | None) -> list[Event]:
    """A ply's events as a seat may know them."""
    reader = reading_seat(match, entry.version, seat)
    return [event.seen_by(reader) for event in entry.events]


def move_for(match: MatchSnapshot, entry: LogEntry, seat: int | None) -> str:
    """A ply's move as a seat may know it: of others' moves the public part."""
    if entry.seat is not None and entry.seat == reading_seat(match, entry.version, seat):
        return entry.move
    return match.rules.public_move(entry.move)


def events_remembered(match: MatchSnapshot, seat: int, remembers: str) -> list[Event]:
    """The events a bot at this seat may remember, at least as far back as ``Bot.remembers``."""
    after = -1
    if remembers == "round":
        rounds = Round.objects.filter(match_id=match.id, undone_at=None)
        after = rounds.get(number=match.round).opening_version - 1
    undone = _undone(match)
    return list(
        chain.from_iterable(
            events_for(match, entry, seat)
            for entry in log_entries(match, after=after)
            if not any(first < entry.version < last for first, last in undone)
        )
    )


def _undone(match: MatchSnapshot) -> list[tuple[int, int]]:
    """For each roll-back: the opening that it went back to, and its own version."""
    undone = Round.objects.filter(match_id=match.id, undone_at__isnull=False)
    spans = undone.order_by().values("undone_at").annotate(first=Min("opening_version"))
    return [(span["first"], span["undone_at"] or 0) for span in spans]


def decks_of(round_decks: bytes) -> tuple[Deck, ...]:
    return _decks.decode(round_decks)

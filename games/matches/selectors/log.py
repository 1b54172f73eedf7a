"""The log of a match: its plies with their events, and which of them a seat may know."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec.structs import replace
from psycopg import pq

from cardroom.rules.text import Words
from cardroom.rules.values import Deck, Event
from config.telemetry.work import as_text
from games.matches.folded import folded_plies
from games.matches.models import Ply, Round
from games.matches.selectors.lineage import NEWEST, chapters, undone_spans
from games.matches.selectors.secrecy import reading_seat
from games.matches.snapshot import MatchSnapshot, columns

_decks = msgspec.json.Decoder(tuple[Deck, ...])


class LogEntry(msgspec.Struct, frozen=True):
    """A ply of the log with its events decoded, secrets included."""

    version: int
    seat: int | None
    move: str
    events: tuple[Event, ...]
    decks: tuple[Deck, ...]
    at: datetime


_PLIES = """
SELECT w.number, {columns}
FROM unnest(%s::uuid[], %s::int[], %s::int[]) WITH ORDINALITY AS w(id, after, until, number)
JOIN games_ply p ON p.match_id = w.id AND p.version > w.after AND p.version <= w.until
"""
_COLUMNS = ", ".join(f"p.{column}" for column in columns(LogEntry))
_WHOLE = _PLIES.format(columns=_COLUMNS)
_WITHOUT_EVENTS = _PLIES.format(columns=_COLUMNS.replace("p.events", "'[]'::bytea"))


def log_entries(
    match: MatchSnapshot, *, after: int = -1, until: int | None = None
) -> Iterator[LogEntry]:
    """The plies with ``after < version <= until`` in order."""
    return iter(entries_between([(match, after, NEWEST if until is None else until)])[0])


def moves_between(match: MatchSnapshot, after: int, until: int) -> list[LogEntry]:
    """The same plies without their events, which are most of a log: enough to play them again."""
    return _entries([(match, after, until)], _WITHOUT_EVENTS)[0]


def entries_between(
    spans: Sequence[tuple[MatchSnapshot, int, int]],
) -> list[list[LogEntry]]:
    """For each (match, after, until) the plies with ``after < version <= until``, in order.

    Those of many matches, and of the pasts that their parents store, are read in one statement.
    """
    return _entries(spans, _WHOLE)


def _entries(
    spans: Sequence[tuple[MatchSnapshot, int, int]], statement: str
) -> list[list[LogEntry]]:
    windows = [window for number, span in enumerate(spans) for window in _windows(number, *span)]
    logs: list[dict[int, LogEntry]] = [{} for _ in spans]
    for window, rows in zip(windows, _stored(windows, statement), strict=True):
        match, entries = spans[window.number][0], logs[window.number]
        for row in rows or _folded(window, match):
            if row[0] not in entries:  # else a newer chapter has replaced it
                entries[row[0]] = _entry(match, row)
    return [[entries[version] for version in sorted(entries)] for entries in logs]


class _Window(NamedTuple):
    """The versions that are read of one match's own rows, for the span of this number."""

    number: int
    match_id: UUID
    after: int
    until: int


def _windows(number: int, match: MatchSnapshot, after: int, until: int) -> Iterator[_Window]:
    """The newest first."""
    for chapter in chapters(match):
        window = _Window(number, chapter.match_id, *chapter.within(after, until))
        if window.after < window.until:
            yield window


_Row = tuple[int, int | None, str, bytes, bytes | None, datetime]


def _stored(windows: Sequence[_Window], statement: str) -> list[list[_Row]]:
    rows: list[list[_Row]] = [[] for _ in windows]
    if not windows:
        return rows
    _, ids, after, until = map(list, zip(*windows, strict=True))
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(statement, [ids, after, until])
        for n, *row in cursor.fetchall():
            rows[n - 1].append(cast("_Row", row))
    return rows


def _folded(window: _Window, match: MatchSnapshot) -> list[_Row]:
    """The rows of a folded match, of which no others are stored.

    A snapshot of what a match was cannot say whether it has any: its version is an earlier one.
    """
    if match.state_json is None:
        return []
    return [_as_row(p) for p in folded_plies(window.match_id, window.after, window.until)]


def _as_row(ply: Ply) -> _Row:
    return cast("_Row", tuple(getattr(ply, name) for name in columns(LogEntry)))


def _entry(match: MatchSnapshot, row: _Row) -> LogEntry:
    version, seat, move, events, decks, at = row
    happened = match.rules.decode_events(bytes(events))
    return LogEntry(version, seat, move, happened, _decks.decode(decks) if decks else (), at)


def events_for(match: MatchSnapshot, entry: LogEntry, seat: int | None) -> list[Event]:
    """A ply's events as a seat may know them; the first ones name those who sit in this match."""
    reader = reading_seat(match, entry.version, seat)
    seen = [event.seen_by(reader) for event in entry.events]
    if entry.version == 0:  # what is stored names who hides, and those of a match loaded from
        names = tuple([seat.name for seat in match.seats])
        for at, event in enumerate(seen):
            if hasattr(event, "names") and event.names != names:
                seen[at] = replace(event, names=names)
    return seen


def move_for(match: MatchSnapshot, entry: LogEntry, seat: int | None) -> str:
    """A ply's move as a seat may know it: of others' moves the public part."""
    if entry.seat is not None and entry.seat == reading_seat(match, entry.version, seat):
        return entry.move
    return match.rules.public_move(entry.move)


def plain_event(entry: LogEntry, move: str, event: Event) -> dict[str, Any]:
    """One event with the facts of its ply; ``move`` as its reader may know it.

    ``seat``, where an event has it, is a field of the event itself.
    """
    facts: dict[str, Any] = msgspec.to_builtins(event)
    return {"version": entry.version, "by": entry.seat, "move": move or None} | facts


def plain_events(
    match: MatchSnapshot, entries: Iterable[LogEntry], seat: int | None, *, shows_all: bool
) -> list[dict[str, Any]]:
    """The events of some plies as a seat may know them; ``shows_all``: with every move."""
    return [
        plain_event(entry, entry.move if shows_all else move_for(match, entry, seat), event)
        for entry in entries
        for event in events_for(match, entry, seat)
    ]


def events_remembered(match: MatchSnapshot, seat: int, remembers: str) -> list[Event]:
    """The events a bot at this seat may remember, at least as far back as ``Bot.remembers``.

    The match may have moved on since it was read; what came after its version is left out, a
    roll-back too.
    """
    after, version = -1, match.version
    if remembers == "round":
        begun = Round.objects.filter(match_id=match.id, number=match.round)
        valid = begun.filter(Q(undone_at=None) | Q(undone_at__gt=version))
        after = valid.get(opening_version__lte=version).opening_version - 1
    return list(
        chain.from_iterable(
            events_for(match, entry, seat)
            for entry in standing_entries(match, after=after, until=version)
        )
    )


def standing_entries(
    match: MatchSnapshot, *, after: int = -1, until: int | None = None
) -> list[LogEntry]:
    """The plies that count: those of ``log_entries`` without what a roll-back undid.

    The match's best moments, its picture and its figures are made from these.
    """
    undone = undone_spans(match)
    return [
        entry
        for entry in log_entries(match, after=after, until=until)
        if not any(first < entry.version < last for first, last in undone)
    ]


def decks_of(round_decks: bytes) -> tuple[Deck, ...]:
    return _decks.decode(round_decks)


def somebody_plays() -> bool:
    """Whether a person has moved within the last half minute: the newest plies say so."""
    with connection.cursor() as cursor:
        cursor.execute(_SOMEBODY_PLAYS, [timezone.now()])
        return bool(cursor.fetchone()[0])


_SOMEBODY_PLAYS: Final = """
SELECT EXISTS (SELECT FROM (SELECT match_id, seat, at FROM games_ply ORDER BY id DESC LIMIT 100) p
    JOIN games_seat s ON s.match_id = p.match_id AND s.index = p.seat
    WHERE p.at > %s - interval '30 seconds' AND s.kind IN ('user', 'local') AND s.stand_in = '')
"""

# A match ply by ply, for operators and replays: who moved, after how long, what happened.


class TimelineRow(msgspec.Struct, frozen=True):
    """One ply in words, as one reader may know it; ``thought`` is the time since the ply before.

    ``request`` is the id of the request or task that wrote it; older plies have none.
    """

    version: int
    mover: str
    kind: str
    move: str
    words: tuple[Words, ...]
    thought: timedelta | None
    at: datetime
    request: str


def timeline(
    match: MatchSnapshot, first: int, last: int, seat: int | None = None
) -> list[TimelineRow]:
    """The plies from ``first`` to ``last`` as a seat (``None``: a spectator) may know them."""
    entries = log_entries(match, after=first - 2, until=last)
    return timeline_of(match, entries, plies_with_requests(match, first, last), first, seat)


def timeline_of(
    match: MatchSnapshot,
    log: Iterable[LogEntry],
    plies: Iterable[Ply],
    first: int,
    seat: int | None,
) -> list[TimelineRow]:
    """The same of what was read already, the ply before the first one included."""
    entries: list[LogEntry | None] = list(log)
    if first <= 0:
        entries.insert(0, None)
    requests = {ply.version: as_text(ply.request or 0) for ply in plies}
    return [
        replace(row, request=requests.get(row.version, "")) for row in _rows(match, entries, seat)
    ]


def plies_with_requests(match: MatchSnapshot, first: int, last: int) -> QuerySet[Ply]:
    """With the ids of the requests and tasks that wrote them, as in the log."""
    plies = Ply.objects.filter(match_id=match.id, version__range=(max(0, first), last))
    return plies.exclude(request=None).order_by().only("version", "request")


def _rows(
    match: MatchSnapshot, entries: list[LogEntry | None], seat: int | None
) -> Iterator[TimelineRow]:
    for before, entry in pairwise(entries):
        if entry is None:
            continue
        sentences = [
            match.rules.sentence(event, match.names) for event in events_for(match, entry, seat)
        ]
        mover, kind = _mover(match, entry)
        yield TimelineRow(
            version=entry.version,
            mover=mover,
            kind=kind,
            move=move_for(match, entry, seat),
            words=tuple(sentence for sentence in sentences if str(sentence)),
            thought=entry.at - before.at if before else None,
            at=entry.at,
            request="",
        )


def _mover(match: MatchSnapshot, entry: LogEntry) -> tuple[str, str]:
    if entry.seat is None:
        return "dealer" if entry.version == 0 else "operator", "cards"
    seat = match.seats[entry.seat]
    if seat.kind == "bot":
        return match.names[seat.index], f"bot {seat.bot}"
    if seat.resigned_at is not None and entry.version > seat.resigned_at:
        return match.names[seat.index], "bot for who resigned"
    return match.names[seat.index], "at a shared device" if seat.kind == "local" else "person"

"""A match ply by ply, for operators and replays: who moved, after how long, what happened."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from cardroom.rules.text import Words
from config.telemetry.work import as_text
from games.matches.models import Ply
from games.matches.selectors.log import LogEntry, events_for, log_entries, move_for
from games.matches.snapshot import MatchSnapshot


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
    entries: list[LogEntry | None] = list(log_entries(match, after=first - 2, until=last))
    if first <= 0:
        entries.insert(0, None)
    requests = _requests(match, first, last)
    return [
        replace(row, request=requests.get(row.version, "")) for row in _rows(match, entries, seat)
    ]


def _requests(match: MatchSnapshot, first: int, last: int) -> dict[int, str]:
    """The ids of the requests and tasks that wrote the plies, as in the log."""
    plies = Ply.objects.filter(match_id=match.id, version__range=(max(0, first), last))
    requests = plies.exclude(request=None).order_by().values_list("version", "request")
    return {version: as_text(request) for version, request in requests}


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

"""The series of two people, for their profiles: a line each, the newest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from games.lobby.models import SeriesMatch
from games.lobby.rematches.series import series_of
from games.matches.selectors.changes import matches_by_id
from games.matches.selectors.withheld import named_for
from games.matches.snapshot import MatchSnapshot

SHOWN: Final = 10
LOOKED_AT: Final = 100  # matches


class Line(NamedTuple):
    """``own`` and ``other`` are matches won; ``match`` is the last one."""

    game: str
    opponent: str
    own: int
    other: int
    match: UUID | None
    at: datetime


def series_of_person(account: UUID, reader: UUID | None) -> list[Line]:
    """Those whose last match the reader may find: public, or their own; against one person."""
    return list(_lines(account, reader))[:SHOWN]


def _lines(account: UUID, reader: UUID | None) -> Iterator[Line]:
    rows = SeriesMatch.objects.filter(match__seats__user=account, match__status="finished")
    newest: dict[UUID, UUID] = {}
    for row in rows.order_by("-match_id").distinct()[:LOOKED_AT]:
        newest.setdefault(row.series, row.match_id)
    matches = matches_by_id(list(newest.values())[: 2 * SHOWN])
    for match in sorted(matches.values(), key=lambda one: one.id, reverse=True):
        if match.visibility == "public" or match.seats_of(reader):
            yield from _line(named_for(match, reader), account)


def _line(match: MatchSnapshot, account: UUID) -> Iterator[Line]:
    others = [seat for seat in match.seats if seat.user_id not in (None, account)]
    own = match.seats_of(account)
    if len(match.seats) != 2 or len(own) != 1 or len(others) != 1:
        return
    series = series_of(match)
    if series is not None:
        wins, other = series.wins, others[0].index
        at = match.finished_at or match.updated_at
        yield Line(match.game, match.names[other], wins[own[0]], wins[other], match.id, at)

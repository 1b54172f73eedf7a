"""Answers about the rematch of a match, and about the series it belongs to."""

from typing import Any
from uuid import UUID

import msgspec

from games.api.schemas.fields import Status
from games.lobby.rematches.series import Series
from games.lobby.rematches.standing import Standing


class SeriesJson(msgspec.Struct, frozen=True):
    """``wins`` by seat of the match that was asked about; ``id`` is that of the first match.

    ``matches`` are those that are finished, ``draws`` those of them that nobody won.
    """

    id: UUID
    matches: int
    draws: int
    wins: list[int]


class RematchJson(msgspec.Struct, frozen=True):
    """The newest rematch, null while nobody wants one; the lists name seats of this match.

    ``wants`` are those who want it, ``awaited`` those who have not answered, ``declined`` those
    who said no. ``series`` is null until a match of one is finished.
    """

    match: UUID | None
    status: Status | None
    wants: list[int]
    awaited: list[int]
    declined: list[int]
    series: SeriesJson | None


def rematch_response(standing: Standing | None, series: Series | None) -> RematchJson:
    score = SeriesJson(series.id, series.matches, series.draws, [*series.wins]) if series else None
    if standing is None:
        return RematchJson(None, None, [], [], [], score)
    status: Any = standing.status
    return RematchJson(
        match=standing.match,
        status=status,
        wants=[*standing.wants],
        awaited=[*standing.awaited],
        declined=[*standing.declined],
        series=score,
    )

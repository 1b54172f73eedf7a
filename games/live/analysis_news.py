"""News of analyses in the stream of an account: one that it asked for is finished."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID
from zlib import crc32

import msgspec

from games.coaching import selectors
from games.coaching.models import Analysis


class AnalysisNews(msgspec.Struct, frozen=True):
    """The analysis of this match is there: ``GET matches/<id>/analysis``."""

    type: Literal["analysed"]
    match: UUID
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.type} {self.match} {self.at.timestamp()}".encode())


def analysis_news(user: UUID, since: datetime) -> list[AnalysisNews]:
    return [_news(row) for row in selectors.finished_since([user], since)]


def requesters_with_news(users: Sequence[UUID], since: datetime) -> set[UUID]:
    rows = selectors.finished_since(users, since)
    return {row.requester_id for row in rows if row.requester_id is not None}


def _news(row: Analysis) -> AnalysisNews:
    return AnalysisNews("analysed", row.match_id, row.finished_at or row.created_at)

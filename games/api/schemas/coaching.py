"""Answers about analyses of matches."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from games.coaching.judging.advice import AdvisedMove
from games.coaching.judging.summary import SeatSummary
from games.coaching.judging.verdicts import Verdict


class AnalysisJson(msgspec.Struct, frozen=True):
    """`reached` of `decisions` are judged; the latter is null until a worker has begun.

    Chances are those of the deciding seat to win the match, from 0 to 1, judged from what it could
    know. `seats` and `verdicts` are empty until the analysis is finished.
    """

    match: UUID
    status: Literal["running", "finished", "failed"]
    reached: int
    decisions: int | None
    seats: list[SeatSummary]
    verdicts: list[Verdict]
    created_at: datetime
    finished_at: datetime | None
    links: dict[str, str]


class HintJson(msgspec.Struct, frozen=True):
    """A hint for your seat at this version of the match.

    `moves` from the best to the worst, judged from what your seat knows; empty while it is
    `running`, and where there is nothing to weigh.
    """

    match: UUID
    version: int
    seat: int
    status: Literal["running", "finished"]
    moves: tuple[AdvisedMove, ...]

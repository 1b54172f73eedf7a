"""Reads of analyses."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from games.coaching.judging.summary import SeatSummary
from games.coaching.judging.verdicts import Verdict
from games.coaching.judging.weighing import VERSION
from games.coaching.models import Analysis

_verdicts = msgspec.json.Decoder(list[Verdict])
_summary = msgspec.json.Decoder(list[SeatSummary])


def find(match_id: UUID) -> Analysis | None:
    """The analysis by the coach of today."""
    return Analysis.objects.filter(match_id=match_id, version=VERSION).first()


def running_of(owners: Collection[UUID]) -> QuerySet[Analysis]:
    return Analysis.objects.filter(requester__in=owners, status="running")


def finished_since(requesters: Collection[UUID], moment: datetime) -> QuerySet[Analysis]:
    """The oldest first."""
    finished = Analysis.objects.filter(requester__in=requesters, finished_at__gt=moment)
    return finished.defer("verdicts", "summary").order_by("finished_at")


def verdicts_of(row: Analysis) -> list[Verdict]:
    return _verdicts.decode(bytes(row.verdicts))


def summary_of(row: Analysis) -> list[SeatSummary]:
    """Empty until it is finished."""
    return [] if row.summary is None else _summary.decode(bytes(row.summary))

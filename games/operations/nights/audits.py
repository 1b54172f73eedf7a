"""Replay audits: matches that changed since the last one are played again every night and compared.

A match that moves while it is read is read again. Faults are kept, logged and shown on the
dashboard. A match at fault is looked at in each later audit too, until it follows again; it is told
once, and named from then on with the day on which it was. A match that cannot be read is at fault.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from config.tasks import rows
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.matches.history import verification
from games.matches.models import Match
from games.matches.selectors.access import SERVICE, find_match
from games.operations.models import ReplayAudit

NAMED: Final = 50  # faulty matches that an audit names
MARGIN: Final = timedelta(minutes=10)  # audits overlap by it
LOOKS: Final = 3  # at a match that moves meanwhile
NAME: Final = "audits"

log = structlog.get_logger(__name__)


def faults_of(match_id: UUID) -> list[str]:
    """The faults of a match, of a running one too; a deleted one has none."""
    for _ in range(LOOKS):
        before = find_match(match_id, SERVICE)
        if before is None:
            return []
        faults = list(verification.faults(before.match))
        after = find_match(match_id, SERVICE)
        if not faults or (after and after.match.version == before.match.version):
            return faults
    return []  # it moves too fast to be read; the next audit has it again


def changed(
    since: datetime | None, until: datetime | None = None, named: Collection[str] = ()
) -> QuerySet[Match]:
    """The matches that changed from one time to another and those named, by their ids.

    Without its game no match can be played again.
    """
    matches = Match.objects.filter(of_installed_games()).order_by("id")
    matches = matches.filter(updated_at__lte=until) if until else matches
    if since is None:
        return matches
    wanted = Q(updated_at__gte=since)
    return matches.filter(wanted | Q(id__in=named) if named else wanted)


def at_fault(audit: ReplayAudit | None = None) -> dict[tuple[str, str], str]:
    """By match and fault what the last audit before this one named, and when it was told."""
    over = ReplayAudit.objects.filter(finished_at__isnull=False)
    before = (over.exclude(pk=audit.pk) if audit else over).first()
    if before is None:
        return {}
    day = f"{before.until:%Y-%m-%d}"
    return {(match, fault): "".join(known) or day for match, fault, *known in before.faults}


def start() -> ReplayAudit:
    """Starts an audit of all matches that changed since the last one began."""
    before = ReplayAudit.objects.filter(finished_at__isnull=False).first()
    since, until = before.until - MARGIN if before else None, timezone.now()
    total = changed(since, until, [match for match, _ in at_fault()]).count()
    return ReplayAudit.objects.create(since=since, until=until, total=total)


def work_off(audit_id: int) -> None:
    """Checks matches while the budget lasts."""
    while _next(audit_id):
        if rows.is_over():
            rows.more()
            return


def work_off_all() -> None:
    unfinished = ReplayAudit.objects.filter(finished_at=None).order_by("worked_at")
    rows.each(NAME, list(unfinished.values_list("id", flat=True)[:5]), work_off)


def _next(audit_id: int) -> bool:
    """Checks one match; whether one was left. Two tasks of an audit take turns by its row."""
    with transaction.atomic():
        audit = ReplayAudit.objects.select_for_update().get(pk=audit_id)
        if audit.finished_at is not None:
            return False
        named = [match for match, _ in at_fault(audit)]
        left = changed(audit.since, named=named)  # also what has changed again since
        left = left.filter(created_at__lte=audit.until)
        left = left.filter(id__gt=audit.last) if audit.last else left
        match_id = left.values_list("id", flat=True).first()
        audit.worked_at = timezone.now()
        if match_id is None:
            audit.finished_at = audit.worked_at
        else:
            note(audit, match_id, _faults_or_failure(match_id))
        audit.save()
        return match_id is not None


def _faults_or_failure(match_id: UUID) -> list[str]:
    name = f"match {match_id}"
    done, faults = rows.attempt(NAME, name, lambda: faults_of(match_id), savepoint=True)
    return list(faults) if done else ["It cannot be read."]


def note(audit: ReplayAudit, match_id: UUID, faults: list[str]) -> None:
    """Adds the faults of one match to an audit, which the caller saves; counted are new ones."""
    audit.last, audit.checked = match_id, audit.checked + 1
    if not faults:
        return
    fault = faults[0].partition(":")[0]  # what the rules say after it may name a hidden card
    known_since = at_fault(audit).get((str(match_id), fault))
    if known_since is None:
        audit.faulty += 1
        log.error("match_does_not_follow", match=str(match_id), fault=fault)
    if len(audit.faults) < NAMED:
        audit.faults.append([str(match_id), fault, *([known_since] if known_since else [])])


AUDITS: Final = Duty(
    name=NAME,
    kind="long",
    piece=work_off_all,
    due="""
SELECT NULL::timestamptz, id::text FROM operations_replayaudit WHERE finished_at IS NULL""",
)

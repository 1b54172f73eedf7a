"""Acts on many matches: a draft is confirmed with a reason, then a duty works it off.

A match that refuses does not stop the others; each has its result. The row says what is left, so a
lost task or a killed worker costs time only.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import Error, transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from games.operations.models import BulkResult, BulkRun
from games.operations.refereeing.acts import ACTS
from games.operations.refereeing.judgements import FAULTS

MOST: Final = 1000
NAME: Final = "bulk runs"

logger = structlog.get_logger(__name__)


class TooManyMatches(Refusal, status=422):
    """One run takes at most 1000 matches."""


def draft(*, act: str, match_ids: Sequence[UUID], user: User) -> BulkRun:
    """Drafts a run; nothing happens before ``confirm``."""
    if len(match_ids) > MOST:
        raise TooManyMatches
    with transaction.atomic():
        run = BulkRun.objects.create(act=act, match_ids=list(match_ids), actor=user)
        log.write(user, "draft_bulk_run", "bulk_run", run.pk, str(run))
    return run


def confirm(*, run_id: UUID, user: User, reason: str, values: Mapping[str, Any]) -> None:
    """Starts a draft of one's own; raises ``ReasonMissing``."""
    by = Actor.of(user, reason)
    with transaction.atomic():
        run = BulkRun.objects.select_for_update().filter(id=run_id, actor=user).first()
        if run is None or run.confirmed_at is not None:
            raise NotAllowed("This run was started already, or another operator drafted it.")
        run.confirmed_at = run.worked_at = timezone.now()
        run.reason, run.values = reason.strip(), dict(values)
        run.save(update_fields=["confirmed_at", "worked_at", "reason", "values"])
        log.record(by, "start_bulk_run", "bulk_run", run.pk, str(run), matches=len(run.match_ids))
        after_commit.when_committed(lambda: duties.announce(NAME))


def work_off(run_id: UUID) -> None:
    """Acts on the rest of a run while the budget lasts."""
    while _next(run_id):
        if rows.is_over():
            rows.more()
            return


def work_off_all() -> None:
    unfinished = BulkRun.objects.filter(confirmed_at__isnull=False, finished_at=None)
    ids = list(unfinished.order_by("worked_at").values_list("id", flat=True)[:20])
    rows.each(NAME, ids, work_off, gives_up=True)


def _next(run_id: UUID) -> bool:
    """Acts on one match; whether one was left. Two tasks of a run take turns by its row."""
    with transaction.atomic():
        run = BulkRun.objects.select_for_update().get(id=run_id)
        if run.confirmed_at is None or run.is_over:
            return False
        if run.done < len(run.match_ids):
            _act(run, run.match_ids[run.done])
            run.done += 1
        run.worked_at = timezone.now()
        if run.done == len(run.match_ids):
            run.finished_at = run.worked_at
        run.save(update_fields=["done", "worked_at", "finished_at"])
        return not run.is_over


def _act(run: BulkRun, match_id: UUID) -> None:
    succeeded, sentence = _outcome(run, match_id)
    BulkResult.objects.update_or_create(
        run=run, match_id=match_id, defaults={"succeeded": succeeded, "said": sentence[:500]}
    )


def _outcome(run: BulkRun, match_id: UUID) -> tuple[bool, str]:
    """Acts if the operator still may: rights may have been taken meanwhile."""
    act = ACTS[run.act]
    if run.actor is None or not run.actor.is_active or not run.actor.has_perm(act.permission):
        return False, "The operator may not do this any more."
    try:
        with transaction.atomic():
            sentence = act.apply(match_id, Actor.of(run.actor, run.reason), run.values)
            return not sentence.startswith(FAULTS), sentence
    except Refusal as refused:
        return False, str(refused)
    except Error:
        raise
    except Exception:
        logger.exception("bulk_act_failed", run=str(run.id), match=str(match_id))
        return False, "It failed; the log of the worker says why."


BULK_RUNS: Final = Duty(
    name=NAME,
    piece=work_off_all,
    due="""
SELECT NULL::timestamptz, id::text FROM operations_bulkrun
WHERE confirmed_at IS NOT NULL AND finished_at IS NULL""",
)

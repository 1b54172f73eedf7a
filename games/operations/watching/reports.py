"""Reports of players: written at the table, assigned and resolved in the admin."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed, Refusal
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.operations.models import PlayerReport
from games.operations.refereeing.conflicts import check_report
from games.phrases.selectors import last_minute_of


class AlreadyReported(Refusal, status=409):
    """You have reported this already; an operator will look at it."""


class BadReport(Refusal, status=422):
    """Choose one of the reasons, and a seat of this match."""


def report(*, match_id: UUID, user: User, seat: int | None, reason: str, text: str) -> None:
    """Reports a seat, or (``None``) the match itself, as it stands now."""
    access = find_match(match_id, Caller(user=user.pk))
    if access is None or not access.match.is_visible_to(user.pk):
        raise NoSuchMatch
    match = access.match
    if not match.seats_of(user.pk):
        raise NotAllowed("Only who plays this match can report it.")
    if reason not in PlayerReport.Reason.values or (seat is not None and seat >= len(match.seats)):
        raise BadReport
    reported = match.seats[seat].user_id if seat is not None else None
    try:
        with transaction.atomic():
            PlayerReport.objects.create(
                match_id=match_id,
                ply=match.version,
                seat=seat,
                reporter=user,
                reported_id=reported,
                reason=reason,
                text=text.strip()[:500],
                evidence=_last_minute(match_id),
            )
    except IntegrityError:
        raise AlreadyReported from None


def _last_minute(match_id: UUID) -> list[dict[str, Any]] | None:
    """What was said, by seat: it is forgotten elsewhere after a day."""
    rows = last_minute_of(match_id)
    return [{"seat": row.seat, "phrase": row.phrase, "at": row.at} for row in rows] or None


def assign(*, report_id: int, user: User) -> None:
    with transaction.atomic():
        row = PlayerReport.objects.select_for_update().get(pk=report_id)
        check_report(row, user.pk)
        if row.resolved_at is not None:
            raise AlreadyReported("This report is resolved already.")
        row.assignee = user
        row.save(update_fields=["assignee"])
        log.write(user, "assign_report", "match", row.match_id, str(row), report=row.pk)


def resolve(*, report_id: int, by: Actor) -> str:
    """Closes a report; the reason says what was done about it."""
    with transaction.atomic():
        row = PlayerReport.objects.select_for_update().get(pk=report_id)
        check_report(row, by.id)
        if row.resolved_at is not None:
            raise AlreadyReported("This report is resolved already.")
        row.resolution, row.resolved_at = by.reason.strip(), timezone.now()
        row.save(update_fields=["resolution", "resolved_at"])
        log.record(by, "resolve_report", "match", row.match_id, str(row), report=row.pk)
    return "Resolved."

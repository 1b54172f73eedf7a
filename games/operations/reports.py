"""Reports of players: written at the table, assigned, resolved and reopened in the admin.

An appeal is one, too: what a suspended person answers, once. Its writer is told the outcome: of a
report by a notice; of an appeal on the page that says why they are suspended, as they see no other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import PersonNotice, Suspension
from accounts.models import User
from accounts.notifications.outbox import owe
from config.refusals import NotAllowed, Refusal
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.operations.models import PlayerReport
from games.operations.refereeing import check_report
from games.phrases.speaking import last_minute_of


class AlreadyReported(Refusal, status=409):
    """You have reported this already; an operator will look at it."""


class BadReport(Refusal, status=422):
    """Choose one of the reasons, and a seat of this match."""


class CannotAppeal(Refusal, status=409):
    """You have answered already, or your suspension is over."""


TEXT_LENGTH: Final = 500
OF_MATCHES: Final = {*PlayerReport.Reason.values} - {PlayerReport.Reason.APPEAL.value}
CLOSED_NOTICE: Final = "An operator has looked at what you wrote, and has closed it. Thank you."


def appeal(suspension_id: int, text: str) -> None:
    """The answer of a suspended person, once (``config.offers``)."""
    with transaction.atomic():
        rows = Suspension.objects.select_for_update().filter(pk=suspension_id, lifted_at=None)
        row = rows.first()
        if row is None or not text.strip() or appeal_of(suspension_id) is not None:
            raise CannotAppeal
        earlier = PlayerReport.objects.filter(reporter=row.user_id, match=None, resolved_at=None)
        earlier.update(resolved_at=timezone.now(), resolution="That suspension is over.")
        PlayerReport.objects.create(
            suspension=row,
            ply=0,
            reporter_id=row.user_id,
            reason=PlayerReport.Reason.APPEAL.value,
            text=text.strip()[:TEXT_LENGTH],
        )


def appeal_of(suspension_id: int) -> tuple[str, str] | None:
    """The appeal, and what the operators said to it so far (``config.offers``)."""
    row = PlayerReport.objects.filter(suspension=suspension_id).first()
    return (row.text, row.answer if row.resolved_at else "") if row is not None else None


def report(*, match_id: UUID, user: User, seat: int | None, reason: str, text: str) -> None:
    """Reports a seat, or (``None``) the match itself, as it stands now."""
    access = find_match(match_id, Caller(user=user.pk))
    if access is None or not access.match.is_visible_to(user.pk):
        raise NoSuchMatch
    match = access.match
    if not match.seats_of(user.pk):
        raise NotAllowed("Only its players can report this match.")
    if reason not in OF_MATCHES or (seat is not None and seat >= len(match.seats)):
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
                text=text.strip()[:TEXT_LENGTH],
                evidence=_last_minute(match_id),
            )
    except IntegrityError:
        raise AlreadyReported from None


def _last_minute(match_id: UUID) -> list[dict[str, Any]] | None:
    """Phrases that were said, by seat: they are forgotten elsewhere after a day."""
    rows = last_minute_of(match_id)
    return [{"seat": row.seat, "phrase": row.phrase, "at": row.at} for row in rows] or None


def assign(*, report_id: int, user: User) -> None:
    with _open_report(report_id, user.pk) as row:
        row.assignee = user
        row.save(update_fields=["assignee"])
        log.write(user, "assign_report", *_subject(row), report=row.pk)


def resolve(*, report_id: int, by: Actor, answer: str = "") -> str:
    """Closes a report; the reason says what was done, ``answer`` is what its writer is told."""
    with _open_report(report_id, by.id) as row:
        row.resolution, row.resolved_at = by.reason.strip(), timezone.now()
        row.answer = answer.strip()[:TEXT_LENGTH] or CLOSED_NOTICE
        row.save(update_fields=["resolution", "resolved_at", "answer"])
        log.record(by, "resolve_report", *_subject(row), report=row.pk)
        if row.suspension_id is None:
            _tell(row.reporter_id, row.answer)
    return "Resolved. Its writer is told."


def reopen(*, report_id: int, by: Actor) -> str:
    """It is to be looked at again; what was said before stands in the audit log."""
    with transaction.atomic():
        row = PlayerReport.objects.select_for_update().get(pk=report_id)
        check_report(row, by.id)
        if row.resolved_at is None:
            raise AlreadyReported("This report is open.")
        log.record(by, "reopen_report", *_subject(row), report=row.pk, was=row.resolution)
        row.resolved_at, row.resolution = None, ""
        try:
            with transaction.atomic():
                row.save(update_fields=["resolution", "resolved_at"])
        except IntegrityError:
            raise AlreadyReported("The same was reported again, and that is open.") from None
    return "Open again."


@contextmanager
def _open_report(report_id: int, reader: UUID | None) -> Iterator[PlayerReport]:
    with transaction.atomic():
        row = PlayerReport.objects.select_for_update().get(pk=report_id)
        check_report(row, reader)
        if row.resolved_at is not None:
            raise AlreadyReported("This report is resolved already.")
        yield row


def _tell(user_id: UUID, text: str) -> None:
    """A notice, and what they have chosen beside it."""
    notice = PersonNotice.objects.create(user_id=user_id, text=text)
    owe(user_id, "operator", f"operator:{notice.pk}", {"notice": str(notice.pk)})


def _subject(row: PlayerReport) -> tuple[str, object, str]:
    """Of the audit log."""
    if row.match_id is None:
        return "person", row.reporter_id, str(row)
    return "match", row.match_id, str(row)

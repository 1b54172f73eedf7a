"""Reports of players: written at the table; assigned, acted on, resolved and reopened in the admin.

An appeal is one, too: what a suspended person answers, once. Its writer is told the outcome: of a
report by a notice; of an appeal on the page that says why they are suspended, as they see no other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import IntegrityError, models, transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import PersonNotice, Suspension
from accounts.audit.wording import CLOSED_NOTICE, written_for
from accounts.models import User
from accounts.notifications.outbox import owe
from config.refusals import NotAllowed, Refusal
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.operations import people, undoing
from games.operations.models import PlayerReport
from games.operations.refereeing import check_person, check_report
from games.phrases.speaking import last_minute_of, silence


class AlreadyReported(Refusal, status=409):
    """You have reported this already; an operator will look at it."""


class BadReport(Refusal, status=422):
    """Choose one of the reasons, and a seat of this match."""


class CannotAppeal(Refusal, status=409):
    """You have answered already, or your suspension is over."""


TEXT_LENGTH: Final = 500
OF_MATCHES: Final = {*PlayerReport.Reason.values} - {PlayerReport.Reason.APPEAL.value}


# Acts from the page of a report: the next silence or suspension is longer than the one before.

STATE: Final = ("resolution", "resolved_at")
LENGTHS: Final = {"silence": (1, 7, 30), "suspend": (1, 3, 7, 30, 90)}  # days; then for good
_EARLIER: Final = """ARRAY[
(SELECT count(*) FROM operations_playerreport r WHERE r.reported_id = {person} AND r.at > {since}),
(SELECT count(*) FROM audit_entry e WHERE e.subject_type = 'person' AND e.action = 'warn'
    AND e.subject_id = {person}::text AND e.at > {since}),
(SELECT count(*) FROM phrases_silence s WHERE s.account_id = {person} AND s.at > {since}),
(SELECT count(*) FROM audit_suspension s WHERE s.user_id = {person} AND s.at > {since}
    AND (s.lifted_at IS NULL OR s.lifted_at > s.at + interval '1 hour'))]"""
_PERSON: Final = """coalesce(operations_playerreport.reported_id,
CASE WHEN operations_playerreport.match_id IS NULL THEN operations_playerreport.reporter_id END)"""


class Earlier(NamedTuple):
    """Trouble with a person within a year; a suspension that was undone within the hour is none."""

    reports: int
    warnings: int
    silences: int
    suspensions: int

    def __str__(self) -> str:
        words = ("report", "warning", "silence", "suspension")
        each = zip(self, words, strict=True)
        return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in each if n) or "nothing"

    def days(self, what: str) -> int | None:
        """The length of the next one; ``None``: for good."""
        before = {"silence": self.silences, "suspend": self.suspensions}[what]
        return LENGTHS[what][before] if before < len(LENGTHS[what]) else None

    def label(self, what: str) -> str:
        if what not in LENGTHS:
            return what
        days = self.days(what)
        return f"{what} for good" if days is None else f"{what}, days: {days}"


def with_earlier(rows: QuerySet[Any], person: str = _PERSON) -> QuerySet[Any]:
    """Rows with ``earlier_counts``, an ``Earlier`` of the person whose id this SQL names."""
    sql = _EARLIER.format(person=person, since="now() - interval '1 year'")
    counts = RawSQL(sql, (), output_field=ArrayField(models.IntegerField()))  # noqa: S611 - our own
    annotated: QuerySet[Any] = rows.annotate(earlier_counts=counts)
    return annotated


def resolve(
    *,
    report_id: int,
    by: Actor,
    what: str = "nothing",
    days: int | None = None,
    words: str = "",
    answer: str = "",
) -> str:
    """Closes a report with an act on its person; one that is refused or fails leaves it open.

    It is closed before, so that of two operators at once one acts. The reason says what was done,
    ``words`` is what the person reads, ``answer`` what the writer reads.
    """
    with _open_report(report_id, by.id) as row:
        row.resolution, row.resolved_at = by.reason.strip(), timezone.now()
        row.save(update_fields=STATE)
    try:
        done = act_on(row.person, by, what, days, words) if row.person and what != "nothing" else ""
    except Exception:
        _open_again(row)
        raise
    with transaction.atomic():
        usual = written_for(row.reporter, CLOSED_NOTICE)
        row.answer = answer.strip()[:TEXT_LENGTH] or usual
        if row.assignee_id is None:
            row.assignee_id = by.id
        row.save(update_fields=["answer", "assignee"])
        log.record(by, "resolve_report", *_subject(row), report=row.pk)
        if row.suspension_id is None:
            _tell(row.reporter_id, row.answer)
    return f"{done} Resolved. Its writer is told.".strip()


def _open_again(row: PlayerReport) -> None:
    row.resolution, row.resolved_at = "", None
    try:
        with transaction.atomic():
            row.save(update_fields=STATE)
    except IntegrityError:
        raise AlreadyReported("The same was reported again, and that is open.") from None


def act_on(person: User, by: Actor, what: str, days: int | None, words: str) -> str:
    """Warns, silences, suspends (``days``: none for good) or lifts a suspension."""
    check_person(person.pk, by)
    until = None if days is None else timezone.now() + timedelta(days=days)
    if what == "suspend":
        resigns = until is None
        return undoing.suspend(user_id=person.pk, by=by, until=until, resigns=resigns, words=words)
    if what == "lift":
        return people.lift(user_id=person.pk, by=by)
    if what == "warn":
        return people.message(user_id=person.pk, by=by, text=words, action="warn")
    outcome = silence(user_id=person.pk, by=by, until=until)
    return f"{outcome} {people.message(user_id=person.pk, by=by, text=words)}" if words else outcome


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


def moderators(report: PlayerReport) -> QuerySet[User]:
    """Active staff who may work on a report: neither its writer nor the person it is about."""
    backend = "django.contrib.auth.backends.ModelBackend"
    able = User.objects.with_perm("operations.change_playerreport", backend=backend)
    concerned = Q(pk=report.reporter_id) | Q(pk=report.reported_id)
    return able.filter(~concerned, is_staff=True).order_by("username")


def assign(*, report_id: int, user: User, to: str = "") -> str:
    """Gives a report to a moderator, by their id, or to ``user`` themselves."""
    with _open_report(report_id, user.pk) as row:
        able = {str(one.pk): one for one in moderators(row)} if to else {"": user}
        chosen = able.get(to)
        if chosen is None:
            raise NotAllowed("This person does not work on reports.")
        if row.assignee_id == chosen.pk:
            return f"Assigned to {chosen.username} already."
        row.assignee = chosen
        row.save(update_fields=["assignee"])
        log.write(user, "assign_report", *_subject(row), report=row.pk, to=chosen.username)
    return f"Assigned to {chosen.username}."


def reopen(*, report_id: int, by: Actor) -> str:
    """It is to be looked at again; what was said before stands in the audit log."""
    with transaction.atomic():
        row = PlayerReport.objects.select_for_update().get(pk=report_id)
        check_report(row, by.id)
        if row.resolved_at is None:
            raise AlreadyReported("This report is open.")
        log.record(by, "reopen_report", *_subject(row), report=row.pk, was=row.resolution)
        _open_again(row)
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

"""Writes the audit log; to be called in the transaction of the act that it records."""

import re
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.audit.models import Entry, PersonNotice
from accounts.models import User
from accounts.refusals import NoSuchNotice
from config.postgres.together import once, read
from config.refusals import Refusal

SHORTEST_REASON, REASON_LENGTH = 3, 500


class ReasonMissing(Refusal, status=422):
    """Say why, in a sentence that another operator understands."""


@dataclass(frozen=True)
class Actor:
    """A member of staff and the reason for what they do; raises ``ReasonMissing``."""

    id: UUID
    name: str
    reason: str

    def __post_init__(self) -> None:
        if not SHORTEST_REASON <= len(self.reason.strip()) <= REASON_LENGTH:
            raise ReasonMissing

    @classmethod
    def of(cls, user: User, reason: str) -> "Actor":
        return cls(user.pk, user.username, reason)


def record(
    by: Actor, action: str, subject_type: str, subject_id: object, subject: str, **details: Any
) -> Entry:
    """An act, with the reason that its actor gave."""
    row = _entry(action, subject_type, subject_id, subject, details)
    row.actor_id, row.actor, row.reason = by.id, by.name, by.reason.strip()
    row.save()
    return row


def write(
    by: User | str, action: str, subject_type: str, subject_id: object, subject: str, **details: Any
) -> Entry:
    """A change by a form of the admin, or by the shell (``by`` is its name), without a reason."""
    row = _entry(action, subject_type, subject_id, subject, details)
    row.actor_id, row.actor = (None, by) if isinstance(by, str) else (by.pk, by.username)
    row.save()
    return row


def _entry(
    action: str, subject_type: str, subject_id: object, subject: str, details: dict[str, Any]
) -> Entry:
    return Entry(
        action=action[:40],
        subject_type=subject_type,
        subject_id=str(subject_id),
        subject=subject[:120],
        details=details,
    )


# Messages of operators to one person: sent in the admin, shown until they are read.

NOTICE_LENGTH: Final = 500
SHOWN: Final = 50


class NothingToSay(Refusal, status=422):
    """Write what the person is to read, in at most 500 characters."""


def send_notice(
    *, user: User, by: Actor, text: str, action: str = "message_person"
) -> PersonNotice:
    text = text.strip()
    if not 0 < len(text) <= NOTICE_LENGTH:
        raise NothingToSay
    with transaction.atomic():
        record(by, action, "person", user.pk, user.username, text=text)
        return PersonNotice.objects.create(user=user, text=text)


def notices_of(user: User) -> QuerySet[PersonNotice]:
    """Read ones too, newest first."""
    return PersonNotice.objects.filter(user=user)[:SHOWN]


def unread_by(user: User) -> list[PersonNotice]:
    (notices,) = read(_unread(user.pk))
    return list(notices)


@once
def _unread(user: UUID) -> QuerySet[PersonNotice]:
    return PersonNotice.objects.filter(user=user, read_at=None)[:SHOWN]


def mark_read(*, user_id: UUID, notice_id: UUID) -> None:
    """Raises ``NoSuchNotice``; a notice that was read before stays as it is."""
    own = PersonNotice.objects.filter(pk=notice_id, user_id=user_id)
    if not own.filter(read_at=None).update(read_at=timezone.now()) and not own.exists():
        raise NoSuchNotice


# Takes the name of an erased person out of the audit log; the entries stay, with the id.
#
# The only change that the log allows (migration 0004): a name in a subject becomes
# ``ERASED_NAME``.

ERASED_NAME: Final = "Deleted player"
SUBJECT_LENGTH: Final = 120


def forget(user: User) -> None:
    """In the entries about the person, and in Django's own log from before there was this one."""
    Entry.objects.filter(subject_type="person", subject_id=str(user.pk)).update(subject=ERASED_NAME)
    LogEntry.objects.filter(object_id=str(user.pk)).update(
        object_repr=ERASED_NAME, change_message=""
    )


def forget_name(name: str, entries: QuerySet[Entry]) -> None:
    """In the subjects of entries about matches: the game, a colon and the names of the seats."""
    whole = re.compile(rf"(?<=[:,] ){re.escape(name)}(?=, |$)")
    for pk, subject in entries.filter(subject__contains=name).values_list("pk", "subject"):
        if whole.search(subject):
            Entry.objects.filter(pk=pk).update(subject=_shortened(whole.sub(ERASED_NAME, subject)))


def _shortened(subject: str) -> str:
    """Cut to the length of the column; the end still says that a name was erased."""
    if len(subject) <= SUBJECT_LENGTH:
        return subject
    return f"{subject[: SUBJECT_LENGTH - len(ERASED_NAME) - 2]}, {ERASED_NAME}"

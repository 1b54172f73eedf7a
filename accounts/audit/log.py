"""Writes the audit log; to be called in the transaction of the act that it records."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.audit.models import Entry
from accounts.models import User
from config.refusals import Refusal

REASON_LENGTH = 500


class ReasonMissing(Refusal, status=422):
    """Say why, in a sentence that another operator understands."""


@dataclass(frozen=True)
class Actor:
    """A member of staff and the reason for what they do; raises ``ReasonMissing``."""

    id: UUID
    name: str
    reason: str

    def __post_init__(self) -> None:
        if not 3 <= len(self.reason.strip()) <= REASON_LENGTH:
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

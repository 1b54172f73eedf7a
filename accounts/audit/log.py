"""Writing the audit log. Call it in the transaction of what it is about."""

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
    return Entry.objects.create(
        actor_id=by.id,
        actor=by.name,
        action=action,
        subject_type=subject_type,
        subject_id=str(subject_id),
        subject=subject[:120],
        reason=by.reason.strip(),
        details=details,
    )

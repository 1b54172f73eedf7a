"""The refusal for a suspended person, with the reason and the end."""

from datetime import UTC, datetime
from uuid import UUID

from django.utils.translation import gettext

from accounts.audit.models import Suspension
from config.refusals import NotSignedIn, Refusal


class Suspended(Refusal, status=403, members={"reason": str, "until": datetime | None}):
    """Your account is suspended."""

    number: int | None = None  # of the suspension


def suspension_of(user_id: UUID) -> Suspended | None:
    """The refusal for a person who is suspended now; ``until`` is null for good."""
    row = Suspension.objects.filter(user_id=user_id, lifted_at=None).first()
    if row is None:
        return None
    refusal = Suspended(_sentence(row), reason=row.reason, until=row.until)
    refusal.number = row.pk
    return refusal


def refusal_of(user_id: UUID) -> Refusal:
    """For an account that is not active: it is suspended or closed."""
    return suspension_of(user_id) or NotSignedIn()


def _sentence(suspension: Suspension) -> str:
    if suspension.until is None:
        return gettext("Your account is suspended for good. The reason: {reason}").format(
            reason=suspension.reason
        )
    return gettext("Your account is suspended until {until} UTC. The reason: {reason}").format(
        until=f"{suspension.until.astimezone(UTC):%Y-%m-%d %H:%M}", reason=suspension.reason
    )

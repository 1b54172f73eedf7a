"""Every write of a calendar's address."""

import secrets
from uuid import UUID

from django.utils import timezone
from knox.crypto import hash_token

from games.calendars.models import CalendarAddress


def make_address(account: UUID) -> str:
    """The secret of a new address, shown once; the one before leads nowhere from now on."""
    secret = secrets.token_urlsafe(32)
    CalendarAddress.objects.update_or_create(
        account_id=account, defaults={"digest": hash_token(secret), "created_at": timezone.now()}
    )
    return secret


def end_address(account: UUID) -> None:
    CalendarAddress.objects.filter(account=account).delete()

"""Every read of an account."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Key, User


def valid_keys() -> QuerySet[Key]:
    """Keys that open an account now."""
    return _unexpired_keys().filter(user__is_active=True)


def keys_of(user: User) -> QuerySet[Key]:
    """The user's keys, newest first; not the tokens of connected programs."""
    return valid_keys().filter(user=user, connection=None)


def closed_account_of(digest: str) -> UUID | None:
    """The account of a key, if that account is not active."""
    matching_key = _unexpired_keys().filter(digest=digest, user__is_active=False)
    return matching_key.values_list("user_id", flat=True).first()


def key_by_digest(digest: str) -> Key | None:
    """The key and, in the same query, its user."""
    return valid_keys().select_related("user").filter(digest=digest).first()


def _unexpired_keys() -> QuerySet[Key]:
    return Key.objects.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))

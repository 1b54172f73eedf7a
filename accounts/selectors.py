"""Every read of an account."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Key, User


def valid_keys() -> QuerySet[Key]:
    """Keys that open an account now."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Key.objects.filter(unexpired, user__is_active=True)


def keys_of(user: User) -> QuerySet[Key]:
    """The user's keys, newest first."""
    return valid_keys().filter(user=user)


def key_by_digest(digest: str) -> Key | None:
    """The key and, in the same query, who it belongs to."""
    return valid_keys().select_related("user").filter(digest=digest).first()

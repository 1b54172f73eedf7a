"""Every read of an account."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Key, User


def valid_keys() -> QuerySet[Key]:
    """Keys that open an account now."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Key.objects.filter(unexpired, user__is_active=True)


def keys_of(user: User) -> QuerySet[Key]:
    """The user's keys, newest first; not the tokens of connected programs."""
    return valid_keys().filter(user=user, connection=None)


def ended_key(digest: str) -> Key | None:
    """A key that is expired or whose account is closed, and that was not removed yet."""
    return Key.objects.select_related("user").filter(digest=digest).first()


def key_by_digest(digest: str) -> Key | None:
    """The key and, in the same query, its user."""
    return valid_keys().select_related("user").filter(digest=digest).first()

"""Keys: made once, shown once, kept as a digest, revoked one by one."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from knox.crypto import create_token_string, hash_token
from knox.settings import knox_settings

from accounts.models import Key, User
from accounts.refusals import NoSuchKey, TooManyKeys

NOTED_EVERY = timedelta(hours=1)


class Issued(NamedTuple):
    key: Key
    secret: str  # nobody can read it again


def issue(*, user: User, name: str = "") -> Issued:
    """A new key. A guest's never expires: nothing else opens a guest's account again."""
    secret = create_token_string()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two requests count one after the other
        _make_room(user)
        key = Key.objects.create(
            user=user,
            name=name,
            digest=hash_token(secret),
            expires_at=None if user.is_guest else expiry(),
        )
    return Issued(key, secret)


def revoke(*, user: User, key_id: UUID) -> None:
    gone, _ = Key.objects.filter(user=user, pk=key_id).delete()
    if not gone:
        raise NoSuchKey


def revoke_all(*, user: User) -> int:
    gone, _ = Key.objects.filter(user=user).delete()
    return gone


def note_use(key: Key) -> None:
    """Remember that the key is in use: one write an hour, not one a request."""
    now = timezone.now()
    if now - key.last_used_at >= NOTED_EVERY:
        Key.objects.filter(pk=key.pk).update(last_used_at=now)


def expiry() -> datetime | None:
    """When a key made now ends; None for never."""
    lifetime: timedelta | None = knox_settings.TOKEN_TTL
    return timezone.now() + lifetime if lifetime else None


def _make_room(user: User) -> None:
    Key.objects.filter(user=user, expires_at__lte=timezone.now()).delete()
    most: int | None = knox_settings.TOKEN_LIMIT_PER_USER
    if most is not None and Key.objects.filter(user=user).count() >= most:
        raise TooManyKeys(limit=most)

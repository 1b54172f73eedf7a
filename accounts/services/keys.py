"""Keys: made once, shown once, kept as a digest, revoked one by one."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from knox.crypto import create_token_string, hash_token
from knox.settings import knox_settings

from accounts.models import Key, User
from accounts.refusals import NoSuchKey, TooManyKeys
from config.api.scopes import SCOPES, USUAL, Scope
from config.postgres.connections import ReadOnly

RECORDED_EVERY = timedelta(hours=1)


class NewKey(NamedTuple):
    key: Key
    secret: str  # shown once, never stored


def issue(*, user: User, name: str = "", scopes: Iterable[Scope] = USUAL) -> NewKey:
    """A new key that allows ``scopes``.

    The key of a guest never expires: it is the only way back into the account.
    """
    secret = create_token_string()
    with transaction.atomic():
        # One of two requests waits here; meanwhile a guest may have registered.
        locked = User.objects.select_for_update().get(pk=user.pk)
        _check_quota(locked)
        key = Key.objects.create(
            user=user,
            name=name,
            scopes=[scope for scope in SCOPES if scope in scopes],
            digest=hash_token(secret),
            expires_at=None if locked.is_guest else expiry(),
        )
    return NewKey(key, secret)


def revoke(*, user: User, key_id: UUID) -> None:
    deleted, _ = Key.objects.filter(user=user, connection=None, pk=key_id).delete()
    if not deleted:
        raise NoSuchKey


def revoke_all(*, user: User) -> int:
    """Every program of theirs: keys, and connected programs with their tokens."""
    disconnect_all(user=user)
    deleted, _ = Key.objects.filter(user=user).delete()
    return deleted


def disconnect_all(*, user: User) -> None:
    """The connections of a person take their tokens with them."""
    user.connected_programs.all().delete()


def record_use(key: Key) -> None:
    """Records that the key is in use, once an hour instead of once a request, and where it can."""
    now = timezone.now()
    if now - key.last_used_at >= RECORDED_EVERY:
        with suppress(ReadOnly):
            Key.objects.filter(pk=key.pk).update(last_used_at=now)


def expiry() -> datetime | None:
    """When a key made now expires; None for never."""
    lifetime: timedelta | None = knox_settings.TOKEN_TTL
    return timezone.now() + lifetime if lifetime else None


def _check_quota(user: User) -> None:
    own = Key.objects.filter(user=user, connection=None)
    own.filter(expires_at__lte=timezone.now()).delete()
    limit: int | None = knox_settings.TOKEN_LIMIT_PER_USER
    if limit is not None and own.count() >= limit:
        raise TooManyKeys(limit=limit)

"""Accounts at the same address: all guests of an address share the limits of one account.

An account costs a guest nothing, so a limit for each guest would be no limit. The accounts seen at
an address are kept in Valkey for a day and nowhere else; without Valkey each counts alone.
"""

import time
from functools import lru_cache
from typing import Final, Literal, NamedTuple
from uuid import UUID

import redis
import structlog
from django.conf import settings

from accounts.models import User
from config.counting.cache import PATIENCE
from config.counting.client_address import present_address

KEPT: Final = 24 * 3600  # seconds
MOST: Final = 500  # the newest; an address makes fewer guests in an hour

log = structlog.get_logger(__name__)


class Together(NamedTuple):
    """Accounts that count as one, or as ``share`` of them."""

    ids: list[UUID]
    share: int = 1

    def most(self, of_one: int) -> int:
        return of_one * self.share


def counted_with(user_id: UUID) -> Together:
    """The account alone; for a guest, all guests who were seen at the same address."""
    if not present_address() or not User.objects.filter(pk=user_id, is_guest=True).exists():
        return Together([user_id])
    return Together(_seen("guests", user_id), settings.LIMITS["guests"])


def hosts_with(user_id: UUID) -> list[UUID]:
    """All who opened tables at the address of this request."""
    return _seen("hosts", user_id) if present_address() else [user_id]


def _seen(kind: Literal["guests", "hosts"], user_id: UUID) -> list[UUID]:
    """The accounts seen at the address of this request, with this one."""
    key, now = f"cardroom:{kind}:{present_address()}", time.time()
    try:
        with _valkey().pipeline() as together:
            together.zadd(key, {str(user_id): now})
            together.zremrangebyscore(key, 0, now - KEPT)
            together.zremrangebyrank(key, 0, -MOST - 1)
            together.expire(key, KEPT)
            together.zrange(key, 0, -1)
            *_, ids = together.execute()
    except redis.RedisError as error:
        log.debug("neighbours_not_known", cause=type(error).__name__)
        return [user_id]
    return [UUID(one.decode()) for one in ids]


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, **PATIENCE)

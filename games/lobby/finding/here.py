"""How many people are here, and how many watch a match; counted in Valkey, and lost with it.

Only counts are ever read. An account or an address goes there as a keyed hash.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import redis
from django.conf import settings
from django.utils.crypto import salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

HERE: Final = "here"
LATELY: Final = 3600  # seconds
WATCHED: Final = 8  # seconds since the last sign of a watcher
PAUSE: Final = 5.0  # seconds in which Valkey is not asked after a failure

_not_before = 0.0


def member(who: UUID | str) -> str:
    """What stands for an account or an address."""
    return salted_hmac("games.lobby.finding.here", str(who)).hexdigest()[:16]


def watchers_key(match: UUID) -> str:
    return f"watchers:{match}"


def watchers_of(matches: Sequence[UUID]) -> dict[UUID, int]:
    """How many watch each of these matches; nothing is known while Valkey is away."""
    since = time.time() - WATCHED
    counts = _counts([(watchers_key(match), since) for match in matches])
    return dict(zip(matches, counts, strict=False))


def people_lately() -> int | None:
    """How many people and visitors had a page or a stream open in the last hour."""
    return next(iter(_counts([(HERE, time.time() - LATELY)])), None)


def _counts(keys: Sequence[tuple[str, float]]) -> list[int]:
    global _not_before  # noqa: PLW0603 - of the process
    if not keys or time.monotonic() < _not_before:
        return []
    pipe: Any = _client(settings.VALKEY_URL).pipeline(transaction=False)
    for key, since in keys:
        pipe.zcount(key, since, "+inf")
    try:
        return list(pipe.execute())
    except (RedisError, OSError):
        _not_before = time.monotonic() + PAUSE
        return []


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(
        url, socket_timeout=0.25, socket_connect_timeout=0.25, retry=Retry(NoBackoff(), 1)
    )

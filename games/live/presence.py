"""Notes who listens: who is here at all, and who watches which match without playing in it."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final
from uuid import UUID

import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.listener import Listener
from games.lobby.finding.here import HERE, LATELY, WATCHED, member, watchers_key

KEPT: Final = 60  # seconds
EVERY: Final = 30.0  # seconds, for those who are here
PATIENCE: Final[dict[str, Any]] = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry": Retry(NoBackoff(), 1),
}


class Presence:
    """Of one process; ``watchers`` are the counts of all processes, as they were last read."""

    def __init__(self) -> None:
        self.watchers: dict[UUID, int] = {}
        self._here_at = 0.0
        self._here: set[str] = set()

    async def note(
        self, listeners: Iterable[Listener], looks_on: Callable[[Listener], bool]
    ) -> set[UUID]:
        """The matches whose number of watchers is another one now."""
        watching, here = _members(listeners, looks_on)
        try:
            async with redis.asyncio.Redis.from_url(settings.VALKEY_URL, **PATIENCE) as valkey:
                pipe: Any = valkey.pipeline(transaction=False)
                self._note_here(pipe, here)
                for match, members in watching.items():
                    _note_watchers(pipe, match, members)
                answers = await pipe.execute()
        except (RedisError, OSError):
            return set()
        counts = answers[-3 * len(watching) + 2 :: 3] if watching else []
        return self._learn(dict(zip(watching, counts, strict=True)))

    def _note_here(self, pipe: Any, here: set[str]) -> None:
        """Now and then all of them, and new ones at once."""
        now = time.time()
        is_time = now - self._here_at >= EVERY
        noted = here if is_time else here - self._here
        if is_time:
            self._here_at, self._here = now, set()
            pipe.zremrangebyscore(HERE, "-inf", now - LATELY)
        self._here |= noted
        if noted:
            pipe.zadd(HERE, dict.fromkeys(noted, now))
            pipe.expire(HERE, LATELY)

    def _learn(self, counts: dict[UUID, int]) -> set[UUID]:
        before, self.watchers = self.watchers, counts
        return {match for match, count in counts.items() if before.get(match, 0) != count}


def _note_watchers(pipe: Any, match: UUID, members: set[str]) -> None:
    """Three answers. A match with players alone is asked about too: others may watch elsewhere."""
    key, now = watchers_key(match), time.time()
    if members:
        pipe.zadd(key, dict.fromkeys(members, now))
    else:
        pipe.exists(key)
    pipe.expire(key, KEPT)
    pipe.zcount(key, now - WATCHED, "+inf")


def _members(
    listeners: Iterable[Listener], looks_on: Callable[[Listener], bool]
) -> tuple[dict[UUID, set[str]], set[str]]:
    watching: defaultdict[UUID, set[str]] = defaultdict(set)
    here: set[str] = set()
    for listener in listeners:
        name = _name(listener)
        here.add(name)
        if listener.watched:
            watching[listener.watched] |= {name} if looks_on(listener) else set()
    return dict(watching), here


def _name(listener: Listener) -> str:
    """Hashed once a stream: a process has thousands."""
    if not listener.member:
        listener.member = member(listener.credential.who)
    return listener.member

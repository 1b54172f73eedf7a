"""The cache: Valkey, so that all processes share their counts; memory while Valkey is away.

What is cached here may be lost, and may be counted per process for a while. A request must not
wait for it: after one failure Valkey is left alone for some seconds. Values are JSON and never
pickles, so that write access to Valkey does not run code here.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Any, ClassVar

import msgspec
import structlog
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

PAUSE_SECONDS = 5.0
PATIENCE = {
    "socket_timeout": 0.25,
    "socket_connect_timeout": 0.25,
    "retry": Retry(NoBackoff(), 1),  # a connection that a restart closed is opened again
}

log = structlog.get_logger(__name__)


class JsonSerializer:
    """Plain JSON values; an ``int`` stays a number that Valkey can increment."""

    def dumps(self, value: Any) -> int | bytes:
        return value if type(value) is int else msgspec.json.encode(value)

    def loads(self, data: bytes) -> Any:
        """Raises ``msgspec.DecodeError`` for anything that is not JSON."""
        return msgspec.json.decode(data)


def caches(valkey_url: str) -> dict[str, Any]:
    """CACHES: `default`, shared by all processes, and `memory`, a process's own."""
    return {
        "default": {
            "BACKEND": "config.cache.ValkeyOrMemory",
            "LOCATION": valkey_url,
            "KEY_PREFIX": "cardroom",
        },
        "memory": {"BACKEND": "config.cache.Counts"},
    }


class Counts(BaseCache):
    """Numbers in this process's memory, and nothing else: every request counts in one.

    One table for all threads. A full one forgets first what has ended, then everything.
    """

    most: ClassVar[int] = 20_000  # counts of moves, one for each player
    _counts: ClassVar[dict[str, tuple[float, int]]] = {}
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: int, timeout: Any = 60, version: Any = None) -> bool:
        with self._lock:
            if self._live(key):
                return False
            if len(self._counts) >= self.most:
                self._make_room()
            self._counts[key] = time.monotonic() + timeout, value
            return True

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        with self._lock:
            found = self._live(key)
            if found is None:
                raise ValueError(key)
            ends, count = found
            self._counts[key] = ends, count + delta
            return count + delta

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        found = self._live(key)
        return default if found is None else found[1]

    def clear(self) -> None:
        self._counts.clear()

    def _live(self, key: str) -> tuple[float, int] | None:
        found = self._counts.get(key)
        return found if found and found[0] > time.monotonic() else None

    def _make_room(self) -> None:
        now = time.monotonic()
        kept = {key: found for key, found in self._counts.items() if found[0] > now}
        self._counts.clear()
        if len(kept) < self.most:
            self._counts.update(kept)


class ValkeyOrMemory(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {**PATIENCE, **params.pop("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": {"serializer": JsonSerializer, **options}})
        self._memory = LocMemCache("valkey-is-away", params)
        self._try_again_at = 0.0

    def _either(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._try_again_at:
            try:
                return getattr(super(), name)(*args, **kwargs)
            except (RedisError, OSError):
                self._try_again_at = time.monotonic() + PAUSE_SECONDS
            except (msgspec.DecodeError, UnicodeDecodeError):
                log.warning("cache_value_is_not_json", key=str(args[:1]))
        return getattr(self._memory, name)(*args, **kwargs)


def _guarded(name: str) -> Callable[..., Any]:
    def method(self: ValkeyOrMemory, *args: Any, **kwargs: Any) -> Any:
        return self._either(name, *args, **kwargs)

    method.__name__ = name
    return method


for _name in (
    *("add", "get", "set", "touch", "delete", "incr", "has_key", "clear"),
    *("get_many", "set_many", "delete_many"),
):
    setattr(ValkeyOrMemory, _name, _guarded(_name))

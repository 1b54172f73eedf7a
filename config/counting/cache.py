"""The cache: Valkey, so that all processes share their counts; memory while Valkey is away.

Cached values may be lost, and counts may be those of one process for a while. A request must not
wait for them: after one failure Valkey is not asked for some seconds. Values are JSON and never
pickles, so that write access to Valkey does not run code here.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
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
            "BACKEND": "config.counting.cache.ValkeyOrMemory",
            "LOCATION": valkey_url,
            "KEY_PREFIX": "cardroom",
        },
        "memory": {"BACKEND": "config.counting.counts.Counts"},
    }


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

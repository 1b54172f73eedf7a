"""Counts and the cache in Valkey, and the address that a request is counted for."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Event, Lock, Thread
from typing import Any, ClassVar, Final

import msgspec
import redis
import structlog
from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from config.telemetry import work
from config.valkey import PoolOfCache, valkey_client

# The cache: Valkey, so that all processes share their counts; memory while Valkey is away.
#
# Cached values may be lost, and counts may be those of one process for a while. A request must
# not wait for them: after one failure Valkey is not asked for some seconds. Values are JSON and
# never pickles, so that write access to Valkey does not run code here.

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
            "BACKEND": "config.counting.ValkeyOrMemory",
            "LOCATION": valkey_url,
            "KEY_PREFIX": "cardroom",
        },
        "memory": {"BACKEND": "config.counting.Counts"},
    }


class ValkeyOrMemory(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        own = {"serializer": JsonSerializer, "pool_class": PoolOfCache}
        options = {**own, **PATIENCE, **params.pop("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._servers = [server]  # Django takes the Sentinels of one address for servers
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

# Counts in the memory of this process; every request is counted in one.
#
# If several web processes serve, they add up their counts through Valkey, a few times a second
# and never in a request. So a limit holds for all of them together, except for requests within
# one such interval. Without Valkey each process counts for itself.

EXCHANGED_EVERY: Final = 0.25  # seconds
PREFIX: Final = "count:"


@dataclass
class Count:
    ends: float  # of time.monotonic
    here: int
    elsewhere: int = 0
    sent: int = 0  # of those counted here

    @property
    def total(self) -> int:
        return self.here + self.elsewhere


class Counts(BaseCache):
    """One table for all threads. A full one drops counts that have ended, or else all of them."""

    most: ClassVar[int] = 20_000  # counts of moves, one for each player
    news: ClassVar[Event] = Event()  # something was counted since the last exchange
    _counts: ClassVar[dict[str, Count]] = {}
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: int, timeout: Any = 60, version: Any = None) -> bool:
        with self._lock:
            if self._live(key):
                return False
            if len(self._counts) >= self.most:
                self._make_room()
            self._counts[key] = Count(time.monotonic() + timeout, value)
            self.news.set()
            return True

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        with self._lock:
            count = self._live(key)
            if count is None:
                raise ValueError(key)
            count.here += delta
            if not self.news.is_set():
                self.news.set()
            return count.total

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        count = self._live(key)
        return default if count is None else count.total

    def clear(self) -> None:
        self._counts.clear()

    @classmethod
    def exchange(cls, valkey: "redis.Redis") -> None:
        """Sends the counts of this process since the last time, and reads those of the others.

        What is on its way is not sent again: neither by another thread nor after a time-out, when
        it may have been added up. A limit is rather a little late than early.
        """
        with cls._lock:
            unsent = {key: c for key, c in cls._counts.items() if c.here != c.sent}
            news = {key: count.here - count.sent for key, count in unsent.items()}
            cls._note_sent(unsent, news)
        try:
            totals = _add_up(news, {key: unsent[key].ends for key in unsent}, valkey)
        except redis.ConnectionError:  # nobody was told
            with cls._lock:
                cls._note_sent(unsent, {key: -number for key, number in news.items()})
            raise
        with cls._lock:
            for key, total in totals.items():
                unsent[key].elsewhere = max(0, total - unsent[key].sent)

    @staticmethod
    def _note_sent(counts: Mapping[str, Count], news: Mapping[str, int]) -> None:
        for key, number in news.items():
            counts[key].sent += number

    def _live(self, key: str) -> Count | None:
        count = self._counts.get(key)
        return count if count and count.ends > time.monotonic() else None

    def _make_room(self) -> None:
        now = time.monotonic()
        kept = {key: count for key, count in self._counts.items() if count.ends > now}
        self._counts.clear()
        if len(kept) < self.most:
            self._counts.update(kept)


def _add_up(
    news: Mapping[str, int], ends: Mapping[str, float], valkey: "redis.Redis"
) -> dict[str, int]:
    pipe = valkey.pipeline(transaction=False)
    for key, number in news.items():
        pipe.incrby(PREFIX + key, number)
        pipe.expire(PREFIX + key, max(1, int(ends[key] - time.monotonic()) + 1))
    return dict(zip(news, pipe.execute()[::2], strict=True)) if news else {}


def exchange_for_ever() -> None:
    """Starts the thread that exchanges counts; failures of Valkey do not end it."""
    Thread(target=_exchange_for_ever, name="counts", daemon=True).start()


def _exchange_for_ever() -> None:
    valkey = valkey_client(
        settings.VALKEY_URL,
        socket_timeout=1,
        socket_connect_timeout=0.5,
        retry=Retry(NoBackoff(), 0),  # a repetition would add up twice what had only been slow
    )
    while True:
        Counts.news.wait()
        Counts.news.clear()
        time.sleep(EXCHANGED_EVERY)
        try:
            Counts.exchange(valkey)
        except redis.RedisError as error:
            Counts.news.set()
            log.debug("counts_not_exchanged", cause=type(error).__name__)


# The address that limits count by: one answer for lock-outs, throttles and allauth.
#
# PROXIES is the number of proxies in front of the service. Each of them appends its caller to the
# header PROXY_HEADER. So only that many entries, from the right, come from our own proxies; all
# others are claims of the client.

NETWORK_OF_ONE_CUSTOMER = 64  # the bits of an IPv6 address that a provider hands out as one
MOST_REMEMBERED = 4096


def client_address(request: Any) -> str:
    """The address that a request of Django or REST framework comes from; of IPv6 the network.

    A request that did not pass all proxies counts by the address of its sender.
    """
    sender = str(request.META.get("REMOTE_ADDR") or "")
    passed_on = "HTTP_" + settings.PROXY_HEADER.upper().replace("-", "_")
    return _address(sender, request.META.get(passed_on, ""))


def present_address() -> str:
    """The address of the request that this thread handles; empty in a task or a command."""
    request = work.present_request()
    return client_address(request) if request else ""


def address_in(scope: Mapping[str, Any]) -> str:
    """The same of a request that has not reached Django, by its ASGI scope."""
    sender = (scope.get("client") or ("",))[0]
    if not settings.PROXIES:
        return _counted(sender)
    wanted = settings.PROXY_HEADER.lower().encode()
    passed_on = b",".join(value for name, value in scope["headers"] if name == wanted)
    return _address(sender, passed_on.decode("latin-1"))


def _address(sender: str, passed_on: str) -> str:
    entries = passed_on.split(",")
    if settings.PROXIES and len(entries) >= settings.PROXIES:
        return _counted(entries[-settings.PROXIES]) or _counted(sender)
    return _counted(sender)


@lru_cache(MOST_REMEMBERED)
def _counted(text: str) -> str:
    """The address in its plain spelling; empty if the text is not an address."""
    try:
        address = ip_address(_without_port(text.strip()))
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    plain = IPv6Address(int(address))  # without a zone
    return str(ip_network((plain, NETWORK_OF_ONE_CUSTOMER), strict=False).network_address)


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text

"""Clients of Valkey by its address: a server, a socket, or the Sentinels that know which server.

Every client of this service is made here, so that each address works for all of them. One by
Sentinels asks them at each new connection, and leaves a server that has become a replica.
"""

import socket
from functools import lru_cache
from typing import Any, Final, NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool, SSLConnection, parse_url
from redis.retry import Retry

SENTINEL: Final = "+sentinel"
SENTINEL_PORT: Final = 26379
# A server that went silently, with its machine or the network, is noticed after six seconds also
# by who only listens. Answers are waited for by the time-outs of each client.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 3, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3}
KEEPALIVE: Final[dict[str, Any]] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {
        getattr(socket, name): seconds
        for name, seconds in _KEEPALIVE.items()
        if hasattr(socket, name)
    },
}


class Sentinels(NamedTuple):
    """``own`` are the parameters of connections to them, ``server`` of those to the server."""

    hosts: list[tuple[str, int]]
    service: str
    own: dict[str, Any]
    server: dict[str, Any]


def valkey_client(url: str, **patience: Any) -> "redis.Redis":
    return redis.Redis.from_pool(valkey_pool(url, **patience))


def valkey_pool(url: str, **patience: Any) -> ConnectionPool:
    """A pool of connections; parameters of the address override ``patience``."""
    sentinels = sentinels_of(url)
    if sentinels is None:
        return ConnectionPool.from_url(url, **_reaching(url), **patience)
    from redis.sentinel import Sentinel, SentinelConnectionPool

    asking = _asking(sentinels, patience, Retry(NoBackoff(), 0))
    manager: Any = Sentinel(sentinels.hosts, sentinel_kwargs=asking)  # type: ignore[no-untyped-call]
    server = KEEPALIVE | patience | sentinels.server
    return SentinelConnectionPool(sentinels.service, manager, **server)  # type: ignore[no-untyped-call]


def listening_client(url: str, **patience: Any) -> Any:
    """One of asyncio."""
    from redis.asyncio import Redis, retry, sentinel

    sentinels = sentinels_of(url)
    if sentinels is None:
        return Redis.from_url(url, **_reaching(url), **patience)
    asking = _asking(sentinels, patience, retry.Retry(NoBackoff(), 0))
    known: Any = sentinel
    manager = known.Sentinel(sentinels.hosts, sentinel_kwargs=asking)
    server = KEEPALIVE | patience | sentinels.server
    return Redis.from_pool(known.SentinelConnectionPool(sentinels.service, manager, **server))


class PoolOfCache:
    """As Django's cache asks for its pool."""

    from_url = staticmethod(valkey_pool)


@lru_cache(maxsize=4)
def sentinels_of(url: str) -> Sentinels | None:
    """Those of ``redis+sentinel://user:password@host:26379,host/service/0?ssl_ca_certs=…``.

    The name and password are the server's; those of the Sentinels are ``sentinel_username`` and
    ``sentinel_password``. With ``rediss+sentinel`` both speak TLS. Raises ``ValueError`` for a
    value that a parameter does not take.
    """
    scheme, _, rest = url.partition("://")
    if not scheme.endswith(SENTINEL):
        return None
    place, _, query = rest.partition("?")
    authority, _, path = place.partition("/")
    user, at, hosts = authority.rpartition("@")
    service, _, number = path.partition("/")
    plain = f"{scheme.removesuffix(SENTINEL)}://{user}{at}server/{number or 0}?{query}"
    server: dict[str, Any] = parse_url(plain)  # type: ignore[no-untyped-call]
    del server["host"]
    own = {
        name: server.pop(f"sentinel_{name}")
        for name in ("username", "password")
        if f"sentinel_{name}" in server
    }
    if server.pop("connection_class", None) is SSLConnection:
        server["ssl"] = True
    own |= {name: value for name, value in server.items() if name.startswith("ssl")}
    return Sentinels([host_and_port(host) for host in hosts.split(",")], service, own, server)


def host_and_port(text: str) -> tuple[str, int]:
    """Of ``host``, ``host:26379`` or ``[::1]:26379``. Raises ``ValueError`` for another port."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text, str(SENTINEL_PORT)
    return host.strip("[]"), int(port)


def _reaching(url: str) -> dict[str, Any]:
    return {} if url.startswith("unix:") else KEEPALIVE


def _asking(sentinels: Sentinels, patience: dict[str, Any], once: Any) -> dict[str, Any]:
    """One that is away is waited for as long as a server, at most a second, and asked once."""
    times = {name: patience.get(name) for name in ("socket_timeout", "socket_connect_timeout")}
    waits = {name: min(1, seconds or 1) for name, seconds in times.items()}
    return waits | {"retry": once} | sentinels.own


# The same for Celery's transport, which has names of its own for all of it.


def broker_url(url: str) -> str:
    """The address as Celery's transport reads it."""
    scheme, _, rest = url.partition("://")
    if scheme == "unix":
        path, _, query = rest.partition("?")
        number = dict(pair.split("=", 1) for pair in query.split("&") if pair).get("db", "0")
        return f"redis+socket://{path}?virtual_host={number}"
    sentinels = sentinels_of(url)
    if sentinels is None:
        return url
    user, at, _ = rest.partition("/")[0].rpartition("@")
    number = sentinels.server.get("db", 0)
    hosts = [f"[{host}]" if ":" in host else host for host, _ in sentinels.hosts]
    return ";".join(
        f"sentinel://{user}{at}{host}:{port}/{number}"
        for host, (_, port) in zip(hosts, sentinels.hosts, strict=True)
    )


def broker_options(url: str, patience: dict[str, Any]) -> dict[str, Any]:
    """The options of the transport; ``patience`` are time-outs, and whatever else it takes."""
    options = KEEPALIVE | patience
    if sentinels := sentinels_of(url):
        options |= {"master_name": sentinels.service}
        options |= {"sentinel_kwargs": _asking(sentinels, patience, Retry(NoBackoff(), 0))}
    return options


def broker_tls(url: str) -> dict[str, Any] | None:
    """The transport's TLS options by Sentinels; another address states them itself."""
    sentinels = sentinels_of(url)
    if sentinels is None or "ssl" not in sentinels.own:
        return None
    given = {name: value for name, value in sentinels.own.items() if name.startswith("ssl_")}
    return {"ssl_cert_reqs": "required"} | given

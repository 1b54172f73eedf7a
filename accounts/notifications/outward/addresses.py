"""Which addresses may be called. A name is resolved here, at the moment of the call.

The caller connects to exactly the number that was checked, so that a name that points elsewhere a
moment later (DNS rebinding) changes nothing. Everything that is not plainly a public address is
refused, also the forms of IPv6 that carry one of IPv4 inside.
"""

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounts.notifications.outward.names import numbers_of
from accounts.notifications.refusals import ForbiddenAddress

PORTS: Final = {"https": 443, "http": 80}
_CARRIES_IPV4: Final = (
    IPv6Network("::/96"),
    IPv6Network("::ffff:0:0/96"),  # IPv4-mapped
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    IPv6Network("64:ff9b::/96"),  # NAT64
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("2001::/32"),  # Teredo
)
# Public by their numbers, and inside of what a provider of machines runs for them.
_OF_PROVIDERS: Final = (
    IPv4Network("168.63.129.16/32"),  # Azure: its agent, DNS and health probes
    IPv4Network("192.0.0.0/24"),  # protocol assignments; 192.0.0.192 is Oracle's metadata
    IPv4Network("192.88.99.0/24"),  # once relays of 6to4
)

Number = IPv4Address | IPv6Address


class Target(NamedTuple):
    scheme: str
    host: str
    port: int
    path: str


def target_of(url: str) -> Target:
    """The parts of an address whose shape is allowed. Raises ``ForbiddenAddress`` with the cause.

    Nothing is resolved: this is for a form. ``number_of`` is asked at each call.
    """
    parts = _split(url)
    if parts.scheme not in ("https", *(["http"] if settings.OUTWARD["http"] else [])):
        raise ForbiddenAddress("The address has to begin with https://.")
    if parts.username is not None or parts.password is not None:
        raise ForbiddenAddress("The address must not hold a name or a password.")
    if not parts.hostname:
        raise ForbiddenAddress("The address names no host.")
    host = _plain(parts.hostname)
    port = parts.port or PORTS[parts.scheme]
    allowed = settings.OUTWARD["ports"]
    if allowed and port not in allowed:
        raise ForbiddenAddress("The port of the address is not allowed.")
    number = _number(host)
    if number is not None:
        _check(number)
    elif _is_this_machine(host) and not settings.OUTWARD["private"]:
        raise ForbiddenAddress("The address belongs to a private network.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path)


def number_of(target: Target, seconds: float) -> str:
    """The number to connect to. Raises ``ForbiddenAddress``, or ``OSError`` for an unknown name.

    If one of several is not public, none is called. ``TimeoutError`` after so many seconds.
    """
    numbers = numbers_of(target.host, target.port, seconds)
    _check_all(numbers)
    return numbers[0]


def _split(url: str) -> SplitResult:
    if any(character.isspace() or not character.isprintable() for character in url):
        raise ForbiddenAddress("The address holds spaces or control characters.")
    if "\\" in url:
        raise ForbiddenAddress("This is no address.")
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname
    except ValueError:
        raise ForbiddenAddress("This is no address.") from None
    return parts


def _plain(host: str) -> str:
    """In letters that DNS has."""
    if "%" in host:
        raise ForbiddenAddress("The address must not name a zone.")
    if ":" in host:
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        raise ForbiddenAddress("This is no address.") from None


def _number(host: str) -> Number | None:
    """Also of the old notations that resolvers take for IPv4: ``2130706433``, ``0x7f.1``."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _is_this_machine(host: str) -> bool:
    return f".{host.lower().rstrip('.')}".endswith(".localhost")


def _check_all(numbers: Iterable[str]) -> None:
    for number in numbers:
        if "%" in number:
            raise ForbiddenAddress("The address must not name a zone.")
        _check(ip_address(number))


def _check(number: Number) -> None:
    if any(number in network for network in settings.OUTWARD["refused"]):
        raise ForbiddenAddress("The operators do not let this address be called.")
    if settings.OUTWARD["private"]:
        return
    if isinstance(number, IPv6Address) and any(number in net for net in _CARRIES_IPV4):
        raise ForbiddenAddress("The address carries another one inside.")
    inside = any(number in network for network in _OF_PROVIDERS)
    if inside or not number.is_global or number.is_multicast or number.is_reserved:
        raise ForbiddenAddress("The address belongs to a private network.")
    if isinstance(number, IPv6Address) and number.is_site_local:
        raise ForbiddenAddress("The address belongs to a private network.")

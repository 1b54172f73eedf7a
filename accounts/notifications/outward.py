"""Calls to addresses that a stranger chose, so that nobody reaches this network through them."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounts.notifications.refusals import ForbiddenAddress

# Looking up a name in so many seconds and no more.
#
# The resolver of the system has time limits of its own, tens of seconds long, and a stranger
# chooses the servers that it waits for. A lookup that is late is left alone in its thread, where
# it ends.


def numbers_of(host: str, port: int, seconds: float) -> list[str]:
    """Raises ``TimeoutError``, or another ``OSError`` for a name that is not known."""
    answer: Future[list[str]] = Future()
    threading.Thread(target=_look_up, args=(answer, host, port), daemon=True).start()
    return answer.result(max(seconds, 0))


def _look_up(answer: "Future[list[str]]", host: str, port: int) -> None:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        answer.set_exception(error)
    else:
        answer.set_result([str(address[0]) for *_, address in answers])


# Which addresses may be called. A name is resolved here, at the moment of the call.
#
# The caller connects to exactly the number that was checked, so that a name that points elsewhere
# a moment later (DNS rebinding) changes nothing. Everything that is not plainly a public address
# is refused, also the forms of IPv6 that carry one of IPv4 inside.

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
    if not settings.OUTWARD["private"] and (fault := _inside(number)):
        raise ForbiddenAddress(fault)


def _inside(number: Number) -> str:
    """The reason why it is none of the public network; empty for one that is."""
    if isinstance(number, IPv6Address) and any(number in net for net in _CARRIES_IPV4):
        return "The address carries another one inside."
    inside = any(number in network for network in _OF_PROVIDERS)
    inside |= isinstance(number, IPv6Address) and number.is_site_local
    if inside or not number.is_global or number.is_multicast or number.is_reserved:
        return "The address belongs to a private network."
    return ""


# One POST to an address that a stranger chose, within ten seconds, with its lookup.
#
# No redirect is followed: where it leads was not checked. The certificate is that of the name,
# though the connection goes to a number. Of the answer the status counts; its beginning is kept for
# the owner of the webhook, unless it came from a private network.

SECONDS: Final = 10.0
READ: Final = 1024  # bytes of the answer


class Answer(NamedTuple):
    """``status`` of the answer, or ``why`` there is none; ``text`` is the beginning of its body."""

    status: int | None
    why: str
    milliseconds: int
    text: str = ""

    @property
    def is_good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        return self.status == http.HTTPStatus.GONE


class _Call:
    """Holds the socket, so that another thread can end the call when its time is up."""

    def __init__(self, target: Target, number: str, seconds: float) -> None:
        self._target, self._number, self._seconds = target, number, seconds
        self._socket: socket.socket | None = None
        self.is_late = False

    def end(self) -> None:
        self.is_late = True
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it is closed already

    def post(self, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self._target.host, self._target.port)
        connection.default_port = PORTS[self._target.scheme]
        connection.sock = self._connected()
        try:
            connection.request("POST", self._target.path, body, dict(headers))
            answer = connection.getresponse()
            beginning = answer.read(READ).decode("utf-8", "replace").replace("\0", "")
            return answer.status, beginning if is_public(self._number) else ""
        finally:
            connection.close()

    def _connected(self) -> socket.socket:
        address = (self._number, self._target.port)
        self._socket = socket.create_connection(address, timeout=self._seconds)
        if self._target.scheme == "https":
            self._socket = _tls().wrap_socket(self._socket, server_hostname=self._target.host)
        return self._socket


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> Answer:
    """Never raises: what went wrong is in the answer."""
    begun = time.monotonic()
    status, why, text = _post(url, body, headers, seconds)
    return Answer(status, why, int((time.monotonic() - begun) * 1000), text)


Outcome = tuple[int | None, str, str]


def is_public(number: str) -> bool:
    """Whether an address is outside private networks, whose answers nobody outside may read."""
    return not _inside(ip_address(number))


def _post(url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> Outcome:
    ends = time.monotonic() + seconds
    try:
        target = target_of(url)
        number = number_of(target, seconds)
    except ForbiddenAddress:
        return None, "forbidden_address", ""
    except TimeoutError:
        return None, "timeout", ""
    except (OSError, UnicodeError):
        return None, "unknown_host", ""
    left = ends - time.monotonic()
    return _call(target, number, body, headers, left) if left > 0 else (None, "timeout", "")


def _call(
    target: Target, number: str, body: bytes, headers: Mapping[str, str], seconds: float
) -> Outcome:
    call = _Call(target, number, seconds)
    watch = threading.Timer(seconds, call.end)
    watch.daemon = True
    watch.start()
    try:
        status, text = call.post(body, headers)
        return status, "", text
    except ssl.SSLCertVerificationError:
        return None, "bad_certificate", ""
    except TimeoutError:
        return None, "timeout", ""
    except (OSError, http.client.HTTPException, ValueError) as error:
        return None, "timeout" if call.is_late else _cause(error), ""
    finally:
        watch.cancel()


def _cause(error: Exception) -> str:
    return "no_connection" if isinstance(error, OSError) else "no_http"


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()

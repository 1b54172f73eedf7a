"""The address that limits count by: one answer for lock-outs, throttles and allauth.

PROXIES is the number of proxies in front of the service. Each of them appends its caller to the
header PROXY_HEADER. So only that many entries, from the right, come from our own proxies; all
others are claims of the client.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Handler = Callable[[HttpRequest], HttpResponseBase]

NETWORK_OF_ONE_CUSTOMER = 64  # the bits of an IPv6 address that a provider hands out as one
MOST_REMEMBERED = 4096
_now: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def client_address(request: Any) -> str:
    """The address that a request of Django or REST framework comes from; of IPv6 the network.

    A request that did not pass all proxies counts by the address of its sender.
    """
    sender = str(request.META.get("REMOTE_ADDR") or "")
    return _address(sender, request.META.get(_meta_name(settings.PROXY_HEADER), ""))


def remember_request(get_response: Handler) -> Handler:
    """Middleware: makes the request known to `present_address` while it is handled."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        token = _now.set(request)
        try:
            return get_response(request)
        finally:
            _now.reset(token)

    return middleware


def present_address() -> str:
    """The address of the request that this thread handles; empty in a task or a command."""
    request = _now.get()
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


def _meta_name(header: str) -> str:
    return "HTTP_" + header.upper().replace("-", "_")

"""What leaves the house: mail, messages to browsers, webhooks. Everything is off until it is set.

`manage.py push_keys` makes the key of messages to browsers.
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


def outward(env: environ.Env) -> dict[str, Any]:
    """OUTWARD: which addresses of strangers are called; no port at all: every one.

    ``refused`` are networks that nobody reaches through this service, also where ``private`` ones
    are allowed.
    """
    return {
        "private": env.bool("WEBHOOK_PRIVATE_ADDRESSES", default=False),
        "http": env.bool("WEBHOOK_HTTP", default=False),
        "ports": [int(port) for port in env.list("WEBHOOK_PORTS", default=["443"]) if port != "*"],
        "refused": [_network(one) for one in env.list("WEBHOOK_REFUSED_NETWORKS", default=[])],
    }


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip())
    except ValueError as error:
        raise ImproperlyConfigured(f"WEBHOOK_REFUSED_NETWORKS: {error}.") from None


def site_url(env: environ.Env, hosts: Sequence[str], *, https: bool) -> str:
    """Where people open pages from a mail: SITE_URL, or the first name of ALLOWED_HOSTS."""
    named = str(env.str("SITE_URL", default="")).rstrip("/")
    host = next((host for host in hosts if host.strip("*.")), "localhost")
    return named or f"{'https' if https else 'http'}://{host.lstrip('.')}"

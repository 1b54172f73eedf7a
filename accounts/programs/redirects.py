"""The addresses to which a program lets people return with a code.

Compared as text, so that nothing is left to a parser: OAuth 2.1 §2.3.1. Only the port of a program
on the person's own machine may differ (RFC 8252 §7.3).
"""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext

from accounts.programs.refusals import BadRedirect

LENGTH: Final = 400
MOST: Final = 10
LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
_PLAIN: Final = re.compile(r"[!-~]+")  # printable ASCII
_NOT_IN_ADDRESSES: Final = frozenset("\\*<>\"'`{}|^")
_OWN_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")  # com.example.app


def check_redirect(uri: str) -> str:
    """The address. Raises BadRedirect: HTTPS, the person's own machine, or an app's own scheme."""
    parts = _parts(uri)
    if parts is None:
        raise BadRedirect(gettext("'{uri}' is no address.").format(uri=uri[:LENGTH]))
    if "#" in uri or "@" in parts.netloc:
        raise BadRedirect(
            gettext("'{uri}' must have no fragment and no user name.").format(uri=uri)
        )
    if not (_is_web(parts) or _OWN_SCHEME.fullmatch(parts.scheme)):
        raise BadRedirect(
            gettext(
                "'{uri}' must begin with https://, with http://127.0.0.1 for a program on the "
                "player's own machine, or with a scheme like com.example.app:/"
            ).format(uri=uri)
        )
    return uri


def is_allowed(uri: str, registered: list[str]) -> bool:
    own_machine = _without_port(uri)
    ports_aside = own_machine is not None and own_machine in map(_without_port, registered)
    return uri in registered or ports_aside


def form_target(uri: str) -> str:
    """The source that ``form-action`` of the consent page needs to go there."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https") or ":" in (parts.hostname or ""):
        return f"{parts.scheme}:"  # an app; CSP has no notation for IPv6
    return f"{parts.scheme}://{parts.netloc}"


def _parts(uri: str) -> SplitResult | None:
    if not _PLAIN.fullmatch(uri) or len(uri) > LENGTH or _NOT_IN_ADDRESSES & set(uri):
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme else None


def _is_web(parts: SplitResult) -> bool:
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


def _without_port(uri: str) -> str | None:
    """The address of a program on the person's own machine; None for any other."""
    parts = _parts(uri)
    if parts is None or parts.scheme != "http" or parts.hostname not in LOOPBACK:
        return None
    if "@" in parts.netloc or "#" in uri:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts._replace(netloc=host).geturl()

"""Addresses of Postgres and Valkey, secrets, and the content security policy.

A wrong one is a sentence that names the variable, says what is wrong and shows a right one. No
sentence repeats a value: it may hold a password.
"""

import re
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

import environ
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured

POSTGRES: Final = "postgres://cardroom@db.example/cardroom"
VALKEY: Final = "valkey://valkey.example:6379/0"
UNREADABLE: Final = re.compile(r"[\s\x00-\x1f]")
PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
HIGHEST_PORT: Final = 65535


def check_database_url(url: str) -> None:
    """Raises ``ImproperlyConfigured``."""
    name, example = "DATABASE_URL", POSTGRES
    parts = _read(name, url, example)
    _check_scheme(name, parts, ("postgres", "postgresql", "psql", "pgsql"), example)
    _check_port(name, parts, example)
    if not parts.hostname and "host" not in parse_qs(parts.query):
        raise _wrong(
            name,
            "names no host. Of a socket its folder is the host, such as "
            "postgres://cardroom@%2Fvar%2Frun%2Fpostgresql/cardroom",
            example,
        )
    if not unquote(parts.path).strip("/"):
        raise _wrong(name, "names no database", example)


def check_valkey_url(url: str) -> None:
    """Raises ``ImproperlyConfigured``."""
    name, example = "VALKEY_URL", VALKEY
    parts = _read(name, url, example)
    _check_scheme(name, parts, ("valkey", "valkeys", "redis", "rediss", "unix"), example)
    if parts.scheme == "unix":
        if not parts.path.strip("/"):
            raise _wrong(name, "names no socket", "unix:///run/valkey/valkey.sock")
        return
    _check_port(name, parts, example)
    if not parts.hostname:
        raise _wrong(name, "names no host", example)
    if not re.fullmatch(r"/?\d*", parts.path):
        raise _wrong(name, "ends in something that is not the number of a database", example)


def _read(name: str, url: str, example: str) -> SplitResult:
    if UNREADABLE.search(url):
        raise _wrong(name, "has a space or a line break in it", example)
    if PERCENT.search(url):
        raise _wrong(name, "has a % that begins no code; a % itself is written %25", example)
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _wrong(name, "cannot be read as an address", example) from None
    if parts.fragment or "#" in url:
        raise _wrong(name, "has a # in it; in a password it is written %23", example)
    if parts.scheme == "" or "://" not in url:
        raise _wrong(name, "is not an address", example)
    return parts


def _check_scheme(name: str, parts: SplitResult, known: tuple[str, ...], example: str) -> None:
    if parts.scheme not in known:
        begins = " or ".join(f"{scheme}://" for scheme in known[:2])
        raise _wrong(name, f"begins with {parts.scheme}://, not with {begins}", example)


def _check_port(name: str, parts: SplitResult, example: str) -> None:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port is not None and not 1 <= port <= HIGHEST_PORT:
        fault = f"has a port that is no number from 1 to {HIGHEST_PORT}"
        raise _wrong(name, f"{fault}; a : or / in a password is written %3A or %2F", example)


def _wrong(name: str, what: str, example: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} {what}. For example {name}={example}")


# Secrets from the environment, or from the file that ``<name>_FILE`` names.
#
# A file keeps a secret out of the list of processes and out of what an engine shows of
# containers.


def secret(env: environ.Env, name: str) -> str:
    """The secret without the line break at its end; empty if it is named nowhere."""
    path: str = env.str(f"{name}_FILE", default="")
    if not path:
        return str(env.str(name, default=""))
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error


def with_password(url: str, password: str) -> str:
    """The address with a password of any characters, instead of the one that stands there."""
    scheme, separator, rest = url.partition("://")
    if not password:
        return url
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    name = user.partition(":")[0] if at else ""
    return f"{scheme}{separator}{name}:{quote(password, safe='')}@{host}{slash}{path}"


# What a page may load: everything from here, no script inside the page.

POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# The admin alone. Its theme brings Alpine, which evaluates what stands in attributes and writes
# style attributes; no script stands in a page. The two style elements, of the theme's colours and
# of its htmx, are known by their content: `make e2e` prints what another release brings.
ADMIN_ALSO = {
    "script-src": [UNSAFE_EVAL],
    "style-src": [
        "'sha256-CftXQ/6rIQ3AMOrJUsQzoK+KGLgk4scJJlfXyvE/1mQ='",
        "'sha256-bsV5JivYxvGywDAZ22EZJKBFip65Ng9xoJVLbBg7bdo='",
    ],
    "style-src-attr": [UNSAFE_INLINE],
}
# The documentation alone: its search opens in a shadow root with a style element of its own, known
# by its content as above.
DOCUMENTATION_ALSO = {"style-src": ["'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"]}

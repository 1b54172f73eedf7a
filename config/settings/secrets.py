"""Secrets from the environment, or from the file that ``<name>_FILE`` names.

A file keeps a secret out of the list of processes and out of what an engine shows of containers.
"""

from pathlib import Path
from urllib.parse import quote

import environ
from django.core.exceptions import ImproperlyConfigured


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

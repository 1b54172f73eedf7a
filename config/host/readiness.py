"""Whether a service that was just started really serves: its parts and one page."""

import http.client
import json
import os
from typing import Final, NamedTuple

PAGE: Final = "/accounts/login/"  # needs templates, static files, sessions and the database
SECONDS: Final = 5
READY: Final = ("up", "not ready")  # of a part; the latter is the sum of all parts


class Missing(NamedTuple):
    """Something that is not ready. A part may still come up; a page that fails goes on failing."""

    what: str
    may_come_up: bool = False


def missing(host: str, port: int) -> Missing | None:
    """What is not ready at this address; ``None`` if everything is."""
    try:
        return _parts(host, port) or _page(host, port)
    except (OSError, http.client.HTTPException) as error:
        return Missing(f"no answer ({type(error).__name__})")


def _parts(host: str, port: int) -> Missing | None:
    status, body = _get(host, port, "/readyz")
    if status == http.client.OK:
        return None
    try:
        parts = json.loads(body)
    except ValueError:
        return Missing(f"/readyz answers {status}")
    faults = [f"{name}: {state}" for name, state in parts.items() if state not in READY]
    return Missing(", ".join(faults), may_come_up=True)


def _page(host: str, port: int) -> Missing | None:
    """A redirect to HTTPS is an answer too."""
    status, _ = _get(host, port, PAGE)
    return Missing(f"{PAGE} answers {status}") if status >= http.client.BAD_REQUEST else None


def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        headers = {"Host": _host_name(host), "X-Forwarded-Proto": "https"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _host_name(host: str) -> str:
    """A host name that the service accepts."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    return host if first in ("", "*") else first.removeprefix(".")

"""Whether a service that was just started really serves: its parts and one page."""

import http.client
import json
import os
from typing import Final, NamedTuple

PAGE: Final = "/accounts/login/"  # needs templates, static files, sessions and the database
SECONDS: Final = 5


class Missing(NamedTuple):
    """What is not ready. A part may still come up; a page that fails will go on failing."""

    what: str
    may_come_up: bool = False


def missing(host: str, port: int) -> Missing | None:
    """What is not ready at this address; nothing if all is."""
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
    told = [f"{name}: {told}" for name, told in parts.items() if told not in ("up", "not ready")]
    return Missing(", ".join(told), may_come_up=True)


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
    """A name under which the pages let themselves be called."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    return host if first in ("", "*") else first.removeprefix(".")

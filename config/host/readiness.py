"""Whether a service that was just started really serves: its parts and one page."""

import http.client
import json
import os
from typing import Final

PAGE: Final = "/accounts/login/"  # needs templates, static files, sessions and the database
SECONDS: Final = 60  # a caller that gave up sooner would ask again, and again, of a slow machine
FAULT: Final = http.client.BAD_REQUEST
READY: Final = ("up", "not ready")  # of a part; the latter is the sum of all parts


def missing_page(host: str, port: int) -> str:
    """Why no page is shown at this address; empty if one is. A redirect to HTTPS is one too."""
    status, body = _get(host, port, PAGE)
    return _silence(body) if not status else f"{PAGE} answers {status}" if status >= FAULT else ""


def missing_parts(host: str, port: int) -> str:
    """Which parts are not ready; empty if all are."""
    status, body = _get(host, port, "/readyz")
    if not status or status == http.client.OK:
        return "" if status else _silence(body)
    try:
        parts = json.loads(body)
    except ValueError:
        return f"/readyz answers {status}"
    return ", ".join(f"{name}: {state}" for name, state in parts.items() if state not in READY)


def _silence(error: bytes) -> str:
    return f"no answer ({error.decode()})"


def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    """Status and body; 0 and the kind of error without an answer."""
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        headers = {"Host": host_name(host), "X-Forwarded-Proto": "https"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, type(error).__name__.encode()
    finally:
        connection.close()


def host_name(host: str) -> str:
    """A host name that the service accepts."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    return host if first in ("", "*") else first.removeprefix(".")

"""One POST to an address that a stranger chose, within ten seconds, with its lookup.

No redirect is followed: where it leads was not checked. The certificate is that of the name, though
the connection goes to a number. Of the answer only the status counts.
"""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from accounts.notifications.outward.addresses import PORTS, Target, number_of, target_of
from accounts.notifications.refusals import ForbiddenAddress

SECONDS: Final = 10.0
READ: Final = 1024  # bytes of the answer, so that a server is not cut off in a short one


class Answer(NamedTuple):
    """``status`` of the answer, or ``why`` there is none."""

    status: int | None
    why: str
    milliseconds: int

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

    def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        connection = http.client.HTTPConnection(self._target.host, self._target.port)
        connection.default_port = PORTS[self._target.scheme]
        connection.sock = self._connected()
        try:
            connection.request("POST", self._target.path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(READ)
            return answer.status
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
    status, why = _post(url, body, headers, seconds)
    return Answer(status, why, int((time.monotonic() - begun) * 1000))


def _post(
    url: str, body: bytes, headers: Mapping[str, str], seconds: float
) -> tuple[int | None, str]:
    ends = time.monotonic() + seconds
    try:
        target = target_of(url)
        number = number_of(target, seconds)
    except ForbiddenAddress:
        return None, "forbidden_address"
    except TimeoutError:
        return None, "timeout"
    except (OSError, UnicodeError):
        return None, "unknown_host"
    left = ends - time.monotonic()
    return _call(target, number, body, headers, left) if left > 0 else (None, "timeout")


def _call(
    target: Target, number: str, body: bytes, headers: Mapping[str, str], seconds: float
) -> tuple[int | None, str]:
    call = _Call(target, number, seconds)
    watch = threading.Timer(seconds, call.end)
    watch.daemon = True
    watch.start()
    try:
        return call.post(body, headers), ""
    except ssl.SSLCertVerificationError:
        return None, "bad_certificate"
    except TimeoutError:
        return None, "timeout"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return None, "timeout" if call.is_late else _cause(error)
    finally:
        watch.cancel()


def _cause(error: Exception) -> str:
    return "no_connection" if isinstance(error, OSError) else "no_http"


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()

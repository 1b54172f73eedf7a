"""The state folder of a service on one machine, its socket and its host names."""

import errno
import fcntl
import ipaddress
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from config.host.embedded import processes

LOCAL = ["localhost", "127.0.0.1", "[::1]"]
STOPS: Final = "stops"
SECONDS_BETWEEN_TRIES: Final = 0.1
SECONDS_BETWEEN_SENTENCES: Final = 60.0
SECONDS_FOR_THE_KILLED: Final = 10.0  # processes of a killed service end with it, almost at once


class CannotServe(RuntimeError):
    """A sentence that says what prevents a start and what to do."""


class Lock:
    """Held by the one service of a state folder. The file says who, and when that one `stops`.

    It is empty after a clean stop: a number in it is that of a service that was killed.
    """

    def __init__(self, state: Path) -> None:
        self._state = state
        with processes.explained(state):
            state.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = (state / "serve.lock").open("a+")
        self.was_killed = self._held = False

    def take(self, wait: Callable[[float], None], say: Callable[[str], None]) -> None:
        """Waits for a service that stops. Raises CannotServe for one that does not.

        ``wait`` may raise to give up.
        """
        said_at = -SECONDS_BETWEEN_SENTENCES
        while not self._is_free():
            holder, _, word = self._read().partition(" ")
            if holder and word != STOPS:  # nobody: it changes hands at this moment
                raise CannotServe(
                    f"Cardroom already runs on {self._state} (process {holder}). "
                    "Another copy needs a state folder and a port of its own: "
                    "make run CARDROOM_STATE=var2 PORT=8001"
                )
            if time.monotonic() - said_at >= SECONDS_BETWEEN_SENTENCES:
                say(f"Waiting for process {holder}, which still stops")
                said_at = time.monotonic()
            wait(SECONDS_BETWEEN_TRIES)
        self.was_killed = bool(self._read())
        with processes.explained(self._state):
            self._write(str(os.getpid()))
        self._held = True

    def note_stop(self) -> None:
        """From now on another service waits instead of being refused."""
        if self._held:
            with suppress(OSError):  # a full disk
                self._write(f"{os.getpid()} {STOPS}")

    def release(self) -> None:
        with suppress(OSError):
            self._write("")
        self._file.close()

    def _is_free(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _read(self) -> str:
        self._file.seek(0)
        return self._file.read().strip()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


def listen(host: str, port: int, seconds: float = 0.0) -> socket.socket:
    """The socket that web processes inherit; it stays open when one of them ends.

    So long may it take until another program has left the port.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            return _listen(host, port)
        except CannotServe:
            if time.monotonic() > end:
                raise
            time.sleep(SECONDS_BETWEEN_TRIES)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CannotServe(_why_not(error, host, port)) from None
    return listener


def _why_not(error: Exception, host: str, port: int) -> str:
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program. Choose another one: make run PORT={port + 1}"
        )
    if code == errno.EACCES:
        return f"Port {port} needs the rights of root. Choose one above 1023: make run PORT=8000"
    return (
        f"Cannot listen on {host}, port {port}: {error}. HOST has to be an address of this machine."
    )


def host_names(host: str) -> list[str]:
    """The host names and addresses under which clients reach a service that listens there."""
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            name = socket.gethostname()
            return [*LOCAL, name, f"{name}.local", *_outer_address()]
    return [*LOCAL, host]


def _outer_address() -> list[str]:
    """The address that other machines see. Connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return [str(probe.getsockname()[0])]
    return []

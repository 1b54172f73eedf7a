"""The state folder of a service on one machine, its socket and its host names."""

import errno
import fcntl
import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from config.host.embedded import faults

LOCAL = ["localhost", "127.0.0.1", "[::1]"]


class CannotServe(RuntimeError):
    """A sentence that says what prevents a start and what to do."""


@contextmanager
def exclusive_lock(state: Path) -> Iterator[None]:
    """Held by the one service of this state folder. Raises CannotServe if another has it."""
    with faults.explained(state):
        state.mkdir(parents=True, exist_ok=True)
        handle = (state / "serve.lock").open("a+")
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            raise CannotServe(
                f"Cardroom already runs on {state} (process {handle.read().strip()}). "
                "Another copy needs a state folder and a port of its own: "
                "make run CARDROOM_STATE=var2 PORT=8001"
            ) from None
        with faults.explained(state):
            handle.truncate(0)
            handle.write(str(os.getpid()))
            handle.flush()
        yield


def listen(host: str, port: int) -> socket.socket:
    """The socket that web processes inherit; it stays open when one of them ends."""
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

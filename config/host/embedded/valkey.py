"""The embedded Valkey: broker of tasks, cache and messages to listeners, on a unix socket."""

import signal
import socket
from pathlib import Path

from config.host import sizes
from config.host.embedded import processes
from config.host.embedded.processes import Home, ServiceError, valkey_server

SECONDS_TO_START = 30.0


def url(place: Home) -> str:
    return f"unix://{_socket(place)}"


def ensure(place: Home, *, seconds: float = SECONDS_TO_START) -> str:
    """Starts it if needed; its address. The caller holds the lock.

    Raises ServiceError when it does not answer after so many seconds, or cannot.
    """
    if not _answers(place):
        processes.check_space(place.data)
        if pid(place) is not None and not processes.wait_until(_socket(place).exists, 2):
            stop(place)  # it cannot be reached any more
        _start(place, seconds)
    return url(place)


def is_reachable(place: Home) -> bool:
    """Whether it runs and its socket is there; somebody may have tidied that away."""
    return pid(place) is not None and _socket(place).exists()


def pid(place: Home) -> int | None:
    """The process id of this folder's server, if it runs."""
    try:
        number = int((place.data / "valkey" / "valkey.pid").read_text())
    except (OSError, ValueError):
        return None
    command = processes.command_line(number)
    ours = not command or str(place.sockets) in command
    return number if ours and processes.alive(number) else None


def stop(place: Home) -> None:
    number = pid(place)
    if number is not None:
        processes.end(number, signal.SIGTERM, seconds=2)


def _socket(place: Home) -> Path:
    return place.sockets / "valkey.sock"


def _start(place: Home, seconds: float) -> None:
    program, folder = valkey_server(place), place.folder("valkey")
    log, socket = place.data / "valkey.log", _socket(place)
    command: list[str | Path] = [
        *(program, "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"),
        *("--dir", folder, "--pidfile", folder / "valkey.pid", "--daemonize", "no"),
        *("--databases", "200", "--appendonly", "yes", "--save", ""),
    ]
    for name, value in sizes.valkey(sizes.machine()).items():
        command += [f"--{name}", value]

    def up() -> bool:
        if pid(place) is None:
            (folder / "valkey.pid").unlink(missing_ok=True)
            socket.unlink(missing_ok=True)
            before = processes.size(log)
            processes.start(command, log=log, cwd=folder, popen=place.owner.popen)
            if not processes.wait_until(lambda: pid(place) is not None, 2):
                processes.check_output(processes.added(log, before), place.data)
        return _answers(place)

    if not processes.wait_until(up, seconds, step=0.05):
        raise ServiceError(
            f"Valkey did not start within {seconds:.0f} s. "
            f"The end of {log}:\n{processes.last_lines(log)}"
        )


def _answers(place: Home) -> bool:
    """Whether it runs, has loaded its data and responds."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2)
        try:
            connection.connect(str(_socket(place)))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

"""The embedded Valkey: broker of tasks, cache and messages to listeners, on a unix socket."""

import contextlib
import signal
from pathlib import Path

import redis

from config.host.embedded import processes
from config.host.embedded.binaries import valkey_server
from config.host.embedded.folders import Home
from config.host.embedded.processes import ServiceError

SECONDS_TO_START = 30.0


def url(place: Home) -> str:
    return f"unix://{place.sockets / 'valkey.sock'}"


def ensure(place: Home) -> str:
    """Starts it if needed; its address. The caller holds the lock."""
    if not _answers(place):
        _start(place)
    return url(place)


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


def _start(place: Home) -> None:
    program, folder = valkey_server(place), place.folder("valkey")
    log, socket = place.data / "valkey.log", place.sockets / "valkey.sock"
    command: list[str | Path] = [
        *(program, "--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"),
        *("--dir", folder, "--pidfile", folder / "valkey.pid", "--daemonize", "no"),
        *(
            "--databases",
            "200",
            "--appendonly",
            "yes",
            "--save",
            "",
            "--maxmemory-policy",
            "noeviction",
        ),
    ]

    def up() -> bool:
        if pid(place) is None:
            (folder / "valkey.pid").unlink(missing_ok=True)
            socket.unlink(missing_ok=True)
            processes.start(command, log=log, cwd=folder, popen=place.owner.popen)
            processes.wait_until(lambda: pid(place) is not None, 2)
        return _answers(place)

    if not processes.wait_until(up, SECONDS_TO_START, step=0.05):
        raise ServiceError(
            f"Valkey did not start within {SECONDS_TO_START:.0f} s. "
            f"The end of {log}:\n{processes.last_lines(log)}"
        )


def _answers(place: Home) -> bool:
    """Whether it runs, has loaded its data and responds."""
    client = redis.Redis.from_url(url(place), socket_timeout=2, retry=None)
    with client, contextlib.suppress(redis.RedisError):
        return bool(client.ping())
    return False

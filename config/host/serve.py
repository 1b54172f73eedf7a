"""One machine's service from start to end: servers, schema, static files, processes.

Starts the database, the broker, the workers and the web processes, watches them, restarts those
that end or hang, and stops all of them in order on Ctrl-C, on SIGTERM or when the terminal closes.
"""

import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import FrameType

from django.conf import settings
from django.core.management.base import OutputWrapper

from config.host import crew, readiness, servers, setup, state_folder
from config.host.supervisor import ChildProcess, call_others, end_all
from config.offers import offered
from config.telemetry import metrics

WATCH_SECONDS = 0.2
SECONDS_TO_END = 2.2  # of the five that a stop may take; the servers need one
SECONDS_BETWEEN_SENTENCES = 60.0  # while something is waited for
MOST_FAILED_STARTS = 3  # of a web process in a row, before the first page
HIGHEST_PORT = 65535
PYTHON = os.path.relpath(sys.executable)
SECONDS_BETWEEN_CUTS = 60.0
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - counts of ours, in a folder of this user


class Stopped(Exception):
    """A signal to stop came before everything ran."""


class Service:
    """Runs until a signal stops it. Raises CannotServe or ServiceError if it cannot start."""

    def __init__(self, state: Path, host: str, port: str, output: OutputWrapper) -> None:
        self._state, self._host, self._port = state, host, _port_number(port)
        self._output = output
        self._children: list[ChildProcess] = []
        self._begun = time.monotonic()
        self._stopping = False
        self._printed: deque[str] = deque(maxlen=4)
        self._cut_logs_at = 0.0
        self._lock: state_folder.Lock | None = None

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        with (
            suppress(Stopped),  # while it waited for another one
            state_folder.exclusive_lock(self._state, self._pause, self._print) as self._lock,
            self._listen(self._lock) as listener,
        ):
            try:
                self._prepare()
                self._start_children(listener.fileno())
                self._watch()
                self._print("\nStopping")
            except Stopped:
                pass
            finally:
                end_all(self._children, SECONDS_TO_END)
                servers.stop(self._state)
                shutil.rmtree((self._state / "metrics").resolve(), ignore_errors=True)
        self._print("Stopped. Nothing is lost.")

    def _listen(self, lock: state_folder.Lock) -> socket.socket:
        """Processes of a service that was killed may still hold the port for a moment."""
        patience = state_folder.SECONDS_FOR_THE_KILLED if lock.was_killed else 0.0
        return state_folder.listen(self._host, self._port, patience)

    def _prepare(self) -> None:
        self._step("Database", lambda: servers.start_postgres(self._state))
        self._step("Broker", lambda: servers.start_valkey(self._state))
        self._step("Tables", _migrate)
        self._step("Pages", lambda: "collected" if setup.collect_files() else "unchanged")
        for line in chain.from_iterable(lines() for lines in offered("start_lines")):
            self._print(f"  {line}")
        servers.release_database()
        if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = _counts_of(self._state)
        os.environ.setdefault("ALLOWED_HOSTS", ",".join(state_folder.host_names(self._host)))

    def _start_children(self, listening: int) -> None:
        """Pages first: who waits sees one while the workers still load."""
        self._start(crew.web(listening, settings.WEB_PROCESSES))
        self._step("Web", lambda: self._wait_for(readiness.missing_page))
        self._start(_workers())
        self._step("Workers", lambda: self._wait_for(readiness.missing_parts))
        address = _address(self._host, self._port)
        self._print(f"\nCardroom is ready after {time.monotonic() - self._begun:.0f} s:")
        self._print(f"  {address}/          play")
        self._print(f"  {address}/admin/    operate")
        self._print(f"  State in {self._state}. Ctrl-C stops everything.")
        if administrator := setup.create_first_admin():
            self._print(f"\n  Administrator (shown only this once):  {administrator}")
            name = administrator.partition(" ")[0]
            self._print(f"  Another password: {PYTHON} manage.py changepassword {name}\n")
        servers.release_database()

    def _start(self, children: list[ChildProcess]) -> None:
        self._children += children
        for child in children:
            child.start()

    def _watch(self) -> None:
        while not self._stopping:
            self._restart_ended()
            self._cut_logs()
            time.sleep(WATCH_SECONDS)

    def _cut_logs(self) -> None:
        if time.monotonic() > self._cut_logs_at:
            self._cut_logs_at = time.monotonic() + SECONDS_BETWEEN_CUTS
            servers.cut_logs(self._state)

    def _restart_ended(self) -> None:
        all_run = True
        for sentence in servers.restart_ended(self._state):
            all_run = False
            self._print_once(sentence)
        if all_run:
            self._printed.clear()
        for child in self._children:
            pid, ended = child.pid, child.restart_if_ended()
            if ended:
                self._print(ended)
                call_others(self._children, child)
                metrics.forget(pid)

    def _wait_for(self, missing: Callable[[str, int], str]) -> str:
        """As long as it takes: a busy machine, a backlog of bot turns. It says what is missing.

        Raises CannotServe for processes that end before they have begun, again and again.
        """
        host, say_at = _own_address(self._host), time.monotonic() + SECONDS_BETWEEN_SENTENCES
        while what := missing(host, self._port):
            self._restart_ended()
            if any(child.failed_starts >= MOST_FAILED_STARTS for child in self._children):
                raise state_folder.CannotServe(
                    f"A process ends each time that it starts: {what}. Its output is above."
                )
            self._pause()
            if time.monotonic() > say_at:
                self._print(f"still waiting: {what}")
                say_at = time.monotonic() + SECONDS_BETWEEN_SENTENCES
        return "ready"

    def _step(self, name: str, work: Callable[[], str]) -> None:
        self._pause(0)
        begun = time.monotonic()
        self._output.write(f"  {name:<9} ", ending="")
        self._output.flush()
        self._print(f"{work()} ({time.monotonic() - begun:.1f} s)")

    def _pause(self, seconds: float = 0.05) -> None:
        """Waits between two steps. Raises Stopped after a signal to stop."""
        time.sleep(seconds)
        if self._stopping:
            raise Stopped

    def _print_once(self, line: str) -> None:
        """Prints a line unless it was among the last ones: a failing start is repeated."""
        if line not in self._printed:
            self._printed.append(line)
            self._print(line)

    def _print(self, line: str) -> None:
        with suppress(OSError):  # the output may be a file on a full disk, or a closed terminal
            self._output.write(line)
            self._output.flush()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        if self._lock is not None:
            self._lock.note_stop()


def _counts_of(state: Path) -> str:
    """An empty folder in which the processes count for `/metrics` together.

    In memory if possible: a process that counts in a file is killed when the disk is full. A link
    points to it, so that the next start can remove what a killed service has left.
    """
    link = state / "metrics"
    if link.exists():
        shutil.rmtree(link.resolve(), ignore_errors=True)
    link.unlink(missing_ok=True)
    in_memory = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else state
    folder = tempfile.mkdtemp(prefix="cardroom-metrics-", dir=in_memory)
    link.symlink_to(folder)
    return folder


def _workers() -> list[ChildProcess]:
    return [*crew.interactive_workers("--beat"), crew.batch_worker(), crew.outward_worker()]


def _migrate() -> str:
    steps = setup.migrate()
    return f"{steps} changes made" if steps else "up to date"


def _port_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= HIGHEST_PORT:
        raise state_folder.CannotServe(
            f"PORT is {text!r}; it has to be a number from 1 to {HIGHEST_PORT}."
        )
    return int(text)


def _address(host: str, port: int) -> str:
    shown = _own_address(host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


def _own_address(host: str) -> str:
    """The address at which this machine reaches a service that listens there."""
    bare = host.strip("[]")
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bare, bare)  # noqa: S104

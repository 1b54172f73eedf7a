"""The processes of a service: they are forked, watched, restarted, replaced and ended.

One process, the preloader (`config.processes.preload`), imports the application once and forks the
others, so that each takes a few megabytes and a tenth of a second. What forks it, this process,
needs the standard library only: it outlives every version of the application, sleeps until a
child ends, and is the parent of all: the kernel gives it what the preloader has forked (it is a
*subreaper*), so the end of a preloader ends nobody else. Where the kernel cannot do that, each
child is a program of its own.

A child that shows no sign of life (`config.telemetry.pulse`) for ten seconds is killed and started
again. Time in which the parent itself did not run is not counted, nor time in which the child only
waited for a processor or a disk: a machine that is busy makes everything slow and nothing dead.

No child survives its parent, and each leads its own session, so that Ctrl-C reaches only the
parent, which ends them in order.
"""

import ctypes
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from config.telemetry import pulse

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
SHORT_LIFE = 5.0  # seconds; a child that lived no longer twice in a row is not started at once
SHORTEST_PAUSE = 0.2
LONGEST_PAUSE = 2.0
SECONDS_OF_SILENCE = 10.0
SECONDS_TO_BEGIN = 120.0  # until the first sign of life
SECONDS_TO_FORK = 10.0
SECONDS_BETWEEN_LOOKS = 0.2
LONGEST_LOOK = 2.5  # what one look adds to a child's silence at most
WAITING_FOR_THE_MACHINE = "RD"  # states of a process: it runs or would, or its disk is slow
TICKS = os.sysconf("SC_CLK_TCK")
PRELOADER: Final = "config.processes.preload"
ROOM_FOR_A_TITLE: Final = "." * 200  # a forked process writes what it is over its command line


def end_with_parent(parent: int) -> None:
    """Called by a child: it is killed when this process, its parent, ends for any reason."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it has ended before the call above
        os.kill(os.getpid(), signal.SIGKILL)


def become_subreaper() -> bool:
    """Whether this process is from now on the parent of what its descendants leave behind."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


class Process(Protocol):
    """A child process, with a part of the methods of `subprocess.Popen`."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...


class Forked:
    """A process that the preloader has forked for us."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(0.005)
        return code

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)


class NoFork(Exception):
    """The preloader has ended or does not answer."""


@dataclass(frozen=True)
class Role:
    """A process that a service consists of, as the preloader knows it from the settings.

    One that is begun ``on_demand`` runs while somebody has asked for it by this name.
    """

    name: str
    command: Sequence[str]
    keep_open: Sequence[int] = ()
    on_demand: str = ""
    pages: bool = False  # it serves them


class Preloader:
    """Imports what this ``kind`` of service needs, and forks."""

    def __init__(self, kind: str, keep_open: Sequence[int]) -> None:
        self._control, theirs = socket.socketpair()
        self.roles: list[Role] | None = None
        inherited = [theirs.fileno(), *keep_open]
        own = [str(os.getpid()), kind, *map(str, inherited)]
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", PRELOADER, *own, ROOM_FOR_A_TITLE],
                stdin=subprocess.DEVNULL,
                pass_fds=inherited,
                start_new_session=True,
            )

    def fileno(self) -> int:
        return self._control.fileno()

    def is_loaded(self) -> bool:
        """Whether it has imported everything. Raises NoFork when it ended."""
        if self.roles is None and select.select([self._control], [], [], 0)[0]:
            self.roles = [Role(**role) for role in self._receive()["roles"]]
        return self.roles is not None

    def fork(self, command: Sequence[str], keep_open: Sequence[int], signs: int) -> Forked:
        """A process that runs this module; it is ours. Raises NoFork, and ends what hangs."""
        if not self.is_loaded():
            raise NoFork
        request = json.dumps({"command": [*command], "keep_open": [*keep_open]})
        try:
            socket.send_fds(self._control, [request.encode()], [signs])
        except OSError as error:
            raise NoFork from error
        if not self._answers():
            self.process.kill()
            raise NoFork
        return Forked(self._receive()["pid"])

    def end(self) -> None:
        """At once: it has no state. What it has forked lives on."""
        self._control.close()
        self.process.kill()
        self.process.wait()

    def _answers(self) -> bool:
        """Within ten seconds in which it could: on a busy machine it waits for a processor."""
        left = SECONDS_TO_FORK
        while left > 0:
            if select.select([self._control], [], [], SECONDS_BETWEEN_LOOKS)[0]:
                return True
            if processor_time(self.process.pid)[0] not in WAITING_FOR_THE_MACHINE:
                left -= SECONDS_BETWEEN_LOOKS
        return False

    def _receive(self) -> Any:
        try:
            answer = self._control.recv(2**16)
        except OSError as error:
            raise NoFork from error
        if not answer:
            raise NoFork
        return json.loads(answer)


@dataclass
class ChildProcess:
    """One process that has to run: a module of this project and its arguments."""

    name: str
    command: Sequence[str]
    keep_open: Sequence[int] = ()
    preloader: Preloader | None = None  # which forks it
    process: Process | None = None
    has_begun: bool = False  # it has shown a sign of life
    failed_starts: int = 0  # in a row: it ended before it showed one
    _signs: socket.socket | None = None
    _silence: float = 0.0
    _looked_at: float = 0.0
    _used: float = 0.0  # seconds of processor time
    _started_at: float = 0.0
    _pause: float = 0.0
    start_again_at: float = 0.0

    @property
    def pid(self) -> int:
        """0 while it does not run."""
        return self.process.pid if self.process else 0

    def start(self) -> None:
        """Raises NoFork while there is no preloader."""
        self._started_at = self._looked_at = time.monotonic()
        self._silence, self._used, self.has_begun = 0.0, 0.0, False
        self._forget_signs()
        self._signs, theirs = socket.socketpair()
        self._signs.setblocking(False)
        with theirs:
            if self.preloader is not None:
                self.process = self.preloader.fork(self.command, self.keep_open, theirs.fileno())
            else:
                self.process = self._spawn(theirs.fileno())

    def _spawn(self, signs: int) -> Process:
        return subprocess.Popen(
            [sys.executable, "-m", "config.host.supervisor", str(os.getpid()), *self.command],
            stdin=subprocess.DEVNULL,
            pass_fds=[*self.keep_open, signs],
            env=os.environ | {pulse.VARIABLE: str(signs)},
            start_new_session=True,
        )

    def restart_if_ended(self) -> str | None:
        """Starts it again if it ended or hangs; a sentence about that, once for each end."""
        if self.process is not None and self.process.poll() is None and not self._is_silent():
            return None
        sentence = None
        if self.process is not None:
            sentence = f"{self.name} {self.note_end()}; starting it again"
        if time.monotonic() >= self.start_again_at:
            with suppress(NoFork):  # the next look, when there is another preloader
                self.start()
        return sentence

    def note_end(self) -> str:
        """The fate of a process that ended or hangs, in words; when it may start again."""
        now, words = time.monotonic(), self._end()
        lived_long = now - self._started_at > SHORT_LIFE
        pause = 0.0 if lived_long else self._pause
        self._pause = 0.0 if lived_long else min(LONGEST_PAUSE, pause * 2 or SHORTEST_PAUSE)
        self.failed_starts = 0 if self.has_begun else self.failed_starts + 1
        self.start_again_at = now + pause
        self.process = None
        return words

    def call(self) -> None:
        """Tells the child that another one of its kind has ended, if it can receive that."""
        if self.process is not None and self.has_begun and self._signs is not None:
            with suppress(OSError):
                self._signs.send(pulse.SIGN)

    def _is_silent(self) -> bool:
        """Whether it has shown no sign of life for too long."""
        now = time.monotonic()
        if self._shows_life():
            self._silence, self.has_begun, self.failed_starts = 0.0, True, 0
        else:
            self._silence += self._time_it_had(min(now - self._looked_at, LONGEST_LOOK))
        self._looked_at = now
        return self._silence > (SECONDS_OF_SILENCE if self.has_begun else SECONDS_TO_BEGIN)

    def _time_it_had(self, passed: float) -> float:
        """All of this time, or what it used of it while others kept the machine from it."""
        state, used = processor_time(self.pid)
        spent, self._used = used - self._used, used
        return min(passed, spent) if state in WAITING_FOR_THE_MACHINE else passed

    def _shows_life(self) -> bool:
        try:
            return self._signs is not None and bool(self._signs.recv(4096))
        except OSError:
            return False

    def _end(self) -> str:
        """Ends the process and its children; returns what happened to it, in words."""
        assert self.process is not None  # noqa: S101 - for the type
        hangs = self.process.poll() is None
        self._end_group()
        code = self.process.wait()
        if hangs:
            return f"showed no sign of life for {self._silence:.0f} s"
        return f"ended ({_reason(code)})"

    def _forget_signs(self) -> None:
        if self._signs is not None:
            self._signs.close()
            self._signs = None

    def terminate(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.terminate()

    def end(self, until: float) -> None:
        """Waits for its end until then; after that it is killed."""
        if self.process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, until - time.monotonic()))
        self._end_group()
        self.process.wait()
        self.process = None
        self._forget_signs()

    def _end_group(self) -> None:
        """Kills the process and those that it has started."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def processor_time(pid: int) -> tuple[str, float]:
    """The state of a process as the kernel writes it, and the seconds it has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # no /proc here, or it has just ended
        return "?", 0.0
    return fields[0], (int(fields[11]) + int(fields[12])) / TICKS


def call_others(children: Sequence[ChildProcess], ended: ChildProcess) -> None:
    """Tells the children of the same kind that one of them has ended."""
    for child in children:
        if child is not ended and child.name == ended.name:
            child.call()


def end_all(children: Sequence[ChildProcess], seconds: float) -> None:
    """Terminates all, waits this long, kills those that are left."""
    for child in children:
        child.terminate()
    until = time.monotonic() + seconds
    for child in children:
        child.end(until)


def _reason(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    sys.argv[:] = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)

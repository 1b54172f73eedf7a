"""The watch of a service over its processes: it sleeps until something happens to one.

It is woken by a signal, by the end of a child, by the preloader that has loaded, and by a child
that rings because work waits for a process that runs on demand. Every two seconds it looks for
those that hang.
"""

import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from config.host.supervisor import (
    ChildProcess,
    NoFork,
    Preloader,
    Role,
    become_subreaper,
    call_others,
    end_all,
)

LOOK_SECONDS: Final = 2.0
LOOK_SECONDS_AT_FIRST: Final = 0.1  # while somebody waits for a sign of life
SECONDS_TO_LEAVE: Final = 60.0  # of a child whose work another one does now
JUST_NOW: Final = 2.0  # seconds: an idle child that ends may have missed what was asked for then
SECONDS_BETWEEN_LOADS: Final = 2.0

Say = Callable[[str], None]


class Child(ChildProcess):
    """Of a role: it may run on demand only, and may have to go."""

    def __init__(self, role: Role, preloader: Preloader | None) -> None:
        super().__init__(role.name, role.command, role.keep_open, preloader)
        self.on_demand, self.pages = role.on_demand if preloader else "", role.pages
        self.leaves_until = 0.0

    def has_rested(self) -> bool:
        """Whether it ended because it had nothing to do."""
        return bool(self.on_demand) and self.process is not None and self.process.poll() == 0


class Watch:
    """The children of one service and the preloader that forks them."""

    def __init__(self, kind: str, listening: Sequence[int], say: Say) -> None:
        self.children: list[Child] = []
        self.steps: list[Child] = []
        self._preloaders: list[Preloader] = []
        self._attended: set[int] = set()
        self.server_ended = True  # or one might, and nobody would notice
        self.stopping = self.upgrading = False
        self._kind, self._listening, self._say = kind, listening, say
        self._asked_at: dict[str, float] = {}
        self._selector = selectors.DefaultSelector()
        self._wakes = self._waking(socket.SOCK_STREAM)
        self._bell = self._waking(socket.SOCK_DGRAM)
        self._forks = become_subreaper()
        self._loaded_at = 0.0
        self.preloader: Preloader | None = None
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def _waking(self, kind: socket.SocketKind) -> socket.socket:
        """A socket to write to; what comes out at its other end wakes this process."""
        here, there = socket.socketpair(type=kind)
        here.setblocking(False)
        there.setblocking(False)
        self._selector.register(here, selectors.EVENT_READ)
        return there

    def stop_at(self, *numbers: signal.Signals, then: Callable[[], None] = lambda: None) -> None:
        def stop(*_: object) -> None:
            self.stopping = True
            then()

        for number in numbers:
            signal.signal(number, stop)

    def upgrade_at(self, number: signal.Signals) -> None:
        def upgrade(*_: object) -> None:
            self.upgrading = True

        signal.signal(number, upgrade)

    def wake(self) -> None:
        with suppress(OSError):
            self._wakes.send(b"\0")

    # --- the preloader

    def load(self) -> Preloader:
        """Begins to import the application, in another process."""
        self._loaded_at = time.monotonic()
        inherited = [self._bell.fileno(), *self._listening]
        loading = Preloader(self._kind, inherited)
        self._selector.register(loading, selectors.EVENT_READ)
        self._preloaders.append(loading)
        return loading

    def use(self, preloader: Preloader) -> None:
        """It forks from now on."""
        if self.preloader is not None and self.preloader is not preloader:
            self.forget(self.preloader)
        self.preloader = preloader
        for child in self.children:
            child.preloader = preloader

    def forget(self, preloader: Preloader) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(preloader)
        forget_counts(preloader.process.pid)
        preloader.end()
        self._preloaders.remove(preloader)

    def _look_at_the_preloader(self) -> None:
        """A preloader that ends is loaded again; processes forked already do not notice."""
        if self.preloader is None or self.preloader.process.poll() is None:
            return
        if time.monotonic() > self._loaded_at + SECONDS_BETWEEN_LOADS:
            self._say("The preloader ended; starting it again")
            self.use(self.load())

    # --- the children

    def add(self, roles: Iterable[Role], preloader: Preloader) -> list[Child]:
        """Starts a child of each role but of those that run on demand."""
        new = [Child(r, preloader if self._forks else None) for r in roles]
        self.children += new
        for child in new:
            if not child.on_demand:
                with suppress(NoFork):  # the next look does it
                    child.start()
        return new

    def step(self, name: str, preloader: Preloader) -> Child:
        """A process that does something once (`config.host.setup`) and ends."""
        role = Role(name, ["config.host.setup", name])
        child = Child(role, preloader if self._forks else None)
        self.steps.append(child)
        child.start()
        return child

    def let_go(self, children: Iterable[Child]) -> None:
        """They end in peace; others do their work by now."""
        for child in children:
            child.leaves_until = time.monotonic() + SECONDS_TO_LEAVE
            child.terminate()

    def look(self) -> None:
        """Starts again what ended or hangs."""
        self._look_at_the_preloader()
        for child in list(self.children):
            if child.leaves_until:
                self._see_off(child)
            elif child.has_rested():
                forget_counts(child.pid)
                child.note_end()
            elif child.process is not None or self._is_wanted(child):
                self._look_after(child)
        self._reap()

    def _look_after(self, child: Child) -> None:
        pid, ended = child.pid, child.restart_if_ended()
        if ended:
            self._say(ended)
            call_others(self.children, child)
            forget_counts(pid)

    def _is_wanted(self, child: Child) -> bool:
        if not child.on_demand:
            return True
        return time.monotonic() - self._asked_at.get(child.on_demand, 0.0) < JUST_NOW

    def _see_off(self, child: Child) -> None:
        late = time.monotonic() > child.leaves_until
        if child.process is None or child.process.poll() is not None or late:
            forget_counts(child.pid)
            child.end(0.0)
            self.children.remove(child)

    def _reap(self) -> None:
        """Waits for orphans: this process inherits them."""
        own = {child.pid for child in (*self.children, *self.steps)}
        own |= {preloader.process.pid for preloader in self._preloaders}
        with suppress(ChildProcessError):
            while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and (
                ended.si_pid not in own
            ):
                os.waitpid(ended.si_pid, 0)

    # --- sleeping

    def attend(self, servers: Iterable[int]) -> None:
        """The end of one of these processes wakes this one, though it is no child."""
        now = set(servers)
        self.server_ended = False
        for pid in now - self._attended:
            try:
                self._selector.register(os.pidfd_open(pid), selectors.EVENT_READ)
            except (OSError, AttributeError):  # it has just ended; another kernel
                now.discard(pid)
                self.server_ended = True
        self._attended = now

    def sleep(self, longest: float = LOOK_SECONDS) -> None:
        """Until something happened, or it is time to look again."""
        if any(child.process and not child.has_begun for child in self.children):
            longest = min(longest, LOOK_SECONDS_AT_FIRST)
        now = time.monotonic()
        again = [
            c.start_again_at for c in self.children if c.process is None and self._is_wanted(c)
        ]
        for key, _ in self._selector.select(max(0.0, min([now + longest, *again]) - now)):
            match key.fileobj:
                case socket.socket() as end:
                    self._hear(end)
                case Preloader() as preloader:  # what it says from now on are answers
                    with suppress(NoFork):
                        preloader.is_loaded()
                    self._selector.unregister(preloader)
                case int() as of_a_server:  # it has ended
                    self.server_ended = True
                    self._selector.unregister(of_a_server)
                    os.close(of_a_server)

    def _hear(self, end: socket.socket) -> None:
        with suppress(BlockingIOError):
            while heard := end.recv(4096):
                if name := heard.strip(b"\0").decode(errors="replace"):
                    self._asked_at[name] = time.monotonic()

    def end(self, seconds: float) -> None:
        for preloader in list(self._preloaders):
            self.forget(preloader)
        end_all([*self.steps, *self.children], seconds)


def forget_counts(pid: int) -> None:
    """A process has ended: its counts stay in the sum of `/metrics`, but not its gauges."""
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        for file in Path(folder).glob(f"gauge_live*_{pid}.db"):
            file.unlink(missing_ok=True)


def say_on_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - there is no log here

"""The services of `docker/compose.yml`, with a container engine that does what the file asks.

Postgres and Valkey are servers over TCP, web, workers and beat processes of their own. What
ended is started again, as `restart: unless-stopped` promises; nothing else is done for them. What
an operator does, by mistake or on purpose, are its scenes: a second beat, clocks that differ, an
upgrade with new processes beside the old ones.
"""

import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from config.host.embedded import processes
from tests.chaos.faults import RESTARTED, UPGRADE
from tests.chaos.kills import backends, forked
from tests.config.compose import PROXIED, ROOT, SECRETS, Composition
from tests.served import GENEROUS, Answer, Caller, forget, free_port

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 60.0  # of the engine between two starts; doubled each time
LONG_LIFE = 10.0  # after which it begins again with the first pause
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_START = 120
SECONDS_TO_END = 75
SERVERS = ("postgres", "valkey")
BEHIND = {"CLOCK_BEHIND_SECONDS": "2", "PYTHONPATH": str(Path(__file__).parent / "clock")}
WITH_A_CLOCK_BEHIND = ("web", "duties", "worker")  # one of each kind that has two


class Balanced(Caller):
    """A caller behind a proxy: after a failure its next request goes to another web process."""

    turns = count()

    def __init__(self, ports: Callable[[], list[int]]) -> None:
        self._ports = ports
        super().__init__(self._another())
        self._headers |= PROXIED

    def address(self) -> tuple[str, dict[str, str]]:
        return f"http://127.0.0.1:{self._another()}", PROXIED

    def _another(self) -> int:
        ports = self._ports()
        return ports[next(self.turns) % len(ports)]

    def _call(self, *request: Any) -> Answer:
        try:
            return super()._call(*request)
        except (OSError, HTTPException):
            self._connection.port = self._another()
            raise


class Composed(Composition):
    """A service of containers, as `tests.served.Served` is one of a machine; use it in a `with`."""

    def __init__(self, state: Path, root: Path = ROOT, scene: float = 20.0) -> None:
        """It begins with the checkout at ``root``; a scene lasts so many seconds."""
        forget(state)
        state.mkdir(parents=True)
        super().__init__(state, durable=True)
        self.state, self.root = state, root
        self._how: dict[str, Any] = {}
        self._numbers, self._behind, self._scene = count(3), frozenset[str](), scene
        self._engine = threading.Thread(target=self._start_again, name="engine")
        self._stopping = threading.Event()
        self.parts: dict[str, Callable[[], set[int]]] = {
            **{kind: lambda kind=kind: forked(*self._pids(kind)) for kind in RESTARTED},
            "container of web": lambda: self._pids("web"),
            "container of worker": lambda: self._pids("worker"),
            "Valkey": lambda: self._pids("valkey"),
            "Postgres": lambda: self._pids("postgres"),
            "Postgres backend": lambda: set(sorted(backends(*self._pids("postgres")))[:1]),
        }
        self.scenes: dict[str, Callable[[], float]] = {
            "two beats": self._two_beats,
            "clocks two seconds apart": self._clocks_apart,
            UPGRADE: self._upgrade,
        }

    def __enter__(self) -> "Composed":
        try:
            self.up()
            self._engine.start()
            self._wait_until_ready(self.caller())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._engine.is_alive():
            self._engine.join()
        self.down()

    def caller(self) -> Caller:
        return Balanced(lambda: [self.ports[name] for name in self._names("web")])

    def logs(self) -> list[Path]:
        return sorted(self.place.state.glob("*.log"))

    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Python with these words and the variables of `web`."""
        variables = self._variables("web") | environment
        del variables["PROMETHEUS_MULTIPROC_DIR"]  # its processes are no part of the service
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.root,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def database(self) -> "psycopg.Connection[Any]":
        there = {"host": "127.0.0.1", "port": self.ports["postgres"], "user": "cardroom"}
        password = SECRETS["database_password"]
        return psycopg.connect(**there, dbname="cardroom", password=password, autocommit=True)

    def _variables(self, name: str) -> dict[str, str]:
        return super()._variables(name) | GENEROUS | (BEHIND if name in self._behind else {})

    def _run(self, name: str, command: Any, **popen: Any) -> Any:
        self._how[name] = command, popen
        return super()._run(name, command, **popen)

    def _names(self, kind: str) -> list[str]:
        """The containers of a kind."""
        return [name for name in list(self.started) if name.partition(" ")[0] == kind]

    def _pids(self, kind: str) -> set[int]:
        containers = [self.started[name] for name in self._names(kind)]
        return {container.pid for container in containers if container.poll() is None}

    def _wait_until_ready(self, caller: Caller) -> None:
        def is_ready() -> bool:
            with suppress(OSError, HTTPException):
                return caller.get("/readyz").status == 200
            return False

        self._wait(is_ready)

    def _wait(self, condition: Callable[[], bool]) -> None:
        if not processes.wait_until(condition, SECONDS_TO_START, 0.2):
            raise RuntimeError(f"The services are not ready: {self.last_outputs()}")

    def _two_beats(self) -> float:
        """The second one's clock is behind, so that both look at other moments."""
        second = self._begun("beat", is_behind=True)
        time.sleep(self._scene)
        self._end(second)
        return time.monotonic()

    def _clocks_apart(self) -> float:
        """Of two processes that do the same work one is two seconds behind the other."""
        added = [self._begun(kind, is_behind=True) for kind in WITH_A_CLOCK_BEHIND]
        self._end(self._names("web")[0])  # whoever called it calls the others
        time.sleep(self._scene)
        for name in [self._begun("web"), *added][1:]:
            self._end(name)
        return time.monotonic()

    def _upgrade(self) -> float:
        """As docker/RUNBOOK.md says; an old process ends when the new one beside it is healthy."""
        self.root = ROOT
        assert self._start("init").wait(SECONDS_TO_START) == 0, self.output("init")
        for old in [name for name in self.started if name not in ("init", *SERVERS)]:
            self._begun(old.partition(" ")[0])
            self._end(old)
        return time.monotonic()

    def _begun(self, kind: str, *, is_behind: bool = False) -> str:
        """The name of another container of a kind, which is healthy."""
        name = f"{kind} {next(self._numbers)}"
        self._behind |= {name} if is_behind else set()
        self.ports[name] = free_port()
        self._start(name)
        if kind == "web":
            self._wait_until_ready(Balanced(lambda: [self.ports[name]]))
        else:
            self._wait(lambda: self.is_healthy(name, kind))
        return name

    def _end(self, name: str) -> None:
        """As an engine stops a container."""
        ended = self.started.pop(name)
        ended.terminate()
        ended.wait(SECONDS_TO_END)

    def _start_again(self) -> None:
        """The engine. Its thread is the parent of what it starts, so it runs until all is over."""
        started, pauses = defaultdict[str, float](float), defaultdict(lambda: FIRST_PAUSE)
        while not self._stopping.wait(SECONDS_BETWEEN_LOOKS):
            for name, container in [*self.started.items()]:
                now = time.monotonic()
                if name == "init" or container.poll() is None:
                    continue
                if now < started[name] + pauses[name]:
                    continue
                long = now - started[name] > LONG_LIFE
                pauses[name] = FIRST_PAUSE if long else min(LONGEST_PAUSE, pauses[name] * 2)
                started[name] = now
                command, popen = self._how[name]
                self._run(name, command, **popen)

"""The services of `docker/compose.yml`, with a container engine that does what the file asks.

Postgres and Valkey are servers over TCP, web, workers and beat processes of their own. What
ended is started again, as `restart: unless-stopped` promises; nothing else is done for them.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from itertools import cycle
from pathlib import Path
from typing import Any

import psycopg

from tests.chaos.kills import backends, forked
from tests.config.compose import HOST, ROOT, SECRETS, Composition
from tests.served import GENEROUS, Answer, Caller, forget

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 60.0  # of the engine between two starts; doubled each time
LONG_LIFE = 10.0  # after which it begins again with the first pause
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_START = 120


class Balanced(Caller):
    """A caller behind a proxy: after a failure its next request goes to another web process."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = cycle(ports)
        super().__init__(next(self._ports))
        self._headers |= {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "198.51.100.9",
        }

    def _call(self, *request: Any) -> Answer:
        try:
            return super()._call(*request)
        except (OSError, HTTPException):
            self._connection.port = next(self._ports)
            raise


class Composed(Composition):
    """A service of containers, as `tests.served.Served` is one of a machine; use it in a `with`."""

    def __init__(self, state: Path) -> None:
        forget(state)
        state.mkdir(parents=True)
        super().__init__(state, durable=True)
        self.state = state
        self._how: dict[str, Any] = {}
        self._engine = threading.Thread(target=self._start_again, name="engine")
        self._stopping = threading.Event()
        self.parts: dict[str, Callable[[], set[int]]] = {
            "web": lambda: forked(*self._pids("web", "web 2")),
            "worker": lambda: forked(*self._pids("worker")),
            "duties": lambda: forked(*self._pids("duties")),
            "batch": lambda: forked(*self._pids("batch")),
            "long": lambda: forked(*self._pids("long")),
            "beat": lambda: forked(*self._pids("beat")),
            "container of web": lambda: self._pids("web", "web 2"),
            "container of worker": lambda: self._pids("worker"),
            "Valkey": lambda: self._pids("valkey"),
            "Postgres": lambda: self._pids("postgres"),
            "Postgres backend": lambda: set(sorted(backends(*self._pids("postgres")))[:1]),
        }

    def __enter__(self) -> "Composed":
        try:
            self.up()
            self._engine.start()
            self._wait_for_web()
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
        return Balanced([self.ports["web"], self.ports["web 2"]])

    def logs(self) -> list[Path]:
        return sorted(self.place.state.glob("*.log"))

    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Python with these words and the variables of `web`."""
        variables = self._variables("web") | environment
        del variables["PROMETHEUS_MULTIPROC_DIR"]  # its processes are no part of the service
        return subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
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
        return super()._variables(name) | GENEROUS

    def _run(self, name: str, command: Any, **popen: Any) -> Any:
        self._how[name] = command, popen
        return super()._run(name, command, **popen)

    def _pids(self, *names: str) -> set[int]:
        return {self.started[name].pid for name in names if self.started[name].poll() is None}

    def _wait_for_web(self) -> None:
        end, caller = time.monotonic() + SECONDS_TO_START, self.caller()
        while True:
            with suppress(OSError, HTTPException):
                if caller.get("/readyz").status == 200:
                    return
            if time.monotonic() > end:
                raise RuntimeError(f"The services are not ready: {self.last_outputs()}")
            time.sleep(0.2)

    def _start_again(self) -> None:
        """The engine. Its thread is the parent of what it starts, so it runs until all is over."""
        started = dict.fromkeys(self.started, 0.0)
        pauses = dict.fromkeys(self.started, FIRST_PAUSE)
        while not self._stopping.wait(SECONDS_BETWEEN_LOOKS):
            for name in self.started.keys() - {"init"}:
                now = time.monotonic()
                if self.started[name].poll() is None or now < started[name] + pauses[name]:
                    continue
                long = now - started[name] > LONG_LIFE
                pauses[name] = FIRST_PAUSE if long else min(LONGEST_PAUSE, pauses[name] * 2)
                started[name] = now
                command, popen = self._how[name]
                self._run(name, command, **popen)

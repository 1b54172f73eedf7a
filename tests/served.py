"""A whole service: `manage.py serve` on an empty state folder, and callers of its API.

For what measures or breaks the service from outside (`tests.bench`, `tests.chaos`); only the
standard library speaks HTTP here, so that a caller costs little and fails in plain ways.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from config.host import embedded

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 120
PATIENCE = 30.0
THROTTLED = ("ANON", "USER", "MOVES", "SIGNUP", "CHECKS")
COUNTED = ("STREAMS_PER_ADDRESS", "GUESTS_PER_ADDRESS", "LOBBY_TABLES_PER_HOST")
# Compiled once for all services of the tests, which begin with empty folders.
KERNELS = {"CARDROOM_KERNEL_CACHE": str(ROOT / "var" / "kernels")}
HELD = ("CONNECTIONS_PER_ADDRESS", "UNFINISHED_PER_ADDRESS", "BODY_BYTES_PER_ADDRESS")
GENEROUS = {f"THROTTLE_{scope}": "1000000/min" for scope in THROTTLED} | dict.fromkeys(
    (*COUNTED, *HELD), "1000000"
)


class Served:
    """The service as a person starts it, with limits that a load from one address does not meet."""

    def __init__(
        self,
        state: Path,
        *,
        root: Path = ROOT,
        patience: float = SECONDS_TO_START,
        within: Sequence[str] = (),
        **environment: str,
    ) -> None:
        """``root`` is the checkout that is served, usually this one.

        ``within`` are words before its command, which bound what it may take.
        """
        self._within = within
        self._root, self._patience = root, patience
        self.state, self.port, self.log = state, free_port(), state / "serve.log"
        self.servers = state  # whose database and broker it uses
        forget(state)
        state.mkdir(parents=True)
        kept = {k: v for k, v in os.environ.items() if not k.endswith(("_URL", "DATABASE"))}
        shared = {"CARDROOM_STATE": str(state)} | KERNELS
        self._environment = kept | GENEROUS | shared | environment

    def __enter__(self) -> "Served":
        signal.signal(
            signal.SIGTERM, lambda *_: sys.exit("Stopped by a signal.")
        )  # through __exit__
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self._within, sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=self._root,
                env=self._environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if not self.wait_for(self.is_ready, self._patience):
            self.__exit__()
            raise RuntimeError(f"The service is not ready:\n{self.log.read_text()[-2000:]}")
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=60)
        embedded.stop(self.state)

    def wait_for(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Whether it became true in time. Raises with the last output if the service ended."""
        end = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None:
                raise RuntimeError(f"The service ended:\n{self.log.read_text()[-2000:]}")
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def is_ready(self) -> bool:
        try:
            answer = Caller(self.port, patience=3).get("/readyz")
        except (OSError, http.client.HTTPException):
            return False
        return answer.status == 200

    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Python with these words, as a process of this service: `manage.py verify_matches`."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=self._root,
            env=self._environment | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def caller(self) -> "Caller":
        return Caller(self.port)

    def logs(self) -> list[Path]:
        return [self.log, *(self.servers / "services").resolve().glob("*.log*")]

    def database(self) -> "psycopg.Connection[Any]":
        return psycopg.connect(embedded.database_url(self.servers), autocommit=True)


class Answer:
    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.status, self.body, self.headers = status, body, headers

    def json(self) -> Any:
        return json.loads(self.body)


class Caller:
    """One connection, kept alive and opened again after it broke; with a key once signed in."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
        self._headers = {"Content-Type": "application/json"}

    def address(self) -> tuple[str, dict[str, str]]:
        """For a client that opens connections itself, and the headers of its way there."""
        return f"http://127.0.0.1:{self._connection.port}", {}

    def sign_in_as_guest(self) -> "Caller":
        answer = self.post("/api/v1/accounts/guest", {})
        self.use_key(answer.json()["token"])
        return self

    def use_key(self, key: str) -> None:
        self.key = key
        self._headers["Authorization"] = f"Token {key}"

    def get(self, path: str, **headers: str) -> Answer:
        return self._call("GET", path, None, headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        return self._call("POST", path, json.dumps(body), headers)

    def post_and_leave(self, path: str, body: Any, **headers: str) -> None:
        """Sends it all and disconnects without reading the answer."""
        self._send("POST", path, json.dumps(body), headers)
        self._connection.close()

    def _call(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        try:
            self._send(method, path, body, headers)
            answer = self._connection.getresponse()
            return Answer(answer.status, answer.read(), answer.headers)
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, body, self._headers | named)


def say(*lines: str) -> None:
    """Prints them at once: who waits for hours reads along."""
    for line in lines:
        print(line, flush=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def forget(state: Path) -> None:
    """Whatever an earlier run left in this folder, its servers included."""
    services = state / "services"
    if services.exists():
        embedded.stop(state)
        shutil.rmtree(services.resolve())
    shutil.rmtree(state, ignore_errors=True)

"""`manage.py serve`: the whole service on one machine, in one terminal.

Starts the database, the broker, the worker and the web process, watches them, starts again what
ends, and stops all of them in order on Ctrl-C.
"""

import os
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any
from urllib.request import urlopen

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, connections

from config.host import embedded, setup, state_folder
from config.host.supervisor import Child, end_all

WATCH_SECONDS = 0.2
SECONDS_TO_END = 2.2  # of the five that a stop may take; the servers below need one
SECONDS_TO_ANSWER = 60


class Command(BaseCommand):
    help = "Serve Cardroom on this machine: database, broker, worker and web in one terminal."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
        parser.add_argument("--port", default=os.environ.get("PORT") or "8000")

    def handle(self, *args: Any, **options: Any) -> None:
        self._begun = time.monotonic()
        self._stopping = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            with state_folder.sole_use(settings.STATE):
                self._serve(options["host"], _port(options["port"]))
            self._say("Stopped. Nothing is lost.")
        except (state_folder.CannotServe, embedded.ServiceError) as error:
            raise CommandError(str(error)) from None

    def _serve(self, host: str, port: int) -> None:
        with state_folder.listen(host, port) as listener:
            children: list[Child] = []
            try:
                self._prepare(host)
                children += _children(listener.fileno())
                self._open(children, host, port)
                self._watch(children)
                self._say("\nStopping")
            except Stopped:
                pass
            finally:
                end_all(children, SECONDS_TO_END)
                self._end_servers()

    def _prepare(self, host: str) -> None:
        self._step("Database", self._start_postgres)
        self._step("Broker", self._start_valkey)
        self._step("Tables", _migrate)
        self._step("Pages", lambda: "laid out" if setup.collect_files() else "unchanged")
        administrator = setup.first_administrator()
        if administrator:
            self._say("")
            self._say(f"  Administrator (shown only this once):  {administrator}")
            self._say("")
        _let_go_of_the_database()
        os.environ.setdefault("ALLOWED_HOSTS", ",".join(state_folder.names_of(host)))

    def _open(self, children: list[Child], host: str, port: int) -> None:
        for child in children:
            child.start()
        self._step("Web", lambda: self._wait_for_answer(children, host, port))
        self._say("")
        self._say(f"Cardroom is ready after {time.monotonic() - self._begun:.0f} s:")
        self._say(f"  {_address(host, port)}/          play")
        self._say(f"  {_address(host, port)}/admin/    operate")
        self._say(f"  State in {settings.STATE}. Ctrl-C stops everything.")

    def _watch(self, children: list[Child]) -> None:
        """Until told to stop: whatever ends is started again."""
        while not self._stopping:
            self._revive(children)
            time.sleep(WATCH_SECONDS)

    def _revive(self, children: list[Child]) -> None:
        if _owns_postgres() and not embedded.postgres_runs(settings.STATE):
            self._say("The database ended; starting it again")
            embedded.ensure_postgres(settings.STATE)
        if _owns_valkey() and not embedded.valkey_runs(settings.STATE):
            self._say("The broker ended; starting it again")
            embedded.ensure_valkey(settings.STATE)
        for child in children:
            word = child.revive()
            if word:
                self._say(word)

    def _end_servers(self) -> None:
        """Last, when nobody uses them any more."""
        _let_go_of_the_database()
        if _owns_postgres() or _owns_valkey():
            embedded.stop(settings.STATE)

    def _start_postgres(self) -> str:
        if not _owns_postgres():
            return "yours (DATABASE_URL)"
        embedded.ensure_postgres(settings.STATE)
        return "running"

    def _start_valkey(self) -> str:
        if not _owns_valkey():
            return "yours (VALKEY_URL)"
        embedded.ensure_valkey(settings.STATE)
        return "running"

    def _wait_for_answer(self, children: list[Child], host: str, port: int) -> str:
        end = time.monotonic() + SECONDS_TO_ANSWER
        while time.monotonic() < end:
            self._revive(children)
            try:
                with urlopen(f"{_address(host, port)}/healthz", timeout=1):
                    return "answers"
            except OSError:
                self._breathe()
        raise state_folder.CannotServe(
            f"The web process did not answer within {SECONDS_TO_ANSWER} s."
        )

    def _step(self, name: str, work: Callable[[], str]) -> None:
        self._breathe(0)
        begun = time.monotonic()
        self.stdout.write(f"  {name:<9} ", ending="")
        self.stdout.flush()
        self._say(f"{work()} ({time.monotonic() - begun:.1f} s)")

    def _breathe(self, seconds: float = 0.05) -> None:
        """Between two steps: wait, and give up if we were told to stop."""
        time.sleep(seconds)
        if self._stopping:
            raise Stopped

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True


class Stopped(Exception):
    """By Ctrl-C, before everything ran."""


def _children(listening: int) -> list[Child]:
    processes = int(os.environ.get("WEB_PROCESSES", "1"))
    web = ["config.server.web", "--fd", str(listening)]
    return [
        Child("The worker", ["config.server.worker", "interactive", "--beat"]),
        Child("The batch worker", ["config.server.worker", "batch"]),
        *(Child("A web process", web, keep_open=[listening]) for _ in range(processes)),
    ]


def _owns_postgres() -> bool:
    return not os.environ.get("DATABASE_URL")


def _owns_valkey() -> bool:
    return not os.environ.get("VALKEY_URL")


def _migrate() -> str:
    steps = setup.migrate()
    return f"{steps} changes made" if steps else "up to date"


def _let_go_of_the_database() -> None:
    """The children make connections of their own, and Postgres waits for ours when it stops."""
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]


def _port(text: str) -> int:
    if not text.isdigit():
        raise state_folder.CannotServe(f"PORT is {text!r}; it has to be a number up to 65535.")
    return int(text)


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    return f"http://{f'[{shown}]' if ':' in shown and shown[0] != '[' else shown}:{port}"

"""One machine's service from start to end: servers, schema, static files, processes.

Starts the database, the broker, the workers and the web processes, watches them, restarts those
that end or hang, and stops all of them in order on Ctrl-C, on SIGTERM or when the terminal closes.
SIGUSR2 takes a new version of the code: it is loaded and migrated, its processes start, and then
those of the old one end.

This is the process that lives for as long as the service. It needs the standard library only: the
application is imported by its preloader (`config.host.supervisor`), also what a start needs of it
(`config.host.setup`).
"""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Final

from config.host import embedded, state_folder
from config.host.embedded.processes import ServiceError
from config.host.state_folder import CannotServe
from config.host.supervisor import NoFork, Preloader, Role
from config.host.watch import Child, Watch

# Postgres and Valkey of one machine's service, unless the operator named servers of their own.

SECONDS_AT_ONCE: Final = 5.0


def start_postgres(state: Path) -> str:
    """Starts it, unless the operator has named another; a word for the terminal."""
    if not _owns_postgres():
        return "yours (DATABASE_URL)"
    embedded.ensure_postgres(state)
    return "running"


def start_valkey(state: Path) -> str:
    if not _owns_valkey():
        return "yours (VALKEY_URL)"
    embedded.ensure_valkey(state)
    return "running"


def server_processes(state: Path) -> Iterator[int]:
    """Our own servers that run."""
    if _owns_postgres() and (pid := embedded.postgres_pid(state)):
        yield pid
    if _owns_valkey() and (pid := embedded.valkey_pid(state)):
        yield pid


def restart_ended(state: Path) -> Iterator[str]:
    """Restarts a server that has ended or cannot be reached; yields sentences about it.

    It waits for a moment only. A start that takes longer or fails (a full disk) is tried again by
    the next call, so that other processes are watched meanwhile.
    """
    if _owns_postgres() and not embedded.postgres_runs(state):
        yield "The database ended; starting it again"
        yield from _or_why_not(lambda: embedded.ensure_postgres(state, seconds=SECONDS_AT_ONCE))
    if _owns_valkey() and not embedded.valkey_runs(state):
        yield "The broker ended; starting it again"
        yield from _or_why_not(lambda: embedded.ensure_valkey(state, seconds=SECONDS_AT_ONCE))


def _or_why_not(start: Callable[[], str]) -> Iterator[str]:
    try:
        start()
    except (embedded.ServiceError, OSError) as error:
        yield f"{error} Trying again."


def cut_logs(state: Path) -> None:
    if _owns_postgres() or _owns_valkey():
        with suppress(OSError):  # a full disk; the next time
            embedded.cut_logs(state)


def stop_servers(state: Path) -> None:
    """Stops our own servers. The other processes of the service have ended by now."""
    if _owns_postgres() or _owns_valkey():
        embedded.stop(state)


def _owns_postgres() -> bool:
    return not os.environ.get("DATABASE_URL")


def _owns_valkey() -> bool:
    return not os.environ.get("VALKEY_URL")


# Whether a service that was just started really serves: its parts and one page.

PAGE: Final = "/accounts/login/"  # needs templates, static files, sessions and the database
SECONDS: Final = 60  # a caller that gave up sooner would ask again, and again, of a slow machine
FAULT: Final = http.client.BAD_REQUEST
READY: Final = ("up", "not ready")  # of a part; the latter is the sum of all parts


def missing_page(host: str, port: int) -> str:
    """The reason why this address shows no page; empty if it does, or redirects to HTTPS."""
    status, body = _get(host, port, PAGE)
    return _silence(body) if not status else f"{PAGE} answers {status}" if status >= FAULT else ""


def missing_parts(host: str, port: int) -> str:
    """The parts that are not ready; empty if all are."""
    status, body = _get(host, port, "/readyz")
    if not status or status == http.client.OK:
        return "" if status else _silence(body)
    try:
        parts = json.loads(body)
    except ValueError:
        return f"/readyz answers {status}"
    return ", ".join(f"{name}: {state}" for name, state in parts.items() if state not in READY)


def _silence(error: bytes) -> str:
    return f"no answer ({error.decode()})"


def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    """Status and body; 0 and the kind of error without an answer."""
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        headers = {"Host": host_name(host), "X-Forwarded-Proto": "https"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, type(error).__name__.encode()
    finally:
        connection.close()


def host_name(host: str) -> str:
    """A host name that the service accepts."""
    first = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    return host if first in ("", "*") else first.removeprefix(".")


SECONDS_TO_END = 2.2  # of the five that a stop may take; the servers need one
SECONDS_BETWEEN_SENTENCES = 60.0  # while something is waited for
SECONDS_BETWEEN_PROBES = 0.05
MOST_FAILED_STARTS = 3  # of a process in a row, before the first page
HIGHEST_PORT = 65535
SECONDS_BETWEEN_CUTS = 60.0
SECONDS_BETWEEN_LOOKS = 10.0  # at servers of which none has ended: can they be reached?
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - counts of ours, in a folder of this user
ROOT: Final = Path(__file__).resolve().parents[2]
READ_ENV: Final = """
import environ, json, os
environ.Env.read_env(".env")
print(json.dumps({**os.environ}))
"""


class Stopped(Exception):
    """A signal to stop came before everything ran."""


class Service:
    """Runs until a signal stops it. Raises CannotServe or ServiceError if it cannot start."""

    def __init__(self, state: Path, host: str, port: str, output: IO[str] = sys.stdout) -> None:
        self._state, self._host, self._port = state, host, _port_number(port)
        self._output = output
        self._begun = time.monotonic()
        self._printed: deque[str] = deque(maxlen=4)
        self._cut_logs_at = self._look_at = 0.0
        self._watch: Watch | None = None

    def run(self) -> None:
        lock = state_folder.Lock(self._state)
        stopping = _Stopping(lock)
        with suppress(Stopped):  # while it waited for another one
            lock.take(stopping.wait, self._print)
            try:
                with self._listen(lock) as listener:
                    self._serve(Watch("machine", [listener.fileno()], self._print), stopping)
            finally:
                lock.release()
            self._print("Stopped. Nothing is lost.")

    def _serve(self, watch: Watch, stopping: "_Stopping") -> None:
        self._watch = watch
        watch.stop_at(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, then=stopping.begin)
        watch.stopping |= stopping.stops
        if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = _counts_of(self._state)
        if not os.environ.get("ALLOWED_HOSTS"):
            names = state_folder.host_names(self._host)  # the last one reaches farthest
            os.environ.setdefault("SITE_URL", _address(names[-1], self._port))
            os.environ["ALLOWED_HOSTS"] = ",".join(names)
        try:
            self._start(watch)
            watch.upgrade_at(signal.SIGUSR2)
            while not watch.stopping:
                self._look(watch)
                watch.sleep()
                if watch.upgrading:
                    watch.upgrading = False
                    self._upgrade(watch)
            self._print("\nStopping")
        except Stopped:
            pass
        finally:
            watch.end(SECONDS_TO_END)
            stop_servers(self._state)
            shutil.rmtree((self._state / "metrics").resolve(), ignore_errors=True)

    def _listen(self, lock: state_folder.Lock) -> socket.socket:
        """Processes of a service that was killed may still hold the port for a moment."""
        patience = state_folder.SECONDS_FOR_THE_KILLED if lock.was_killed else 0.0
        return state_folder.listen(self._host, self._port, patience)

    # --- the start

    def _start(self, watch: Watch) -> None:
        """The program is imported while the servers start; pages come before the workers load."""
        loading, preloader = self._now(), watch.load()
        self._step("Database", lambda: start_postgres(self._state))
        self._step("Broker", lambda: start_valkey(self._state))
        roles = self._loaded(watch, preloader)
        self._say("Program", "loaded", loading)
        self._do(watch, preloader, "Tables", "Pages", "Games")
        watch.use(preloader)
        begun = self._now()
        watch.add([role for role in roles if role.pages], preloader)
        self._until(watch, "Web", self._answering(missing_page))
        self._say("Web", "answers", begun)
        begun = self._now()
        watch.add([role for role in roles if not role.pages], preloader)
        self._until(watch, "Workers", self._answering(missing_parts))
        self._say("Workers", "ready", begun)
        address = _address(self._host, self._port)
        self._print(f"\nCardroom is ready after {time.monotonic() - self._begun:.1f} s:")
        self._print(f"  {address}/          play")
        self._print(f"  {address}/admin/    operate")
        self._print(f"  State in {self._state}. Ctrl-C stops everything.")
        self._do(watch, preloader, "Administrator")

    def _loaded(self, watch: Watch, preloader: Preloader) -> Sequence[Role]:
        """The roles of its processes."""
        try:
            self._until(watch, "Program", lambda: "" if preloader.is_loaded() else "imports")
        except NoFork:
            raise CannotServe("The program cannot be imported; its output is above.") from None
        return preloader.roles or []

    def _do(self, watch: Watch, preloader: Preloader, *names: str) -> None:
        """Steps beside each other, each in a process that prints its line.

        Raises CannotServe if one fails.
        """
        try:
            steps = [watch.step(name, preloader) for name in names]
        except NoFork:
            raise CannotServe("The preloader ended.") from None
        self._until(watch, " and ".join(names), lambda: _unfinished(steps))
        failed = [step.name for step in steps if step.process and step.process.poll()]
        watch.steps.clear()
        if failed:
            raise CannotServe(f"{failed[0]}: failed, as said above.")

    def _answering(self, missing: Callable[[str, int], str]) -> Callable[[], str]:
        """Asks in a thread, so that nobody waits for an answer that takes long; what is missing."""
        state = ["no answer yet"]
        host, watch = _own_address(self._host), self._watch

        def ask() -> None:
            while state[0] and watch is not None and not watch.stopping:
                state[0] = missing(host, self._port)
                time.sleep(SECONDS_BETWEEN_PROBES)
            if watch is not None:
                watch.wake()

        Thread(target=ask, name="readiness", daemon=True).start()
        return lambda: state[0]

    def _until(self, watch: Watch, name: str, missing: Callable[[], str]) -> None:
        """As long as it takes, on a busy machine too; once a minute it says what it waits for.

        Raises Stopped, and CannotServe for processes that end before they have begun, every time.
        """
        say_at = self._now() + SECONDS_BETWEEN_SENTENCES
        while what := missing():
            watch.look()
            if any(child.failed_starts >= MOST_FAILED_STARTS for child in watch.children):
                raise CannotServe(
                    f"A process ends each time that it starts: {what}. Its output is above."
                )
            watch.sleep()
            if watch.stopping:
                raise Stopped
            if self._now() > say_at:
                self._print(f"  {name}: still waiting ({what})")
                say_at = self._now() + SECONDS_BETWEEN_SENTENCES

    # --- while it runs

    def _look(self, watch: Watch) -> None:
        watch.look()
        now = self._now()
        if watch.server_ended or now > self._look_at:
            self._look_at = now + SECONDS_BETWEEN_LOOKS
            watch.attend(server_processes(self._state))
            for sentence in restart_ended(self._state):
                watch.server_ended = True  # until a look finds all of them
                self._print_once(sentence)
            if not watch.server_ended:
                self._printed.clear()
        if now > self._cut_logs_at:
            self._cut_logs_at = now + SECONDS_BETWEEN_CUTS
            cut_logs(self._state)

    def _upgrade(self, watch: Watch) -> None:
        """New processes first, then the old ones end. What fails leaves the old ones at work."""
        self._print("Taking the new version")
        begun, old, preloader = self._now(), list(watch.children), watch.load()
        new: list[Child] = []
        try:
            roles = self._loaded(watch, preloader)
            self._do(watch, preloader, "Tables", "Pages", "Games")
            new = watch.add(roles, preloader)
            self._until(watch, "New processes", lambda: _unbegun(new))
        except CannotServe as error:
            self._print(f"{error} The old version goes on.")
            watch.let_go(new)
            watch.forget(preloader)
            return
        watch.let_go(old)
        watch.use(preloader)
        self._say("Upgrade", "done", begun)

    # --- what it says

    def _step(self, name: str, work: Callable[[], str]) -> None:
        begun = self._now()
        self._say(name, work(), begun)

    def _say(self, name: str, done: str, begun: float) -> None:
        self._print(f"  {name:<9} {done} ({self._now() - begun:.1f} s)")
        if self._watch is not None and self._watch.stopping:
            raise Stopped

    @staticmethod
    def _now() -> float:
        return time.monotonic()

    def _print_once(self, line: str) -> None:
        """Prints a line unless it was among the last ones: a failing start is repeated."""
        if line not in self._printed:
            self._printed.append(line)
            self._print(line)

    def _print(self, line: str) -> None:
        with suppress(OSError):  # the output may be a file on a full disk, or a closed terminal
            self._output.write(line + "\n")
            self._output.flush()


class _Stopping:
    """A signal before there is anything to end; the next start of this folder then waits."""

    def __init__(self, lock: state_folder.Lock) -> None:
        self.stops, self._lock = False, lock
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.begin())

    def begin(self) -> None:
        self.stops = True
        self._lock.note_stop()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
        if self.stops:
            raise Stopped


def _unfinished(steps: Sequence[Child]) -> str:
    return ", ".join(step.name for step in steps if step.process and step.process.poll() is None)


def _unbegun(children: Sequence[Child]) -> str:
    waiting = [child.name for child in children if not child.has_begun and not child.on_demand]
    return ", ".join(waiting)


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


def _port_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= HIGHEST_PORT:
        raise CannotServe(f"PORT is {text!r}; it has to be a number from 1 to {HIGHEST_PORT}.")
    return int(text)


def _address(host: str, port: int) -> str:
    shown = _own_address(host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


def _own_address(host: str) -> str:
    """The address at which this machine reaches a service that listens there."""
    bare = host.strip("[]")
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bare, bare)  # noqa: S104


def _read_env() -> None:
    """The file `.env` beside the code, as the settings read it; the library is not loaded here."""
    if (ROOT / ".env").is_file():
        command = [sys.executable, "-c", READ_ENV]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            os.environ.update(json.loads(done.stdout))


def main(words: Sequence[str]) -> None:
    os.environ.setdefault("CARDROOM_ONE_MACHINE", "1")
    _read_env()
    parser = ArgumentParser(
        prog="manage.py serve",
        description="Serve Cardroom on this machine: database, broker, workers and web.",
    )
    parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
    parser.add_argument("--port", default=os.environ.get("PORT") or "8000")
    options = parser.parse_args(words)
    state = Path(os.environ.get("CARDROOM_STATE") or ROOT / "var").resolve()
    # All that a service writes lies in its state: the code and the user's home may be read-only.
    os.environ.setdefault("CARDROOM_KERNEL_CACHE", str(state / "kernels"))
    try:
        Service(state, options.host, options.port).run()
    except (CannotServe, ServiceError) as error:
        sys.exit(f"Error: {error}")

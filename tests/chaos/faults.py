"""What is done to a running service: parts killed or stopped, a full disk, restarts."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from config.host.embedded import folders
from tests.chaos.kills import Killer, children
from tests.served import Served

DISK_MEGABYTES: Final = 1500
SECONDS_FULL: Final = 5.0
SECONDS_TO_BE_REPLACED: Final = 30.0
AIMS: Final = {"web": 3.0, "worker": 3.0, "Valkey": 3.0, "Postgres": 5.0}  # after a kill


@dataclass
class Fault:
    """``strike`` does it and says from when on the pause counts; ``aim`` in seconds, if any."""

    name: str
    strike: Callable[[], float]
    aim: float | None = None
    pause: float | None = None


class Faults:
    """``owned``: the service starts its servers itself; else they are only stopped for a while."""

    def __init__(
        self, service: Served, stopped: float, *, disk: Path | None = None, owned: bool = True
    ) -> None:
        self._service, self._killer = service, Killer(service)
        self._stopped, self._disk, self._owned = stopped, disk, owned
        self._home = folders.home(service.servers)

    def plan(self, number: int, rng: random.Random) -> Iterator[Fault]:
        """So many, every kind about as often, in random order."""
        kinds = list(self._kinds(rng))
        chosen = [kinds[n % len(kinds)] for n in range(number)]
        rng.shuffle(chosen)
        for name, strike, aim in chosen:
            yield Fault(name, strike, aim)

    def _kinds(self, rng: random.Random) -> Iterator[tuple[str, Callable[[], float], float | None]]:
        servers = ("Valkey", "Postgres")
        for part in self._killer.parts:
            if self._owned or part not in servers:
                yield f"kill {part}", lambda part=part: self._kill(part, rng), AIMS.get(part)
        for part in ("web", "worker", *servers):
            yield f"stop {part} for {self._stopped:.0f} s", lambda part=part: self._stop(part), None
        yield "restart all in turn", self._restart, None
        if self._owned:
            yield "remove the socket of Postgres", lambda: self._remove(".s.PGSQL.*"), None
            yield "remove the socket of Valkey", lambda: self._remove("*valkey*"), None
        if self._disk is not None:
            yield f"disk full for {SECONDS_FULL:.0f} s", self._fill_disk, None

    def _kill(self, part: str, rng: random.Random) -> float:
        """One process of the part, as a machine would lose it."""
        found = sorted(self._killer.parts[part]())
        since = time.monotonic()
        for pid in rng.sample(found, min(1, len(found))):
            _signal(pid, signal.SIGKILL)
        return since

    def _stop(self, part: str) -> float:
        found = self._killer.parts[part]()
        whole = found | {child for pid in found for child in children(pid)}
        for pid in whole:
            _signal(pid, signal.SIGSTOP)
        time.sleep(self._stopped)
        for pid in whole:
            _signal(pid, signal.SIGCONT)
        return time.monotonic()

    def _restart(self) -> float:
        """Each web process and the worker, one after the other, as a new release would."""
        since = time.monotonic()
        for part in ("web", "worker"):
            for pid in sorted(self._killer.parts[part]()):
                before = self._killer.parts[part]()
                _signal(pid, signal.SIGTERM)
                end = time.monotonic() + SECONDS_TO_BE_REPLACED
                while not self._killer.parts[part]() - before and time.monotonic() < end:
                    time.sleep(0.05)
        return since

    def _remove(self, pattern: str) -> float:
        since = time.monotonic()
        for place in self._service.servers.rglob(pattern):
            if place.is_socket():
                place.unlink(missing_ok=True)
        return since

    def _fill_disk(self) -> float:
        filler = (self._disk or Path()) / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(2**20))
        time.sleep(SECONDS_FULL)
        filler.unlink(missing_ok=True)
        return time.monotonic()


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


@contextmanager
def limited_disk(folder: Path) -> Iterator[bool]:
    """A small disk at a folder, where this may be mounted; whether it is there."""
    size = f"size={DISK_MEGABYTES}m"
    words = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(words, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)

"""Faults of a running service: parts killed or stopped, a full disk, restarts; a row that
cannot be read, a queue that starves, a machine with other work.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.chaos.kills import accepts, children

DISK_MEGABYTES: Final = 1500
SECONDS_FULL: Final = 5.0
SECONDS_TO_BE_REPLACED: Final = 30.0
SECONDS_TO_SETTLE: Final = 15.0  # a worker starts within that, on a busy machine
AIMS: Final = {"web": 3.0, "worker": 3.0, "Valkey": 3.0, "Postgres": 5.0}  # after a kill
SOCKETS: Final = {"Postgres": ".s.PGSQL.*", "Valkey": "*valkey*"}
# By a new release, in order.
RESTARTED: Final = ("web", "worker", "duties", "batch", "long", "outward", "beat")
UPGRADE: Final = "rolling upgrade"
LOOPS: Final = 10  # a core: load 20 on two
SECONDS_BUSY: Final = 15.0
STARVING: Final = 500
# A computer of a package that dropped it is to move, overdue and past its deadline: it stays so.
POISON: Final = """
import django; django.setup()
from datetime import timedelta
from django.utils import timezone
from accounts.services import people
from games.matches.models import Match, Seat
from games.matches.joining import opening
from games.matches.seats import SeatRequest
seats = [SeatRequest("me"), SeatRequest("bot", bot="greedy")]
match = opening.open_match(creator=people.open_guest(), game="pisti", seats=seats, turn_seconds=60)
Seat.objects.filter(match=match.id, kind="bot").update(bot="gone")
past = timezone.now() - timedelta(minutes=20)  # so long that /readyz counts it as its own fault
Match.objects.filter(id=match.id).update(bot_due_at=past, deadline_at=past)
"""
STARVE: Final = f"""
import django; django.setup()
from celery import current_app
from config.tasks.queues import LONG
for _ in range({STARVING}):
    current_app.send_task("duty", ("simulations",), queue=LONG, retry=False)
"""


@dataclass
class Fault:
    """``strike`` does it and says from when on the pause counts; ``aim`` in seconds, if any."""

    name: str
    strike: Callable[[], float]
    aim: float | None = None
    pause: float | None = None
    load: float = 0.0  # of the machine, when all went on


class Faults:
    """``parts`` find the processes of each part; ``sockets`` is the folder of the servers' own."""

    def __init__(
        self,
        parts: Mapping[str, Callable[[], set[int]]],
        stopped: float,
        *,
        sockets: Path | None = None,
        disk: Path | None = None,
        only: Sequence[str] = ("",),
        run: Callable[..., object] | None = None,
        scenes: Mapping[str, Callable[[], float]] | None = None,
    ) -> None:
        """``run`` starts Python as a process of the service; ``scenes`` are its own."""
        self._run, self._scenes = run, scenes or {}
        self._parts, self._stopped, self._only = parts, stopped, only
        self._sockets, self._disk = sockets, disk

    def plan(self, number: int, rng: random.Random) -> Iterator[Fault]:
        """So many, every kind about as often, in random order."""
        known = list(self._kinds(rng))
        kinds = [kind for kind in known if any(words in kind[0] for words in self._only)]
        if not kinds:
            sys.exit(f"There are these faults: {', '.join(name for name, *_ in known)}.")
        chosen = [kinds[n % len(kinds)] for n in range(number)]
        rng.shuffle(chosen)
        chosen.sort(key=lambda kind: kind[0] != UPGRADE)  # then it is today's code that is besieged
        for name, strike, aim in chosen:
            yield Fault(name, strike, aim)

    def _kinds(self, rng: random.Random) -> Iterator[tuple[str, Callable[[], float], float | None]]:
        for name, scene in self._scenes.items():
            yield name, scene, None
        for part in self._parts:
            yield f"kill {part}", lambda part=part: self._kill(part, rng), AIMS.get(part)
        for part in ("web", "worker", "Valkey", "Postgres"):
            yield f"stop {part} for {self._stopped:.0f} s", lambda part=part: self._stop(part), None
        yield "restart all in turn", self._restart, None
        if self._sockets is not None:
            for part, pattern in SOCKETS.items():
                named = f"remove the socket of {part}"
                yield named, lambda part=part, pattern=pattern: self._remove(part, pattern), None
        yield f"{LOOPS} busy loops a core for {SECONDS_BUSY:.0f} s", _be_busy, None
        if self._run is not None:
            yield "a match whose computer is gone", lambda: self._do(POISON), None
            yield f"{STARVING} long pieces of work in the queue", lambda: self._do(STARVE), None
        if self._disk is not None:
            yield f"disk full for {SECONDS_FULL:.0f} s", self._fill_disk, None

    def _do(self, code: str) -> float:
        assert self._run is not None
        self._run("-c", code)
        return time.monotonic()

    def _kill(self, part: str, rng: random.Random) -> float:
        """One process of the part, as a machine would lose it; the last kill is healed by then."""
        self._wait_until_settled(part)
        found = sorted(self._parts[part]())
        since = time.monotonic()
        for pid in rng.sample(found, min(1, len(found))):
            _signal(pid, signal.SIGKILL)
        return since

    def _wait_until_settled(self, part: str) -> None:
        """Of two processes that do the same work the other one must have started."""
        end = time.monotonic() + SECONDS_TO_BE_REPLACED
        while time.monotonic() < end and any(map(_is_new, self._parts[part]())):
            time.sleep(0.2)

    def _stop(self, part: str) -> float:
        found = self._parts[part]()
        whole = found | children(*found)
        for pid in whole:
            _signal(pid, signal.SIGSTOP)
        time.sleep(self._stopped)
        for pid in whole:
            _signal(pid, signal.SIGCONT)
        return time.monotonic()

    def _restart(self) -> float:
        """One process after the other, each when the one before is replaced, as a release does."""
        since = time.monotonic()
        for part in (name for name in RESTARTED if name in self._parts):
            for pid in sorted(self._parts[part]()):
                before = self._parts[part]()
                _signal(pid, signal.SIGTERM)
                self._wait_for_another(part, before)
        return since

    def _wait_for_another(self, part: str, before: set[int]) -> None:
        end = time.monotonic() + SECONDS_TO_BE_REPLACED
        while time.monotonic() < end:
            new = self._parts[part]() - before
            if new and (part != "web" or all(map(accepts, new))):
                return
            time.sleep(0.05)

    def _remove(self, part: str, pattern: str) -> float:
        """Until the server that cannot be reached any more is replaced: connections live on."""
        since, before = time.monotonic(), self._parts[part]()
        for place in (self._sockets or Path()).glob(pattern):
            if place.is_socket():
                place.unlink(missing_ok=True)
        self._wait_for_another(part, before)
        return since

    def _fill_disk(self) -> float:
        filler = (self._disk or Path()) / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(2**20))
        time.sleep(SECONDS_FULL)
        filler.unlink(missing_ok=True)
        return time.monotonic()


def _be_busy() -> float:
    """Each loop in a session of its own: where the kernel groups by session, others wait for it."""
    words = ["timeout", str(SECONDS_BUSY), "sh", "-c", "while :; do :; done"]
    for _ in range(LOOPS * len(os.sched_getaffinity(0))):
        subprocess.Popen(words, start_new_session=True)
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


def _is_new(pid: int) -> bool:
    """Whether the process has just been started."""
    with suppress(OSError):
        return time.time() - Path(f"/proc/{pid}").stat().st_mtime < SECONDS_TO_SETTLE
    return False

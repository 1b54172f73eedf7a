"""Footprint of a service that is idle: ``make footprint``, beside the targets of each figure.

A service starts from an empty folder, does what a new one has to do, rests for a minute after the
last of that, serves 200 matches with computers of all games, loses a web process and a worker, ends
and starts again.
``--against FOLDER`` does the same with another checkout, in turn, because figures of time mean
little between two machines or two hours.
"""

import argparse
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.accounting import Meter, children, processor_seconds, tree
from tests.bench.versions import Row
from tests.chaos.besieged import KINDS, Besieged, Quota
from tests.chaos.load import Book
from tests.served import ROOT, Caller, Served

LONGEST: Final = 900.0
LONGEST_WORK: Final = 600.0
SECONDS_OF_A_LOOK: Final = 5.0
SHARE_AT_REST: Final = 0.2  # of a core
PAGE: Final = "/accounts/login/"
SECONDS_OF_REST: Final = 60.0
SECONDS_AFTER_A_KILL: Final = 5.0
MATCHES: Final = 200
SECONDS_BETWEEN_LOOKS: Final = 0.05  # of a player


@dataclass(frozen=True)
class Target:
    name: str
    unit: str
    must: float
    stretch: float
    least: float = 0.0  # difference that is one; none where single waits are measured


TARGETS: Final = {
    "new": Target("installed, new state folder: first page", "s", 7, 4),
    "new cpu": Target("  of it processor", "s", 7, 4, 0.3),
    "again": Target("installed, existing state: first page", "s", 4, 2.5),
    "again cpu": Target("  of it processor", "s", 4, 2.5, 0.3),
    "memory": Target("memory idle (PSS), Postgres and Valkey included", "MB", 350, 250, 5),
    "played": Target("  after 200 matches with computers of all games", "MB", 480, 350, 10),
    "processes": Target("processes", "", 37, 20),
    "idle": Target("processor, idle", "%", 1.5, 0.5, 0.2),
    "commits": Target("commits a minute, idle", "", 60, 10, 5),
    "web": Target("a killed web process: longest answer of others", "s", 0.3, 0.1),
    "worker": Target("a killed worker: longest answer of others", "s", 0.3, 0.1),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.footprint", description=__doc__)
    parser.add_argument("--rest", type=float, default=SECONDS_OF_REST, help="seconds of rest")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--against", type=Path, help="another checkout, with its .venv")
    options = parser.parse_args()
    roots = [ROOT, *([options.against.resolve()] if options.against else [])]
    compare(roots, options.rest, options.times)


def compare(roots: Sequence[Path], rest: float, times: int) -> list[str]:
    """Prints the figures of one version or of two; what the first lost against the second."""
    rounds = [[_measured(root, rest) for root in roots] for _ in range(times)]
    print(f"{'':<50} {'must':>7} {'stretch':>7}   here" + "      there" * (len(roots) - 1))
    lost = []
    for key, target in TARGETS.items():
        figures = [median(one[n][key] for one in rounds) for n in range(len(roots))]
        late = "" if figures[0] <= target.must else "  !"
        told = "".join(f"{figure:>9.2f} {target.unit:<2}" for figure in figures)
        print(f"{target.name:<50} {target.must:>7g} {target.stretch:>7g} {told}{late}")
        pairs = [(ours[key], theirs[key]) for ours, *others in rounds for theirs in others]
        if target.least and pairs and Row(target.name, "", 1).is_lost(pairs, target.least):
            lost.append(target.name.strip())
    return lost


def _measured(root: Path, rest: float) -> dict[str, float]:
    found: dict[str, float] = {}
    service = Served(ROOT / "var" / "footprint", root=root, patience=LONGEST)
    for start in ("new", "again"):
        found |= _started(service, start)
        if start == "new":
            found |= _rested(service, rest)
            found["played"] = _played(service, rest)
            found |= dict(_killed(service))
        service.__exit__()
    shutil.rmtree(service.state, ignore_errors=True)
    return found


def _started(service: Served, start: str) -> dict[str, float]:
    begun, shown = time.monotonic(), threading.Event()
    at: list[float] = []
    used: list[float] = []

    def ask() -> None:
        while not shown.is_set():
            with suppress(OSError, HTTPException):
                if Caller(service.port, patience=30).get(PAGE).status == 200:
                    at.append(time.monotonic())
                    used.append(processor_seconds(service.process.pid))
                    return
            time.sleep(0.02)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        service.__enter__()
    finally:
        shown.set() if service.process.poll() is not None else None
    thread.join()
    return {start: at[0] - begun, f"{start} cpu": used[0]}


def _rested(service: Served, seconds: float) -> dict[str, float]:
    pid = service.process.pid
    service.wait_for(lambda: _is_at_rest(service), LONGEST_WORK)
    time.sleep(seconds)
    with service.database() as database:
        meter = Meter({"all": pid}, database)
        time.sleep(seconds)
        bill = meter.bill()
    return {
        "memory": _memory(pid),
        "processes": sum(1 for _ in tree(pid)),
        "idle": 100 * bill.seconds["all"] / seconds,
        "commits": 60 * (bill.commits - 1) / seconds,
    }


def _played(service: Served, seconds: float) -> float:
    """MB after 200 matches, each of a person and a computer, and a rest of so many seconds."""
    quota, book = Quota(MATCHES), Book()
    quota.cease()
    tables = [
        Besieged(quota, service.caller, game, people, bots, book, SECONDS_BETWEEN_LOOKS)
        for game, people, bots in KINDS
        if bots and people == 1
    ]
    for table in tables:
        table.start()
    for table in tables:
        table.join()
    if book.faults:
        raise RuntimeError(book.faults[0])
    service.wait_for(lambda: _is_at_rest(service), LONGEST_WORK)
    time.sleep(seconds)
    return _memory(service.process.pid)


def _memory(pid: int) -> float:
    return sum(proportional(process.pid) for process in tree(pid)) / 1024


def _is_at_rest(service: Served) -> bool:
    """Before, computers play the deals of yesterday, which takes minutes of one core.

    The worker that does it ends a minute after; its end would fall into the minute of rest.
    """
    if children(service.process.pid, "config.processes.worker long"):
        return False
    before = processor_seconds(service.process.pid)
    time.sleep(SECONDS_OF_A_LOOK)
    used = processor_seconds(service.process.pid) - before
    return used < SHARE_AT_REST * SECONDS_OF_A_LOOK


def proportional(pid: int) -> float:
    """KB of memory, its share of what others use too (PSS)."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return float(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])  # type: ignore[index]
    return 0.0


def _killed(service: Served) -> Iterator[tuple[str, float]]:
    """Other people read a page meanwhile, or wait for the answer of a computer."""
    key = service.caller().sign_in_as_guest().key
    for part, mark, ask in (
        ("web", "config.processes.web", _page),
        ("worker", "config.processes.worker interactive", _computer(service, key)),
    ):
        ask(service)
        end, waits, killed = time.monotonic() + SECONDS_AFTER_A_KILL, [0.0], False
        while time.monotonic() < end:
            if not killed and time.monotonic() > end - SECONDS_AFTER_A_KILL / 2:
                os.kill(children(service.process.pid, mark)[0], signal.SIGKILL)
                killed = True
            begun = time.monotonic()
            ask(service)
            waits.append(time.monotonic() - begun)
        yield part, max(waits)


def _page(service: Served) -> None:
    """By a connection of its own: those of the killed process are its clients' to open again."""
    with suppress(OSError, HTTPException):
        Caller(service.port).get(PAGE)


def _computer(service: Served, key: str) -> Callable[[Served], None]:
    caller = service.caller()
    caller.use_key(key)

    def ask(_: Served) -> None:
        seats = [{"kind": "bot", "bot": "greedy"}, {"kind": "me"}]  # the computer begins
        match = caller.post("/api/v1/matches", {"game": "pisti", "seats": seats}).json()
        while not match["legal_moves"] and match["status"] == "active":
            time.sleep(0.005)
            match = caller.get(f"/api/v1/matches/{match['id']}").json()
        caller.post(f"/api/v1/matches/{match['id']}/resign", {"seat": 1})

    return ask


if __name__ == "__main__":
    main()

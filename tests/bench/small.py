"""`make small`: the service on one core and in one gigabyte, with 200 players for five minutes.

Half of them play Pişti against computers, half against each other, found by the lobby; each thinks
a while before a move. Nothing may be killed, and the figures stand beside their targets; the exit
status is 1 if one is missed. SMALL="--players 50 --seconds 30" is a shorter one.

The service is held by a cgroup of its own if this user may make one, else by a scope of systemd,
else to one core by `taskset`, while the sum of its memory (PSS) is watched. The players have the
other cores. Postgres and Valkey are in the bound as well.
"""

import argparse
import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.bench.accounting import tree
from tests.bench.footprint import proportional
from tests.bench.players import Line, key_of_a_guest
from tests.served import ROOT, Served

STATE: Final = ROOT / "var" / "bench" / "small"
MEMORY: Final = 1024  # MB
CGROUPS: Final = Path("/sys/fs/cgroup")
SECONDS_BETWEEN_LOOKS: Final = 2.0
SECONDS_BETWEEN_READS: Final = 0.1  # of one who waits for a computer
SECONDS_TO_THINK: Final = (2.0, 6.0)
SECONDS_TO_FIND: Final = 2.0
BOTS: Final = ("greedy", "counter")
WISH: Final = {"game": "pisti", "pace": "blitz"}
UNAVAILABLE: Final = ": 503 "
RESTARTED: Final = "starting it again"


@dataclass
class Found:
    """The players' measurements, in seconds."""

    moves: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    matches: int = 0
    refused: Counter[str] = field(default_factory=Counter)


class Bound:
    """The limit around the service: words before its command, and its report afterwards."""

    def __init__(self, core: int, group: Path | None) -> None:
        self.words, self.peak, self.name = list[str](), 0.0, ""
        self._group = group
        if group:
            self.name = "a cgroup"
            write = f'echo $$ > {group}/cgroup.procs; exec "$@"'
            self.words = ["sh", "-c", write, "sh"]
        elif _may_ask_systemd():
            self.name = "a scope of systemd"
            self.words = ["systemd-run", "--user", "--scope", "--quiet"]
            self.words += [f"--property=MemoryMax={MEMORY}M", "--property=MemorySwapMax=0", "--"]
        else:
            self.name = "no cgroup (none can be made here): the sum of its PSS is watched"
        self.words += ["taskset", "--cpu-list", str(core)]

    def kills(self) -> int:
        if not self._group:
            return 0
        events = dict(map(str.split, (self._group / "memory.events").read_text().splitlines()))
        return int(events["oom_kill"])

    @contextmanager
    def watch(self, root: int) -> Iterator[None]:
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(SECONDS_BETWEEN_LOOKS):
                family = [process.pid for process in tree(root)]
                self.peak = max(self.peak, sum(map(proportional, family)) / 1024)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


@contextmanager
def group() -> Iterator[Path | None]:
    """A cgroup of the second version with this much memory, where that may be made."""
    folder = CGROUPS / f"cardroom-small-{os.getpid()}"
    made = None
    try:
        with suppress(OSError):
            (CGROUPS / "cgroup.procs").read_text()  # not below the first version
            folder.mkdir()
            (folder / "memory.max").write_text(str(MEMORY * 2**20))
            made = folder
            with suppress(OSError):  # a kernel without swap
                (folder / "memory.swap.max").write_text("0")
        yield made
    finally:
        with suppress(OSError):
            folder.rmdir()


def _may_ask_systemd() -> bool:
    words = ["systemd-run", "--user", "--scope", "--quiet", "true"]
    return (
        bool(shutil.which(words[0]))
        and not subprocess.run(words, capture_output=True, check=False).returncode
    )


class Player:
    """One account that plays one match after the other."""

    def __init__(self, line: Line, found: Found, until: float, chance: random.Random) -> None:
        self._line, self._found, self._until, self._chance = line, found, until, chance

    async def play(self, opponent: str | None) -> None:
        while self._goes_on():
            await self._think()  # people do not come all at once
            if (match := await (self._open(opponent) if opponent else self._find())) is None:
                continue
            self._found.matches += 1
            while match is not None and match["status"] == "active" and self._goes_on():
                match = await self._step(match, is_computer=opponent is not None)

    async def _think(self, share: float = 1.0) -> None:
        await asyncio.sleep(share * self._chance.uniform(*SECONDS_TO_THINK))

    def _goes_on(self) -> bool:
        return time.monotonic() < self._until

    async def _open(self, bot: str) -> dict[str, Any] | None:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
        return await self._call("POST", "matches", {"game": "pisti", "seats": seats})

    async def _find(self) -> dict[str, Any] | None:
        await self._call("POST", "seeks", WISH)
        while self._goes_on():
            await asyncio.sleep(SECONDS_TO_FIND)
            mine = await self._call("GET", "matches?mine=true&status=active&limit=1")
            if mine and mine["results"]:
                return await self._read(mine["results"][0]["id"])
        return None

    async def _step(self, match: dict[str, Any], *, is_computer: bool) -> dict[str, Any] | None:
        """A move if it is our turn, else a look; who waits for a computer looks often."""
        if not match["legal_moves"]:
            await self._think(1 / 4)
            return await self._read(match["id"])
        await self._think()
        move = self._chance.choice(match["legal_moves"])["move"]
        body = {"move": move, "version": match["version"]}
        begun = time.perf_counter()
        answer = await self._call("POST", f"matches/{match['id']}/moves", body)
        if answer is None:
            return await self._read(match["id"])
        moved = time.perf_counter()
        self._found.moves.append(moved - begun)
        if not is_computer:
            return answer
        waited = False
        while answer is not None and answer["status"] == "active" and not answer["legal_moves"]:
            waited = True
            await asyncio.sleep(SECONDS_BETWEEN_READS)
            answer = await self._read(match["id"])
        if waited:
            self._found.answers.append(time.perf_counter() - moved)
        return answer

    async def _read(self, match: str) -> dict[str, Any] | None:
        return await self._call("GET", f"matches/{match}")

    async def _call(self, method: str, path: str, body: Any = None) -> dict[str, Any] | None:
        """Nothing if it was refused: the other player resigned or their time ran out."""
        try:
            found: dict[str, Any] = msgspec.json.decode(await self._line.call(method, path, body))
        except RuntimeError as refusal:
            self._found.refused[str(refusal)[:200]] += 1
            return None
        return found


async def played(port: int, players: int, seconds: float) -> Found:
    found, few = Found(), asyncio.Semaphore(8)

    async def line() -> Line:
        async with few:
            return await Line.open(port, await key_of_a_guest(port))

    lines = await asyncio.gather(*(line() for _ in range(players)))
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as tasks:
        for n, one in enumerate(lines):
            opponent = BOTS[n // 2 % len(BOTS)] if n % 2 else None
            tasks.create_task(Player(one, found, until, random.Random(n)).play(opponent))
    return found


def rows(
    found: Found, bound: Bound, start: float, killed: int
) -> Iterator[tuple[str, float, float, str]]:
    """The measurements: name, figure, target, unit."""
    yield "first start, from an empty folder", start, 60, "s"
    yield "killed or started again", killed, 0, ""
    busy = sum(times for refusal, times in found.refused.items() if UNAVAILABLE in refusal)
    yield "calls refused because it was busy", busy, 0, ""
    yield "memory at most (PSS), all processes", bound.peak, MEMORY, "MB"
    yield "a move, p95", 1000 * p95(found.moves), 150, "ms"
    yield "a computer's answer, p95", 1000 * p95(found.answers), 1000, "ms"


def p95(times: Sequence[float]) -> float:
    """Without any, a figure that meets no target."""
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else float("inf")


def report(found: Found, measured: Iterator[tuple[str, float, float, str]]) -> bool:
    """Prints it; whether each target is met."""
    slowest = [max(times, default=0) for times in (found.moves, found.answers)]
    print(
        f"{found.matches} matches; {len(found.moves)} moves, slowest {slowest[0]:.2f} s; "
        f"{len(found.answers)} answers, slowest {slowest[1]:.2f} s"
    )
    for refusal, times in found.refused.most_common(3):
        print(f"refused {times} times: {refusal}")
    good = True
    for name, figure, target, unit in measured:
        good &= figure <= target
        print(
            f"{name:<40}{figure:>9.1f} {unit:<3} ≤ {target:g} {'' if figure <= target else '  !'}"
        )
    return good


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.small", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0)
    options = parser.parse_args()
    *others, core = sorted(os.sched_getaffinity(0))
    if others:
        os.sched_setaffinity(0, others)
    with group() as made:
        bound = Bound(core, made)
        print(f"Held by one core and {bound.name}.", flush=True)
        kernels = {"CARDROOM_KERNEL_CACHE": str(STATE / "kernels"), "MEMORY_MB": str(MEMORY)}
        begun = time.monotonic()
        with Served(STATE, within=bound.words, **kernels) as service:
            start = time.monotonic() - begun
            with bound.watch(service.process.pid):
                found = asyncio.run(played(service.port, options.players, options.seconds))
            killed = bound.kills() + service.log.read_text().count(RESTARTED)
    sys.exit(not report(found, rows(found, bound, start, killed)))


if __name__ == "__main__":
    main()

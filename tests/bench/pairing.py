"""`make pairing`: people who pair for a while over the API and the streams of their accounts.

Each waits for anybody at Pişti, hears by its stream that a match began, resigns or lets the other
resign, thinks for a moment and waits again. Measured are how long they waited, pairs a second, and
processor time; at the end nothing may be left behind.
"""

import argparse
import asyncio
import random
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tests.bench.accounting import Meter
from tests.bench.players import Line, key_of_a_guest
from tests.bench.service import roots
from tests.served import ROOT, Served

STATE: Final = ROOT / "var" / "bench" / "pairing"
ALLOWED: Final = {"STREAMS_PER_ACCOUNT": "100", "THROTTLE_GUESTS": "1000000/min"}
WISH: Final = {"game": "pisti", "pace": "blitz"}
THINKS: Final = 1.0  # seconds at most, between two matches
GIVES_UP: Final = 30.0  # a seek that takes so long is a fault
OTHERS: Final = """
SELECT count(*) FROM games_match m WHERE
    (SELECT array_agg(user_id ORDER BY user_id) FROM games_seat WHERE match_id = m.id)
    IS DISTINCT FROM
    (SELECT array_agg(account_id ORDER BY account_id) FROM lobby_seek WHERE match_id = m.id)
"""
LEFT: Final = [  # waiting seeks, matches that run, matches of other people than their seeks
    "SELECT count(*) FROM lobby_seek WHERE match_id IS NULL AND ended_at IS NULL",
    "SELECT count(*) FROM games_match WHERE status IN ('open', 'active')",
    OTHERS,
]


@dataclass
class Person:
    """One account: a line for its calls, a stream for its news."""

    port: int
    key: str
    waits: list[float] = field(default_factory=list)
    unanswered: int = 0
    _started: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        head = (
            "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Token {self.key}\r\nAccept: application/x-ndjson\r\n\r\n"
        )
        writer.write(head.encode())
        if b" 200 " not in (line := await reader.readline()):
            raise RuntimeError(f"no stream: {line!r}")
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while line := await reader.readline():
                if line.startswith(b'{"type":"started"'):
                    self._started.put_nowait(msgspec.json.decode(line)["match"])

    async def play(self, until: float, chance: random.Random) -> None:
        line = await Line.open(self.port, self.key)
        while time.monotonic() < until:
            await asyncio.sleep(chance.uniform(0, THINKS))
            await self._pair(line)
        line.close()

    async def _pair(self, line: Line) -> None:
        begun = time.monotonic()
        await line.call("POST", "seeks", WISH)
        try:
            match = await asyncio.wait_for(self._started.get(), GIVES_UP)
        except TimeoutError:
            self.unanswered += 1
            return
        self.waits.append(time.monotonic() - begun)
        with suppress(RuntimeError):  # the other one resigned at the same moment
            await line.call("POST", f"matches/{match}/resign", {})

    async def stop(self) -> None:
        """The last one waits alone: nobody is left to play with."""
        line = await Line.open(self.port, self.key)
        found = msgspec.json.decode(await line.call("GET", "seeks"))
        for seek in found["results"]:
            if seek["status"] == "waiting":
                with suppress(RuntimeError):  # 204 has no body, and 409 is a match
                    await line.call("DELETE", f"seeks/{seek['id']}")
        for match in await self._running(line):
            with suppress(RuntimeError):
                await line.call("POST", f"matches/{match}/resign", {})
        line.close()

    async def _running(self, line: Line) -> list[str]:
        answer = await line.call("GET", "matches?mine=true&status=active&limit=100")
        return [match["id"] for match in msgspec.json.decode(answer)["results"]]


async def pair(service: Served, count: int, seconds: float) -> None:
    people = [Person(service.port, await key_of_a_guest(service.port)) for _ in range(count)]
    streams = [asyncio.create_task(person.listen()) for person in people]
    await asyncio.sleep(1)
    chance, until = random.Random(1), time.monotonic() + seconds
    with service.database() as database:
        meter = Meter(roots(service), database)
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.play(until, chance))
        bill = meter.bill()
        for person in people:
            await person.stop()
        left = [database.execute(query).fetchone()[0] for query in LEFT]  # type: ignore[index, arg-type]
    for stream in streams:
        stream.cancel()
    _report(people, seconds, bill, left)


def _report(people: list[Person], seconds: float, bill: Any, left: list[int]) -> None:
    waits = sorted(wait for person in people for wait in person.waits)
    pairs = len(waits) / 2
    slowest = waits[int(0.9 * (len(waits) - 1))]
    median, cores = statistics.median(waits), bill.of("all") / seconds
    print(
        f"{len(people)} people, {seconds:.0f} s: {pairs:.0f} pairs, {pairs / seconds:.1f} a second"
    )
    print(f"waited: median {median:.2f} s, p90 {slowest:.2f} s, most {waits[-1]:.2f} s")
    print(f"processor: {bill.of('all') / pairs * 1000:.0f} ms a pair, {cores:.2f} cores")
    print(f"not paired in {GIVES_UP:.0f} s: {sum(person.unanswered for person in people)}")
    print(f"left behind: {left[0]} seeks, {left[1]} matches, {left[2]} of other people")
    if any(left):
        raise SystemExit("Something was left behind.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make pairing", description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0)
    options = parser.parse_args()
    with Served(STATE, **ALLOWED) as service:
        asyncio.run(pair(service, options.people, options.seconds))


if __name__ == "__main__":
    main()

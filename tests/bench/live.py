"""Live listeners: what one that waits weighs, what a delivery costs and how long it takes."""

import asyncio
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from tests.bench.accounting import Meter, children
from tests.bench.players import Line, Player, Tally, key_of_a_guest, play_for, seated
from tests.bench.service import CONNECTIONS, WARM_SECONDS, Load, roots
from tests.served import Served

LISTENERS = 500
A_MATCH = 4
MOVES_A_SECOND = 250.0
ALLOWED = {"STREAMS_PER_ACCOUNT": "100000"}
SETTLE_SECONDS = 2.0
UPDATED = re.compile(rb'"updated_at":"([^"]+)"')


@dataclass(frozen=True)
class Weight:
    """Of one listener: memory of the web process, its processor time a message, the delays."""

    kilobytes: float
    microseconds: float
    p50: float
    p99: float
    moves_a_second: float
    deliveries: int


@dataclass
class Ears:
    """The delays of all listeners: how long after its commit began each message arrived."""

    delays: list[float] = field(default_factory=list)
    heard: int = 0

    async def follow(self, port: int, key: str, player: Player) -> None:
        """Listens to the player's match, and to the next one when it is over."""
        while True:
            match = player.match.id
            await self.listen(port, key, match)
            while player.match.id == match:  # noqa: ASYNC110 - the player knows of no listener
                await asyncio.sleep(0.01)

    async def listen(self, port: int, key: str, match: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        head = (
            f"GET /api/v1/matches/{match}/stream HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Token {key}\r\nAccept: application/x-ndjson\r\n\r\n"
        )
        writer.write(head.encode())
        if b" 200 " not in (line := await reader.readline()):
            raise RuntimeError(f"no stream: {line!r}")
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while line := await reader.readline():
                if line.startswith(b'{"type":"match"'):
                    self._note(line)
        writer.close()

    def _note(self, line: bytes) -> None:
        self.heard += 1
        if at := UPDATED.search(line):
            self.delays.append(time.time() - datetime.fromisoformat(at[1].decode()).timestamp())


async def weigh(service: Served, seconds: float) -> Weight:
    """500 listeners in one process, four a match, at 250 moves/s; against the same without any."""
    players, tally = await seated_together(service, LISTENERS // A_MATCH)
    plain = await _paced(service, seconds, players, tally)
    before = memory(service)
    ears, listening = await _listening(service, players)
    kilobytes = (memory(service) - before) / len(listening)
    for player in players:
        await player.read()
    ears.delays.clear()
    ears.heard = 0
    loaded = await _paced(service, seconds, players, tally)
    for task in listening:
        task.cancel()
    spent = _web_seconds(loaded) - _web_seconds(plain)
    deliveries = max(1, ears.heard)
    delays = sorted(ears.delays) or [0.0]
    return Weight(
        kilobytes=kilobytes,
        microseconds=spent * loaded.tally.moves / deliveries * 1e6,
        p50=delays[len(delays) // 2],
        p99=delays[int(0.99 * (len(delays) - 1))],
        moves_a_second=loaded.per_second,
        deliveries=deliveries,
    )


async def moves_with_listeners(service: Served, seconds: float) -> Load:
    """The load of `service.human_moves` with four live listeners a match."""
    tally = Tally()
    players = await seated(service.port, CONNECTIONS, tally)
    _, listening = await _listening(service, players)
    await play_for(WARM_SECONDS, players, Player.move)
    with service.database() as database:
        meter = Meter(roots(service), database)
        tally.reset()
        await play_for(seconds, players, Player.move)
        load = Load(tally, tally.per_second, meter.bill(), time.monotonic() - tally.began)
    for task in listening:
        task.cancel()
    return load


async def seated_together(service: Served, number: int) -> tuple[list[Player], Tally]:
    """So many players of few accounts, each at a match of its own."""
    tally, players, key = Tally(), list[Player](), ""
    for n in range(number):
        if n % 25 == 0:
            key = await key_of_a_guest(service.port)
        line = await Line.open(service.port, key)
        player = Player(line, tally, {"kind": "local", "name": "Neighbour"})
        player.key = key
        await player.open()
        players.append(player)
    return players, tally


async def _listening(
    service: Served, players: Sequence[Player]
) -> tuple[Ears, list["asyncio.Task[None]"]]:
    """Four a match: two as its player, two who watch."""
    ears, watcher, tasks = Ears(), await key_of_a_guest(service.port), []
    for player in players:
        keys = player.key, watcher, player.key, watcher
        work = [ears.follow(service.port, key, player) for key in keys]
        tasks += map(asyncio.create_task, work)
        await asyncio.sleep(0.01)
    while ears.heard < len(tasks):
        failed = [task for task in tasks if task.done() and task.exception()]
        if failed:
            raise failed[0].exception()  # type: ignore[misc]
        await asyncio.sleep(0.05)
    await asyncio.sleep(SETTLE_SECONDS)
    return ears, tasks


async def _paced(service: Served, seconds: float, players: Sequence[Player], tally: Tally) -> Load:
    """Moves at a steady rate, the matches in turn; a match that is over is left out."""
    end = time.monotonic() + seconds
    with service.database() as database:
        meter = Meter({str(web): web for web in web_processes(service)}, database)
        tally.reset()
        moving: set[asyncio.Task[None]] = set()
        busy: set[Player] = set()
        due = time.monotonic()
        while time.monotonic() < end:
            for player in players:
                due += 1 / MOVES_A_SECOND
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                if player in busy or player.is_over:
                    continue
                busy.add(player)
                task = asyncio.create_task(player.move())
                moving.add(task)
                task.add_done_callback(moving.discard)
                task.add_done_callback(lambda _, player=player: busy.discard(player))
        await asyncio.gather(*moving)
        return Load(
            replace(tally, latencies=list(tally.latencies)),
            tally.per_second,
            meter.bill(),
            time.monotonic() - tally.began,
        )


def _web_seconds(load: Load) -> float:
    """Of processor time, a move."""
    return sum(load.bill.seconds.values()) / load.tally.moves


def web_processes(service: Served) -> list[int]:
    return children(service.process.pid, "config.processes.web")


def memory(service: Served) -> float:
    """Kilobytes of the web processes that no other process shares."""
    return sum(map(_private, web_processes(service)))


def _private(pid: int) -> float:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return float(sum(map(int, re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.MULTILINE))))

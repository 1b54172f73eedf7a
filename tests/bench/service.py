"""Our side: what a human's move, a read and a bot's move cost the service as it is served."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis.asyncio

from config.host import embedded
from config.host.embedded import postgres, processes, valkey
from tests.bench.accounting import Bill, Meter
from tests.bench.players import Player, Tally, play_for, seated
from tests.served import KERNELS, ROOT, Served

CONNECTIONS = 32
WARM_SECONDS = 3.0
IDLE_SECONDS = 3.0
READ_SECONDS = 3.0
SECONDS_FOR_AN_ANSWER = 5.0
SECONDS_TO_PUBLISH = 60.0
GREEDY = {"kind": "bot", "bot": "greedy"}


@dataclass(frozen=True)
class Load:
    """A load and what it cost; ``bot_moves`` are those that answered it."""

    tally: Tally
    per_second: float
    bill: Bill
    seconds: float
    bot_moves: int = 0

    @property
    def player_seconds(self) -> float:
        """Processor time of who plays; it shares the machine."""
        return self.tally.processor

    @property
    def ratio(self) -> float:
        return self.tally.percentile(0.99) / self.tally.percentile(0.5)


def roots(service: Served) -> dict[str, int]:
    home, serve = processes.home(service.servers), service.process.pid
    return {
        "all": serve,  # supervisor, web, workers, Postgres and Valkey
        "Postgres": postgres.pid(home) or 0,
        "Valkey": valkey.pid(home) or 0,
    }


def compile_kernels(root: Path = ROOT) -> None:
    """Else a worker of a fresh service does it, in the background of everything measured."""
    module = "cardroom.fast.kernel" if (root / "cardroom").exists() else "games.fast.warming"
    command = [sys.executable, "-m", module]
    subprocess.run(command, cwd=root, env=os.environ | KERNELS, capture_output=True, check=False)


def drop_past_deals(service: Served) -> None:
    """Deletes yesterday's deals, which a new service makes for its first people to practise on.

    Otherwise its computers play them in the batch worker, beside everything measured in the first
    quarter of an hour. A service that is a day old has done that in the night. An older checkout
    without deals of the day has nothing to delete.
    """
    with service.database() as database:
        if database.execute("SELECT to_regclass('daily_dailydeal')").fetchone() == (None,):
            return

        def are_deleted() -> bool:
            past, tomorrow = (
                database.execute(f"SELECT FROM daily_dailydeal WHERE day {when}").rowcount
                for when in ("< CURRENT_DATE", "> CURRENT_DATE")
            )
            if not past or tomorrow < past:  # tomorrow's are made last
                return False
            with suppress(psycopg.errors.ForeignKeyViolation):  # a worker has just begun with them
                database.execute("DELETE FROM daily_computerscores")
                database.execute("DELETE FROM daily_dailydeal WHERE day < CURRENT_DATE")
                return True
            return False

        if not service.wait_for(are_deleted, SECONDS_TO_PUBLISH):
            raise RuntimeError("The service has made no deals of yesterday.")


async def human_moves(service: Served, seconds: float, connections: int = CONNECTIONS) -> Load:
    """So many connections, each playing both seats of a match."""
    tally = Tally()
    players = await seated(service.port, connections, tally)
    await play_for(WARM_SECONDS, players, Player.move)
    return await _measured(service, seconds, players, tally)


async def reads(service: Served, step: Callable[[Player], Awaitable[None]] = Player.read) -> Load:
    """The same match read again and again, by eight connections at once."""
    tally = Tally()
    players = await seated(service.port, 8, tally, matches=1)
    await play_for(1.0, players, step)
    return await _measured(service, READ_SECONDS, players, tally, step)


async def openings(service: Served) -> Load:
    """Matches that are opened, by eight connections at once."""
    tally = Tally()
    players = await seated(service.port, 8, tally, matches=1)

    async def open_one(player: Player) -> None:
        await player.prepare()
        tally.opened += 1

    return await _measured(service, READ_SECONDS, players, tally, open_one)


async def idleness(service: Served, part: str = "all") -> float:
    """Processor seconds a second that everything, or a part, takes when nobody plays."""
    with service.database() as database:
        meter = Meter(roots(service), database)
        await asyncio.sleep(IDLE_SECONDS)
        return meter.bill().of(part) / IDLE_SECONDS


async def bot_moves(service: Served, seconds: float) -> Load:
    """People against `greedy`; they hear of its moves on Valkey, so that nobody pays for asking.

    Twice as many connections as in `human_moves`: half of them wait for a bot, so that as many
    moves of people are on their way as there.
    """
    tally = Tally()
    players = await seated(service.port, 2 * CONNECTIONS, tally, GREEDY)
    bell = Bell(embedded.valkey_url(service.state))
    listening = asyncio.create_task(bell.listen())
    await play_for(WARM_SECONDS, players, bell.move_and_wait)
    bell.bot_moves = 0
    load = await _measured(service, seconds, players, tally, bell.move_and_wait)
    listening.cancel()
    return Load(tally, load.per_second, load.bill, load.seconds, bell.bot_moves)


async def answer_times(service: Served, seconds: float) -> list[float]:
    """From sending a move to seeing the bot's answer, one match alone, by asking all the time."""
    tally, times = Tally(), list[float]()
    players = await seated(service.port, 1, tally, GREEDY)

    async def move_and_look(player: Player) -> None:
        begun = time.perf_counter()
        await player.move()
        answered = player.match.version
        if set(player.match.to_act) & set(player.match.your_seats) or player.is_over:
            return
        while player.match.version == answered:
            await player.read()
        times.append(time.perf_counter() - begun)

    await play_for(seconds, players, move_and_look)
    return sorted(times)


class Bell:
    """Hears of every match's version, as live tables do."""

    def __init__(self, valkey_url: str) -> None:
        self._broker = redis.asyncio.Redis.from_url(valkey_url)
        self._versions: dict[str, int] = {}
        self._news = asyncio.Condition()
        self.bot_moves = 0

    async def listen(self) -> None:
        heard = self._broker.pubsub()
        await heard.subscribe("matches")
        async for message in heard.listen():
            if message["type"] == "message":
                async with self._news:
                    for line in message["data"].decode().splitlines():
                        match, _, version = line.partition(" ")
                        self._versions[match] = int(version)
                    self._news.notify_all()

    async def move_and_wait(self, player: Player) -> None:
        await player.move()
        mine, answered = player.match.your_seats, player.match.version
        if player.is_over or set(mine) & set(player.match.to_act):
            return
        try:
            async with asyncio.timeout(SECONDS_FOR_AN_ANSWER), self._news:
                await self._news.wait_for(lambda: self._versions.get(player.match.id, 0) > answered)
        except TimeoutError:
            await player.read()
            return
        self.bot_moves += self._versions[player.match.id] - answered
        player.follow(self._versions[player.match.id])


async def _measured(service, seconds, players, tally, step=Player.move) -> Load:  # type: ignore[no-untyped-def]
    with service.database() as database:
        meter = Meter(roots(service), database)
        tally.reset()
        await play_for(seconds, players, step)
        load = Load(tally, tally.per_second, meter.bill(), time.monotonic() - tally.began)
    tally.processor = time.process_time() - tally.processor
    return load

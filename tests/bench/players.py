"""The load: connections that play real Pişti matches by API key as fast as they are answered.

Each connection plays every human seat of its own match and knows the hands from the answers; only
a hand that was dealt during another seat's move is read (one read in eight moves between two).
Every second move has an Idempotency-Key. Matches are opened before the load; how long that takes is
a row of its own.
"""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

SECONDS_FOR_AN_ANSWER = 10.0
MATCHES_EACH = 2
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Hand(msgspec.Struct):
    hand: list[str]


class Match(msgspec.Struct):
    """The fields of a match that a player reads."""

    id: str
    version: int
    status: str
    to_act: list[int]
    your_seats: list[int]
    acting_seat: int | None
    view: Hand


_read_match = msgspec.json.Decoder(Match).decode


@dataclass
class Tally:
    """The counts of a load."""

    moves: int = 0
    reads: int = 0
    opened: int = 0
    processor: float = 0.0  # of this process, which plays
    latencies: list[float] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def per_second(self) -> float:
        return self.moves / (time.monotonic() - self.began)

    def percentile(self, part: float) -> float:
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]

    def reset(self) -> None:
        self.moves = self.reads = self.opened = 0
        self.latencies.clear()
        self.began, self.processor = time.monotonic(), time.process_time()


class Line(asyncio.Protocol):
    """One kept-alive HTTP connection; one call at a time."""

    @classmethod
    async def open(cls, port: int, key: str = "") -> "Line":
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(lambda: cls(port, key), "127.0.0.1", port)
        return line

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        sign = f"Authorization: Token {key}\r\n" if key else ""
        self._head = f"Host: localhost\r\nContent-Type: application/json\r\n{sign}"
        self._received = bytearray()
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = bytes(self._received).partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if blank and self._answer and len(body) >= int(length[1] if length else 0):
            self._received.clear()
            answer, self._answer = self._answer, None
            if not answer.done():
                answer.set_result((int(head[9:12]), body))

    def connection_lost(self, _: Exception | None) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(ConnectionError("The server hung up."))

    async def call(self, method: str, path: str, body: Any = None, more: str = "") -> bytes:
        """The body of the answer; anything but success, or none in time, ends the bench.

        ``more`` are further header lines. A server closes a line that was idle for long: what was
        sent at that moment is sent again on a new one, once.
        """
        try:
            return await self._call_once(method, path, body, more)
        except ConnectionError:
            return await self._call_once(method, path, body, more)

    async def _call_once(self, method: str, path: str, body: Any, more: str) -> bytes:
        if self._transport.is_closing():
            self._received.clear()
            await asyncio.get_running_loop().create_connection(
                lambda: self, "127.0.0.1", self._port
            )
        sent = b"" if body is None else msgspec.json.encode(body)
        loop = asyncio.get_running_loop()
        self._answer = answer_to = loop.create_future()
        head = f"{method} /api/v1/{path} HTTP/1.1\r\n{self._head}{more}Content-Length: {len(sent)}"
        self._transport.write(head.encode() + b"\r\n\r\n" + sent)
        timer = loop.call_later(SECONDS_FOR_AN_ANSWER, self._give_up, answer_to)
        try:
            status, answer = await answer_to
        finally:
            timer.cancel()
        if status not in (200, 201, 304):
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")
        return answer

    def _give_up(self, answer: "asyncio.Future[Any]") -> None:
        if not answer.done():
            answer.set_exception(TimeoutError(f"no answer within {SECONDS_FOR_AN_ANSWER} s"))

    def close(self) -> None:
        self._transport.close()


class Player:
    """One connection and its match."""

    def __init__(self, line: Line, tally: Tally, opponent: dict[str, str]) -> None:
        self._line, self._tally, self._opponent = line, tally, opponent
        self._hands: dict[int, list[str]] = {}
        self._ready: list[Match] = []
        self._sent = 0
        self.match: Match
        self.key = ""

    async def prepare(self) -> None:
        """Opens one more match for later."""
        wish = {"game": "pisti", "seats": [{"kind": "me"}, self._opponent]}
        self._ready.append(_read_match(await self._line.call("POST", "matches", wish)))

    async def open(self) -> None:
        """Goes on with the next match, opened now if none is ready."""
        if not self._ready:
            self._tally.opened += 1
            await self.prepare()
        self._hands = {}
        self._see(self._ready.pop())

    async def look(self) -> None:
        """Asks whether there is anything new, and there is not."""
        tag = f'If-None-Match: "{self.match.version}", *\r\n'
        await self._line.call("GET", f"matches/{self.match.id}", None, tag)
        self._tally.reads += 1

    async def read(self) -> None:
        self._see(_read_match(await self._line.call("GET", f"matches/{self.match.id}")))
        self._tally.reads += 1

    async def move(self) -> None:
        """One card of the seat that is to act, read first if we cannot know it."""
        seat = self.match.to_act[0]
        if not self._hands.get(seat):
            await self.read()
        if self.is_over:  # by the last move of another seat
            return
        move = random.choice(self._hands[seat])
        body = {"move": move, "version": self.match.version}
        self._sent += 1
        key = f"Idempotency-Key: {self.match.version}\r\n" if self._sent % 2 else ""
        begun = time.perf_counter()
        answer = await self._line.call("POST", f"matches/{self.match.id}/moves", body, key)
        self._tally.latencies.append(time.perf_counter() - begun)
        self._tally.moves += 1
        self._see(_read_match(answer))

    def follow(self, version: int) -> None:
        """Others moved on to this version, and it is our turn again."""
        self.match.version, self.match.to_act = version, list(self.match.your_seats)

    def _see(self, match: Match) -> None:
        self.match = match
        if match.acting_seat is not None:
            self._hands[match.acting_seat] = match.view.hand

    @property
    def is_over(self) -> bool:
        return self.match.status != "active"


async def key_of_a_guest(port: int) -> str:
    line = await Line.open(port)
    answer = msgspec.json.decode(await line.call("POST", "accounts/guest", {}))
    line.close()
    return str(answer["token"])


async def seated(
    port: int,
    number: int,
    tally: Tally,
    opponent: dict[str, str] | None = None,
    matches: int = MATCHES_EACH,
) -> list[Player]:
    """So many players at matches of their own; against themselves if nobody is named."""

    async def one() -> Player:
        key = await key_of_a_guest(port)
        line = await Line.open(port, key)
        player = Player(line, tally, opponent or {"kind": "local", "name": "Neighbour"})
        player.key = key
        for _ in range(matches):
            await player.prepare()
        await player.open()
        return player

    return list(await asyncio.gather(*(one() for _ in range(number))))


async def play_for(
    seconds: float, players: list[Player], step: Callable[[Player], Awaitable[None]]
) -> None:
    """All players at once; a match that ends is followed by the next one."""
    until = time.monotonic() + seconds

    async def play(player: Player) -> None:
        while time.monotonic() < until:
            if player.is_over:
                await player.open()
            await step(player)

    await asyncio.gather(*map(play, players))

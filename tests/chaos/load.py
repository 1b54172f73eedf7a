"""People and programs at their tables, who play on whatever happens and remember every answer.

Each move has an Idempotency-Key and is sent again with it until it is answered; now and then a
player hangs up on purpose before reading the answer.
"""

import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from itertools import count
from typing import Any, NamedTuple, TypeVar

from tests.served import Answer, Caller

HANGS_UP = 0.05
PAUSE_AFTER_FAILURE = 0.1
LAST_ANSWERS = 4
MOVES_TO_GO_ON = 2  # the second one needs the answers of the bots in between
SECONDS_TO_SETTLE = 60  # a move that was begun is answered within this time after the end

Match = dict[str, Any]


@dataclass(frozen=True)
class Acknowledged:
    """A move that was answered with 201: promised to be on disk."""

    match: str
    key: str
    version: int


@dataclass(frozen=True)
class Request:
    begun: float
    ended: float
    status: int  # 0: no answer

    @property
    def seconds(self) -> float:
        return self.ended - self.begun


class Progress(NamedTuple):
    """How far a table has come."""

    answered: int
    watched: int


@dataclass
class Book:
    """The observations of all players; lists only grow, so that no lock is needed."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    hung_up: int = 0


class Table(threading.Thread):
    """One table: its people take turns in this thread, bots sit in the other seats."""

    def __init__(
        self,
        caller: Callable[[], Caller],
        game: str,
        people: int,
        bots: list[str],
        book: Book,
        pause: float,
    ) -> None:
        super().__init__(name=f"{game} {people}+{len(bots)}", daemon=True)
        self.game, self.bots, self.book, self.pause = game, bots, book, pause
        self.people = [caller().sign_in_as_guest() for _ in range(people)]
        self.answers: list[float] = []  # when
        self.watched = 0  # plies of computers while no person here had a move
        self.match: Match = {}
        self.heard: deque[str] = deque(maxlen=LAST_ANSWERS)
        self._keys = (f"{self.name} {number}" for number in count())
        self._random = random.Random(self.name)
        self._stop_at: float | None = None

    @property
    def answered(self) -> int:
        return len(self.answers)

    @property
    def progress(self) -> Progress:
        return Progress(self.answered, self.watched)

    def has_gone_on(self, since: Progress) -> bool:
        """Two moves of its people were answered, or every computer played on without them.

        People without a move are those who went out: the others may play on for many seconds.
        """
        return (
            self.answered >= since.answered + MOVES_TO_GO_ON
            or self.watched >= since.watched + len(self.bots) + len(self.people)
        )

    def stop(self) -> None:
        self._stop_at = time.monotonic()

    def run(self) -> None:
        try:
            while self._stop_at is None:
                self._play_a_match()
        except Exception as error:
            self.book.faults.append(f"{self.name}: {type(error).__name__}: {error}")
            raise

    def _play_a_match(self) -> None:
        self.match = self._open()
        version = self.match["version"]
        while self._stop_at is None:
            answered = self.answered
            for person in self.people:
                if self._look(person)["status"] not in ("open", "active"):
                    return
                if self.match["legal_moves"] and self._stop_at is None:
                    self._move(person)
                time.sleep(self.pause * self._random.random() * 2)
            if self.answered == answered:
                self.watched += self.match["version"] - version
            version = self.match["version"]

    def _open(self) -> Match:
        host, *guests = self.people
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in guests)]
        seats += [{"kind": "bot", "bot": bot} for bot in self.bots]
        options = {"players": len(seats)} if len(seats) > 2 else {}
        wish = {"game": self.game, "seats": seats, "options": options}
        match = self._insist(host, "/api/v1/matches", wish)
        for guest in guests:
            self._insist(guest, f"/api/v1/matches/{match['id']}/join", {})
        return match

    def _look(self, person: Caller) -> Match:
        self.match = self._insist(person, f"/api/v1/matches/{self.match['id']}")
        return self.match

    def _insist(self, person: Caller, path: str, body: Any = None) -> Match:
        """Ask until it is answered. A guest whose joining was applied unheard is seated already."""
        while True:
            answer = self._ask(person, path, body)
            if answer is not None and answer.status in (200, 201):
                found: Match = answer.json()
                return found
            if answer is not None and answer.status == 409:
                return self.match
            self._wait()

    def _move(self, person: Caller) -> None:
        match, key = self.match["id"], next(self._keys)
        path = f"/api/v1/matches/{match}/moves"
        body = {"move": self._chosen(), "version": self.match["version"]}
        if self._random.random() < HANGS_UP:
            self._hang_up(person, path, body, key)
        while (answer := self._ask(person, path, body, Idempotency_Key=key)) is None or (
            answer.status in (429, 503)
        ):
            self._wait()
        if answer.status == 201:
            version = answer.json()["version"]
            self.match["version"] = version
            self.book.acknowledged.append(Acknowledged(match, key, version))
            self.answers.append(time.monotonic())
        else:
            self.book.refused.append((match, key))

    def _chosen(self) -> str:
        moves = [legal["move"] for legal in self.match["legal_moves"]]
        if "ready" in moves and self._random.random() < 0.5:  # nobody exchanges cards for ever
            return "ready"
        return str(self._random.choice(moves))

    def _hang_up(self, person: Caller, path: str, body: Any, key: str) -> None:
        try:
            person.post_and_leave(path, body, Idempotency_Key=key)
            self.book.hung_up += 1
        except (OSError, HTTPException):
            self._wait()

    def _ask(self, person: Caller, path: str, body: Any, **headers: str) -> Answer | None:
        begun, answer = time.monotonic(), None
        with suppress(OSError, HTTPException):
            answer = person.get(path) if body is None else person.post(path, body, **headers)
        status = answer.status if answer else 0
        self.heard.append(f"{path} {status} {answer.body[:80] if status >= 400 and answer else ''}")
        self.book.requests.append(Request(begun, time.monotonic(), status))
        self.book.statuses[status] += 1
        if status >= 500 and status != 503:
            self.book.faults.append(f"{status} for {path}")
        return answer

    def _wait(self) -> None:
        if self._stop_at and time.monotonic() > self._stop_at + SECONDS_TO_SETTLE:
            raise TimeoutError("no answer in time after the end")
        time.sleep(PAUSE_AFTER_FAILURE)


OneTable = TypeVar("OneTable", bound=Table)


def tables(
    port: int, book: Book, number: int, pause: float, kind: type[OneTable] = Table
) -> list[OneTable]:
    """Every game against bots and between people; slow and quick bots, two seats and four."""
    kinds = [
        ("pisti", 1, ["greedy"]),
        ("pisti", 2, []),
        ("shithead", 1, ["searcher"]),
        ("shithead", 2, ["lowest"]),
        ("pazaak", 1, ["random"]),
        ("pazaak", 2, []),
        ("pisti", 1, ["counter", "random", "greedy"]),
        ("shithead", 1, ["keeper", "searcher", "random"]),
    ]
    made = []
    for n in range(number):
        game, people, bots = kinds[n % len(kinds)]
        match = kind(partial(Caller, port), game, people, bots, book, pause)
        match.name += f" #{n}"
        made.append(match)
    return made

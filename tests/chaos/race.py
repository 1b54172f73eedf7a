"""Clients that post at the same moment, many times over: at one version, with one key.

Three races: two moves at one version; eight times the same move with one idempotency key; one key
at two seats of one caller, for this version and for the next one.
"""

import json
import socket
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from tests.served import Caller

AT_ONCE = 4
EIGHT = 8
Match = dict[str, Any]
Answers = list[tuple[int, Match]]


def race(port: int, number: int) -> dict[str, tuple[int, list[str]]]:
    """For each race how many of so many were clean; the others in words."""
    return {name: _run(partial(_races, port, *one), number) for name, one in RACES.items()}


def _run(races: Callable[[int], Counter[str]], number: int) -> tuple[int, list[str]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        shares = [number // AT_ONCE + (n < number % AT_ONCE) for n in range(AT_ONCE)]
        outcomes = sum(pool.map(races, shares), Counter[str]())
    return outcomes.pop("clean", 0), [f"{times} × {what}" for what, times in outcomes.items()]


def _races(port: int, rivals: int, send: Any, judge: Any, number: int) -> Counter[str]:
    host = Caller(port).sign_in_as_guest()
    all_rivals = [_Rival(port, host.key) for _ in range(rivals)]
    outcomes: Counter[str] = Counter()
    match: Match = {"status": "none"}
    for n in range(number):
        if match["status"] != "active":
            seats = [{"kind": "me"}, {"kind": "local", "name": "Neighbour"}]
            match = host.post("/api/v1/matches", {"game": "pisti", "seats": seats}).json()
        send(all_rivals[:: 1 if n % 2 else -1], match)
        answers = [rival.answer() for rival in all_rivals]
        outcomes[judge(answers, match["version"])] += 1
        match = host.get(f"/api/v1/matches/{match['id']}").json()
    return outcomes


def _moves(match: Match) -> list[str]:
    return [legal["move"] for legal in match["legal_moves"]]


def _send_two_moves(rivals: "list[_Rival]", match: Match) -> None:
    for rival, move in zip(rivals, (_moves(match)[0], _moves(match)[-1]), strict=True):
        rival.send(match, move)


def _judge_two_moves(answers: Answers, version: int) -> str:
    statuses = tuple(sorted(status for status, _ in answers))
    if statuses != (201, 409):
        return f"answers {statuses}"
    (won,) = (body for status, body in answers if status == 201)
    (lost,) = (body for status, body in answers if status == 409)
    if lost["code"] != "stale_version" or won["version"] != version + 1:
        return f"code {lost['code']}, version {version} became {won['version']}"
    return "clean"


def _send_one_key(rivals: "list[_Rival]", match: Match) -> None:
    for rival in rivals:
        rival.send(match, _moves(match)[0], f"key {match['version']}")


def _judge_one_key(answers: Answers, version: int) -> str:
    if any(answer != answers[0] for answer in answers):
        return f"different answers {sorted(status for status, _ in answers)}"
    status, body = answers[0]
    return "clean" if (status, body.get("version")) == (201, version + 1) else f"answers {status}"


def _send_key_at_two_seats(rivals: "list[_Rival]", match: Match) -> None:
    """The other seat's hand is not known yet: any card may be in it."""
    seat, key = match["to_act"][0], f"key {match['version']}"
    first, second = rivals
    first.send(match, _moves(match)[0], key, seat)
    second.send(match | {"version": match["version"] + 1}, "2C", key, 1 - seat)


def _judge_key_at_two_seats(answers: Answers, version: int) -> str:
    applied = [body["version"] for status, body in answers if status == 201]
    if any(status >= 500 for status, _ in answers) or len(applied) != 1:
        return f"answers {sorted(status for status, _ in answers)}"
    return "clean" if applied[0] == version + 1 else f"version {version} became {applied[0]}"


RACES = {
    "at one version": (2, _send_two_moves, _judge_two_moves),
    "of eight with one key": (EIGHT, _send_one_key, _judge_one_key),
    "of one key at two seats": (2, _send_key_at_two_seats, _judge_key_at_two_seats),
}


class _Rival:
    """A connection whose answer is read later, so that both requests are on their way at once."""

    def __init__(self, port: int, key: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = self._socket.makefile("rb")
        self._key = key

    def send(self, match: Match, move: str, key: str = "", seat: int | None = None) -> None:
        told = {"move": move, "version": match["version"], "seat": seat}
        body = json.dumps(told).encode()
        named = f"Idempotency-Key: {key}\r\n" if key else ""
        head = (
            f"POST /api/v1/matches/{match['id']}/moves HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Token {self._key}\r\nContent-Type: application/json\r\n"
            f"{named}Content-Length: {len(body)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + body)

    def answer(self) -> tuple[int, Match]:
        status = int(self._stream.readline().split()[1])
        length = 0
        while (line := self._stream.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(self._stream.read(length))

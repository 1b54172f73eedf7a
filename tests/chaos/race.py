"""Two clients that post a move at the same version at the same moment, many times over."""

import json
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.served import Caller

AT_ONCE = 4
ONE_WINS = (201, 409)


def race(port: int, number: int) -> tuple[int, list[str]]:
    """How many of so many races one client won and the other lost cleanly; the others in words."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        shares = [number // AT_ONCE + (n < number % AT_ONCE) for n in range(AT_ONCE)]
        outcomes = sum(pool.map(lambda share: _races(port, share), shares), Counter[str]())
    return outcomes.pop("one won", 0), [f"{times} × {what}" for what, times in outcomes.items()]


def _races(port: int, number: int) -> Counter[str]:
    host = Caller(port).sign_in_as_guest()
    first, second = (_Rival(port, host.key) for _ in range(2))
    outcomes: Counter[str] = Counter()
    match: dict[str, Any] = {"status": "none"}
    for n in range(number):
        if match["status"] != "active":
            seats = [{"kind": "me"}, {"kind": "local", "name": "Neighbour"}]
            match = host.post("/api/v1/matches", {"game": "pisti", "seats": seats}).json()
        rivals = (first, second) if n % 2 else (second, first)
        moves = [legal["move"] for legal in match["legal_moves"]]
        for rival, move in zip(rivals, (moves[0], moves[-1]), strict=True):
            rival.send(match, move)
        answers = [rival.answer() for rival in rivals]
        outcomes[_judged(answers, match["version"])] += 1
        match = host.get(f"/api/v1/matches/{match['id']}").json()
    return outcomes


def _judged(answers: list[tuple[int, dict[str, Any]]], version: int) -> str:
    statuses = tuple(sorted(status for status, _ in answers))
    if statuses != ONE_WINS:
        return f"answers {statuses}"
    (won,) = (body for status, body in answers if status == 201)
    (lost,) = (body for status, body in answers if status == 409)
    if lost["code"] != "stale_version" or won["version"] != version + 1:
        return f"code {lost['code']}, version {version} became {won['version']}"
    return "one won"


class _Rival:
    """A connection whose answer is read later, so that both requests are on their way at once."""

    def __init__(self, port: int, key: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = self._socket.makefile("rb")
        self._key = key

    def send(self, match: dict[str, Any], move: str) -> None:
        body = json.dumps({"move": move, "version": match["version"]}).encode()
        head = (
            f"POST /api/v1/matches/{match['id']}/moves HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Token {self._key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + body)

    def answer(self) -> tuple[int, dict[str, Any]]:
        status = int(self._stream.readline().split()[1])
        length = 0
        while (line := self._stream.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(self._stream.read(length))

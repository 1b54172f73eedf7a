"""Listeners who are cut off with every kill and resume: what they were told, and how often.

Each account has one stream of its news. Of every match that starts it follows the stream to the
end, from the deal on. Resumed by the last message, both have to tell everything exactly once.
"""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.served import Caller, Served

SECONDS_OF_SILENCE = 20.0
PAUSE_AFTER_FAILURE = 0.2
SECONDS_TO_CATCH_UP = 10.0
Message = dict[str, Any]

PLIES = "SELECT match_id::text, max(version) FROM games_ply GROUP BY match_id"
MATCHES = """
SELECT m.id::text, m.started_at IS NOT NULL, m.status = 'finished' FROM games_match m
WHERE EXISTS (SELECT FROM games_seat s JOIN accounts_user u ON u.id = s.user_id
    WHERE s.match_id = m.id AND u.username = %s)
"""


@dataclass
class Findings:
    """``cut``: how often a stream was opened again."""

    lost: int = 0
    doubled: int = 0
    messages: int = 0
    streams: int = 0
    cut: int = 0


@dataclass
class Notes:
    """What one account was told."""

    name: str
    versions: Counter[tuple[str, int]] = field(default_factory=Counter)
    news: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    messages: int = 0
    opened: int = 0
    streams: int = 0


class Listener:
    """One account at its streams."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key = port, key
        self._stopping = threading.Event()
        caller = Caller(port)
        caller.use_key(key)
        self.notes = Notes(caller.get("/api/v1/accounts/me").json()["username"])

    def start(self) -> None:
        self._begin(self._follow_account)

    def stop(self) -> None:
        """Its threads end with their next message."""
        self._stopping.set()

    def _begin(self, work: Callable[..., None], *args: str) -> None:
        self.notes.streams += 1
        threading.Thread(target=work, args=args, daemon=True).start()

    def _follow_account(self) -> None:
        followed = set[str]()
        for news in self._messages("/api/v1/stream", "", lambda news: str(news["id"])):
            told = news["waiting"] if news["type"] == "hello" else [news]
            for each in told:
                if news["type"] != "hello":
                    self.notes.news[each["type"], each["match"], each["version"]] += 1
                if each["type"] != "invited" and each["match"] not in followed:
                    followed.add(each["match"])
                    self._begin(self._follow_match, each["match"])

    def _follow_match(self, match: str) -> None:
        path = f"/api/v1/matches/{match}/stream"
        for message in self._messages(path, "-1", lambda message: str(message["version"])):
            for version in {event["version"] for event in message["events"]}:
                self.notes.versions[match, version] += 1
            if message["type"] == "end":
                return

    def _messages(self, path: str, after: str, name: Callable[[Message], str]) -> Iterator[Message]:
        """Every message of a stream, opened again after the last one whenever it is cut off."""
        while not self._stopping.is_set():
            self.notes.opened += 1
            try:
                for line in self._lines(f"{path}?after={quote(after)}" if after else path):
                    message = json.loads(line)
                    after = name(message)
                    self.notes.messages += 1
                    yield message
            except (OSError, http.client.HTTPException, ValueError):
                pass
            time.sleep(PAUSE_AFTER_FAILURE)

    def _lines(self, path: str) -> Iterator[bytes]:
        """The whole lines of one answer; one that was cut off in the middle is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SECONDS_OF_SILENCE)
        headers = {"Authorization": f"Token {self._key}", "Accept": "application/x-ndjson"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ConnectionError(answer.status)
        while not self._stopping.is_set() and (line := answer.readline()).endswith(b"\n"):
            if line.strip():
                yield line
        connection.close()


def listeners(port: int, keys: list[str]) -> list[Listener]:
    found = [Listener(port, key) for key in keys]
    for listener in found:
        listener.start()
    return found


def compared(service: Served, found: list[Listener]) -> Findings:
    """What they were told against what the database holds, once they had time to catch up."""
    end = time.monotonic() + SECONDS_TO_CATCH_UP
    while _compared(service, found).lost and time.monotonic() < end:
        time.sleep(0.5)
    findings = _compared(service, found)
    for listener in found:
        listener.stop()
    return findings


def _compared(service: Served, found: list[Listener]) -> Findings:
    findings = Findings()
    with service.database() as connection:
        last = dict(connection.execute(PLIES).fetchall())
        for listener in found:
            notes = listener.notes
            own = connection.execute(MATCHES, [notes.name]).fetchall()
            _compare(findings, notes, own, last)
    return findings


def _compare(
    findings: Findings, notes: Notes, own: list[tuple[Any, ...]], last: dict[str, int]
) -> None:
    for match, started, finished in own:
        if not started:
            continue
        told = {version for seen, version in dict(notes.versions) if seen == match}
        findings.lost += len(set(range(last[match] + 1)) - told)
        kinds = {kind for kind, seen, _ in dict(notes.news) if seen == match}
        findings.lost += ("started" not in kinds) + (finished and "finished" not in kinds)
    findings.doubled += sum(count > 1 for count in notes.versions.values())
    findings.doubled += sum(count > 1 for count in notes.news.values())
    findings.messages += notes.messages
    findings.streams += notes.streams
    findings.cut += notes.opened - notes.streams

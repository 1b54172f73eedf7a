"""Listeners who are cut off with every kill and resume: what they were told, and how often.

Each account has one stream of its news. Of every match that starts it follows the stream to the
end, from the deal on. The clients that the service serves resume both by the last message, and have
to tell everything exactly once.
"""

import json
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.management.commands.bot import CLIENT, client
from tests.served import Caller, Served

SECONDS_TO_BEGIN = 30.0
SECONDS_TO_CATCH_UP = 20.0

PLIES = "SELECT match_id::text, max(version) FROM games_ply GROUP BY match_id"
MATCHES = """
SELECT m.id::text, m.started_at IS NOT NULL, m.status = 'finished' FROM games_match m
WHERE EXISTS (SELECT FROM games_seat s JOIN accounts_user u ON u.id = s.user_id
    WHERE s.match_id = m.id AND u.username = %s)
"""


@dataclass
class Findings:
    """``missing``: each message that was lost; ``cut``: how often a stream was opened again."""

    missing: list[str] = field(default_factory=list)
    doubled: int = 0
    messages: int = 0
    streams: int = 0
    cut: int = 0

    @property
    def lost(self) -> int:
        return len(self.missing)


@dataclass
class Notes:
    """The messages that one account received."""

    name: str
    versions: Counter[tuple[str, int]] = field(default_factory=Counter)
    news: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    messages: int = 0
    opened: int = 0
    streams: int = 0
    faults: list[str] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)

    def note(self, kind: str, *told: Any) -> None:
        match kind:
            case "version":
                self.versions[told[0], told[1]] += 1
            case "news":
                self.news[told[0], told[1], told[2]] += 1
            case "hello":
                self.begun.set()
            case "opened":
                self.opened += 1
            case "stream":
                self.streams += 1
            case "fault":
                self.faults.append(str(told[0]))
        self.messages += kind in ("version", "news")


class Listener:
    """One account at its streams, with the Python client that the service serves."""

    def __init__(self, caller: Caller) -> None:
        """``caller`` is signed in, and says where to listen."""
        self._caller, self._stopping = caller, threading.Event()
        self.notes = Notes(caller.get("/api/v1/accounts/me").json()["username"])

    def start(self) -> None:
        self._begin(self._follow_account)

    def stop(self) -> None:
        """Its threads end with their next message."""
        self._stopping.set()

    def _begin(self, work: Callable[..., None], *args: str) -> None:
        self.notes.note("stream")
        threading.Thread(target=work, args=args, daemon=True).start()

    def _follow_account(self) -> None:
        followed = set[str]()
        for news in self._room().account_stream():
            if news["type"] == "hello":
                self.notes.note("hello")
            for each in news.get("waiting") or [news]:
                if news["type"] != "hello":
                    self.notes.note("news", each["type"], each["match"], each["version"])
                elif "match" not in each:
                    continue  # nothing waits
                if each["type"] != "invited" and each["match"] not in followed:
                    followed.add(each["match"])
                    self._begin(self._follow_match, each["match"])
            if self._stopping.is_set():
                return

    def _follow_match(self, match: str) -> None:
        for message in self._room().stream(match, after=-1):
            for version in {event["version"] for event in message["events"]}:
                self.notes.note("version", match, version)
            if self._stopping.is_set():
                return

    def _room(self) -> Any:
        notes, caller = self.notes, self._caller

        class Counted(client().Cardroom):  # type: ignore[misc]
            def _open(self, *asked: Any) -> Any:
                notes.note("opened")
                self.url, more = caller.address()
                *request, headers, timeout = asked
                return super()._open(*request, {**(headers or {}), **more}, timeout)

        return Counted(caller.address()[0], caller.key)


class NodeListener(Listener):
    """The same with the client in JavaScript, in a process of its own."""

    def start(self) -> None:
        files = [Path(__file__).with_name("listen.mjs"), CLIENT.with_suffix(".js")]
        command = ["node", *map(str, files), self._caller.address()[0], self._caller.key]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.notes.note(*json.loads(line))


def listeners(people: list[Caller], *, node: bool = True) -> list[Listener]:
    """Every second one in JavaScript, where Node is on this machine."""
    kinds = [Listener, NodeListener if node and shutil.which("node") else Listener]
    found = [kinds[n % 2](person) for n, person in enumerate(people)]
    for listener in found:
        listener.start()
    for listener in found:  # what begins before it listens is no news
        listener.notes.begun.wait(SECONDS_TO_BEGIN)
    return found


def compared(service: Served, found: list[Listener]) -> Findings:
    """Received messages compared with the database, after the listeners had time to catch up."""
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
        missing = [f"version {n}" for n in sorted(set(range(last[match] + 1)) - told)]
        kinds = {kind for kind, seen, _ in dict(notes.news) if seen == match}
        missing += ["started"] * ("started" not in kinds)
        missing += ["finished"] * (finished and "finished" not in kinds)
        findings.missing += [f"{notes.name}, {match}: {what}" for what in missing]
    findings.missing += [f"{notes.name}: {fault}" for fault in notes.faults]
    findings.doubled += sum(count > 1 for count in notes.versions.values())
    findings.doubled += sum(count > 1 for count in notes.news.values())
    findings.messages += notes.messages
    findings.streams += notes.streams
    findings.cut += notes.opened - notes.streams

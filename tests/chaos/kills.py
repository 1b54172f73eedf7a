"""The parts of a running service, and how each of them is killed: with -9, at a bad moment."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

import psycopg
import redis

from config.host import embedded
from config.host.embedded import postgres, processes, valkey
from config.host.supervisor import PRELOADER
from tests.served import Caller, Served

WORKER = "config.processes.worker interactive"
SECONDS_TO_COME_BACK = 60
LISTENING = "0A"  # in /proc/net/tcp
SECONDS_WITHOUT_VALKEY = 3.0
SECONDS_TO_LIE_IN_WAIT = 1.0


@dataclass(frozen=True)
class Kill:
    """One kill: what died, when, and when everything was there again."""

    part: str
    begun: float
    back: float
    bots_owed: int
    came_back: bool


class Killer:
    def __init__(self, service: Served) -> None:
        self._service = service
        self._home = processes.home(service.servers)
        self.parts: dict[str, Callable[[], set[int]]] = {
            "web": lambda: self._children("config.processes.web"),
            "worker": lambda: self._children(WORKER),
            "duties": lambda: self._children("config.processes.worker duties"),
            "preloader": lambda: self._children(PRELOADER),
            "Valkey": lambda: _known(valkey.pid(self._home)),
            "Postgres": lambda: _known(postgres.pid(self._home)),
            "Postgres backend": lambda: set(sorted(self._backends())[:1]),
        }

    def plan(self, number: int, rng: random.Random) -> Iterator[tuple[str, ...]]:
        """So many kills, every part about as often; the last one takes all at once."""
        names = list(self.parts)
        kills: list[tuple[str, ...]] = [(names[n % len(names)],) for n in range(number - 1)]
        rng.shuffle(kills)
        yield from kills
        yield ("web", "worker", "Valkey", "Postgres")

    def kill(self, parts: tuple[str, ...]) -> Kill:
        """Kill them and wait until everything is there again."""
        owed = self._lie_in_wait() if "worker" in parts[0] else 0
        begun = time.monotonic()
        killed = self._slay(parts)
        while parts == ("Valkey",) and time.monotonic() < begun + SECONDS_WITHOUT_VALKEY:
            killed |= self._slay(parts)  # as often as it is started again
            time.sleep(0.01)
        back = self._service.wait_for(lambda: self._is_back(killed, parts), SECONDS_TO_COME_BACK)
        return Kill(" + ".join(parts), begun, time.monotonic(), owed, came_back=back)

    def owed_since(self, moment: float) -> int:
        """Active matches in which a bot has been to move since before that moment."""
        with self._service.database() as connection:
            found = connection.execute(
                "SELECT count(*) FROM games_match WHERE status = 'active'"
                " AND bot_due_at < now() - make_interval(secs => %s)",
                [time.monotonic() - moment],
            ).fetchone()
        return int(found[0]) if found else 0

    def _slay(self, parts: tuple[str, ...]) -> set[int]:
        killed = set[int]().union(*(self.parts[part]() for part in parts))
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return killed

    def _lie_in_wait(self) -> int:
        """Until bots are in the middle of their turns; how many matches wait for one."""
        end, owed = time.monotonic() + SECONDS_TO_LIE_IN_WAIT, 0
        with suppress(psycopg.Error):
            while not owed and time.monotonic() < end:
                owed = self.owed_since(time.monotonic())
        return owed

    def _is_back(self, killed: set[int], parts: tuple[str, ...]) -> bool:
        """A part is back when another process answers for it; the rest has to find it by itself."""
        names = {part for part in parts if part != "Postgres backend"}
        now = [self.parts[name]() for name in names]
        return all(pids and not pids & killed for pids in now) and all(
            self._answers(name) for name in names | {"Postgres"}
        )

    def _answers(self, part: str) -> bool:
        with suppress(OSError, HTTPException, psycopg.Error, redis.RedisError):
            match part:
                case "web":
                    return Caller(self._service.port, patience=3).get("/healthz").status == 200
                case "worker":
                    return self._pulse()
                case "Valkey":
                    with self._broker() as broker:
                        return bool(broker.ping())
                case "Postgres":
                    self._service.database().close()
            return True
        return False

    def _pulse(self) -> bool:
        """Of the workers that run now; a killed one's is remembered for some seconds."""
        with self._broker() as broker:
            known = {int(key.rpartition(b":")[2]) for key in broker.scan_iter("cardroom:worker:*")}
        workers = self._children(WORKER)
        return bool(workers) and workers <= known

    def _broker(self) -> redis.Redis:
        return redis.Redis.from_url(embedded.valkey_url(self._service.servers))

    def _children(self, module: str) -> set[int]:
        mark = module.encode()
        return {pid for pid in children(self._service.process.pid) if mark in _command(pid)}

    def _backends(self) -> set[int]:
        return backends(*_known(postgres.pid(self._home)))


def _known(pid: int | None) -> set[int]:
    return set() if pid is None else {pid}


def backends(*postmasters: int) -> set[int]:
    """The processes of Postgres that serve a connection of ours."""
    return {pid for pid in children(*postmasters) if b"cardroom cardroom" in _command(pid)}


def children(*parents: int) -> set[int]:
    """The living ones."""
    found = set()
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, ppid = (place / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(ppid) in parents and state != "Z":
                found.add(int(place.name))
    return found


def forked(*parents: int) -> set[int]:
    """Their children but the one that forks the others."""
    return {pid for pid in children(*parents) if PRELOADER.encode() not in _command(pid)}


def accepts(pid: int) -> bool:
    """Whether it waits for connections at a socket that listens: a web process that has started."""
    place, listening = Path(f"/proc/{pid}"), set[str]()
    for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, _, _, state, *_, inode = row.split()[:10]
        if state == LISTENING:
            listening.add(f"socket:[{inode}]")
    with suppress(OSError):
        watched = " ".join(info.read_text() for info in place.glob("fdinfo/*")).split("tfd:")[1:]
        sockets = {str((place / "fd" / words.split()[0]).readlink()) for words in watched}
        return bool(sockets & listening)
    return False


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return b""

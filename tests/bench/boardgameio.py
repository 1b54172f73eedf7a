"""The peer: boardgame.io with bgio-postgres, playing the Pişti of `peer/` on the same Postgres.

Installed from npm into `var/bench/peer` on first use (with koa-compose before 4.2, whose copy of
the list of handlers hides the lobby's from this server). It has no REST moves: they go over its
socket.io protocol, one socket a match playing both seats (`peer/load.js`).
"""

import json
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg

from config.host import embedded
from config.host.embedded import postgres, processes
from tests.bench.accounting import Meter, processor_seconds
from tests.served import ROOT, free_port

HERE = Path(__file__).parent / "peer"
PLACE = ROOT / "var" / "bench" / "peer"
DATABASE = "bench_peer"
MATCHES = 32
WARM_SECONDS = 3
MATCHES_EACH = 2
SECONDS_TO_INSTALL = 240


class NoPeer(Exception):
    """Why the peer cannot be measured here."""


@dataclass(frozen=True)
class Round:
    """A load on the peer and what it cost."""

    moves: int
    seconds: float
    spent: float  # processor seconds of its server and of Postgres
    player_seconds: float
    wal_a_move: float
    p50: float
    p99: float

    @property
    def moves_a_core_second(self) -> float:
        return self.moves / self.spent


class Peer:
    """The peer's server on the Postgres that ours uses; raises ``NoPeer`` where there is none."""

    def __init__(self, state: Path) -> None:
        _install()
        self._home, self._port = processes.home(state), str(free_port())
        address = embedded.database_url(state)
        self._database = psycopg.connect(address, autocommit=True)
        self._database.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
        self._database.execute(f"CREATE DATABASE {DATABASE}")

    def __enter__(self) -> "Peer":
        words = [self._port, str(self._home.sockets), postgres.ROLE, DATABASE]
        self._server = _node("server.js", *words)
        _wait_for(self._server, "ready")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.kill()
        self._server.wait()
        self._database.close()

    def round(self, seconds: float, idle: float) -> Round:
        """``idle``: processor seconds a second that our service takes beside it."""
        load = (self._port, str(MATCHES), str(WARM_SECONDS), str(seconds), str(MATCHES_EACH))
        players = _node("load.js", *load)
        _wait_for(players, "begin")
        roots = {"node": self._server.pid, "Postgres": postgres.pid(self._home) or 0}
        meter = Meter(roots, self._database)
        begun = time.monotonic()
        words = players.stdout.readline() if players.stdout else ""
        bill, took = meter.bill(), time.monotonic() - begun
        player_seconds = processor_seconds(players.pid)
        players.communicate("\n", timeout=60)
        told = json.loads(words)
        return Round(
            moves=told["moves"],
            seconds=took,
            spent=bill.of("node", "Postgres") - idle * took,
            player_seconds=player_seconds,
            wal_a_move=bill.wal_bytes / told["moves"],
            p50=told["p50"],
            p99=told["p99"],
        )


def _node(*words: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(["node", *words], cwd=PLACE, stdin=pipe, stdout=pipe, text=True)


def _install() -> None:
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise NoPeer("npm is not there")
    PLACE.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package.json").read_text()
    installed = PLACE / "node_modules" / ".wanted"
    for file in HERE.iterdir():
        shutil.copy(file, PLACE / file.name)
    if installed.exists() and installed.read_text() == wanted:
        return
    words = ["--no-audit", "--no-fund", "--no-package-lock", "--omit=optional", "--silent"]
    done = subprocess.run(
        ["npm", "install", *words],
        cwd=PLACE,
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_INSTALL,
        check=False,
    )
    if done.returncode:
        raise NoPeer(f"npm could not install it: {(done.stderr or done.stdout)[-300:].strip()}")
    installed.write_text(wanted)


def _wait_for(process: "subprocess.Popen[str]", word: str) -> None:
    for line in process.stdout or ():
        if line.strip() == word:
            return
    raise NoPeer(f"the peer ended before it said {word!r}")

"""The peer: boardgame.io with bgio-postgres, playing the Pişti of `peer/` on the same Postgres.

Installed from npm into `var/bench/peer` on first use (with koa-compose before 4.2, whose copy of
the list of handlers hides the lobby's from this server). It has no REST moves: they go over its
socket.io protocol, one socket a match playing both seats (`peer/load.js`).
"""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg

from config.host import embedded
from config.host.embedded import folders, postgres
from tests.bench.accounting import Meter
from tests.served import ROOT, free_port

HERE = Path(__file__).parent / "peer"
PLACE = ROOT / "var" / "bench" / "peer"
DATABASE = "bench_peer"
MATCHES = 32
WARM_SECONDS = 3
SECONDS_TO_INSTALL = 240


class NoPeer(Exception):
    """Why the peer cannot be measured here."""


@dataclass(frozen=True)
class Peer:
    moves_a_core_second: float
    moves_a_second: float
    wal_a_move: float
    p50: float
    p99: float


def measure(state: Path, seconds: float) -> Peer:
    """Raises ``NoPeer``. Nothing else may run on this state folder meanwhile."""
    _install()
    address = embedded.ensure_postgres(state)
    try:
        with psycopg.connect(address, autocommit=True) as database:
            database.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
            database.execute(f"CREATE DATABASE {DATABASE}")
            return _measure(state, database, seconds)
    finally:
        embedded.stop(state)


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


def _measure(state: Path, database: "psycopg.Connection", seconds: float) -> Peer:
    home, port = folders.home(state), str(free_port())
    words = ["node", "server.js", port, str(home.sockets), postgres.ROLE, DATABASE]
    server = subprocess.Popen(words, cwd=PLACE, stdout=subprocess.PIPE, text=True)
    try:
        _wait_for(server, "ready")
        players = subprocess.Popen(
            ["node", "load.js", port, str(MATCHES), str(WARM_SECONDS), str(seconds)],
            cwd=PLACE,
            stdout=subprocess.PIPE,
            text=True,
        )
        _wait_for(players, "begin")
        meter = Meter({"node": server.pid, "Postgres": postgres.pid(home) or 0}, database)
        told = json.loads(players.communicate(timeout=seconds + 60)[0])
        bill, moves = meter.bill(), told["moves"]
        return Peer(
            moves_a_core_second=moves / bill.of("node", "Postgres"),
            moves_a_second=moves / seconds,
            wal_a_move=bill.wal_bytes / moves,
            p50=told["p50"],
            p99=told["p99"],
        )
    finally:
        server.kill()
        server.wait()


def _wait_for(process: "subprocess.Popen[str]", word: str) -> None:
    for line in process.stdout or ():
        if line.strip() == word:
            return
    raise NoPeer(f"the peer ended before it said {word!r}")

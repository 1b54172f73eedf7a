"""The limit: the same write by pgbench, 32 clients, on the same durable Postgres.

Each write changes the state and checks the version that it was judged by, as ours does.
"""

import os
import re
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import psycopg

from config.host import embedded
from config.host.embedded import processes
from config.host.embedded.processes import postgres_bin
from tests.served import Served

CLIENTS = 32

# Copies of our tables with all their constraints and indexes; one running match a client.
SCHEMA = """
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.match (LIKE games_match INCLUDING ALL) WITH (fillfactor = 70);
CREATE TABLE bench.ply (LIKE games_ply INCLUDING ALL);
INSERT INTO bench.match
SELECT made.* FROM generate_series(0, {clients} - 1) n,
    LATERAL (SELECT * FROM games_match WHERE status = 'active' AND game = 'pisti' LIMIT 1) m,
    jsonb_populate_record(NULL::bench.match, to_jsonb(m) || jsonb_build_object(
        'id', lpad(n::text, 32, '0')::uuid, 'version', 0)) made;
"""

WRITE = """
WITH moved AS (
    UPDATE bench.match SET
        state = overlay('{state}'::bytea PLACING int4send(version) FROM 8),
        version = version + 1, round = round,
        to_act = ARRAY[1]::smallint[], shuffles_used = 1, bot_due_at = NULL, deadline_at = NULL,
        updated_at = now(), status = 'active', outcome = NULL, finished_at = NULL
    WHERE id = lpad({client}, 32, '0')::uuid AND status = 'active' AND version = {version}
    RETURNING id, version
)
INSERT INTO bench.ply (match_id, version, seat, move, events, decks, key, at)
SELECT id, version, 0, '7H', '{events}', NULL, NULL, now() FROM moved
"""


def writes_a_second(service: Served, seconds: float) -> tuple[float, str]:
    """The rate, and what measured it."""
    with service.database() as database:
        database.execute(SCHEMA.format(clients=CLIENTS))
        state, events = database.execute(
            "SELECT m.state, p.events FROM games_match m JOIN games_ply p ON p.match_id = m.id"
            " WHERE m.game = 'pisti' AND m.status = 'active' AND p.version = 3 LIMIT 1"
        ).fetchone()  # type: ignore[misc]
    values = {"state": f"\\x{bytes(state).hex()}", "events": f"\\x{bytes(events).hex()}"}
    program = postgres_bin(processes.home(service.state)) / "pgbench"
    if program.exists():
        script = WRITE.format(client=":client_id::text", version=":seen", **values)
        return _pgbench(program, service, script, seconds), "pgbench"
    return _threads(service, WRITE.format(client="%s", version="%s", **values), seconds), "psycopg"


def _pgbench(program: Path, service: Served, script: str, seconds: float) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(" ".join(script.split()) + ";\n\\set seen :seen + 1\n")
        file.flush()
        told = psycopg.conninfo.conninfo_to_dict(embedded.database_url(service.state))
        load = [
            "-n",
            "-M",
            "prepared",
            "-D",
            "seen=0",
            "-c",
            str(CLIENTS),
            "-j",
            "2",
            "-T",
            f"{seconds:.0f}",
        ]
        where = ["-h", str(told["host"]), "-U", str(told["user"]), str(told["dbname"])]
        done = subprocess.run(
            [program, *load, "-f", file.name, *where],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if found is None:
        raise RuntimeError(f"pgbench failed:\n{done.stderr}")
    return float(found[1])


def _threads(service: Served, statement: str, seconds: float) -> float:
    until, counts = time.monotonic() + seconds, [0] * CLIENTS

    def write(client: int) -> None:
        with service.database() as connection:
            while time.monotonic() < until:
                connection.execute(statement, [str(client), counts[client]], prepare=True)
                counts[client] += 1

    threads = [threading.Thread(target=write, args=[client]) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds

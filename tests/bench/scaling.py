"""The figures of docker/SCALING.md: ``python -m tests.bench.scaling web`` (or workers, pgbouncer).

Variants of the service, each with servers of its own, take turns under the same load; what is
printed is the median of the rounds with the lowest and highest, and the ratio to the first variant
within a round. The players run on the same machine.
"""

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from config.host import embedded
from config.host.embedded import processes
from tests.bench import service
from tests.served import ROOT, Served, free_port

STATE: Final = ROOT / "var" / "bench"
Rate = Callable[[Served, float], float]
PROTOCOL_LEVEL: Final = (1, 21)  # from this version on pgbouncer knows prepared statements
SIZES: Final = """
SELECT (SELECT count(*) FROM games_ply), pg_total_relation_size('games_ply'),
    (SELECT count(*) FROM games_match),
    pg_total_relation_size('games_ply') + pg_total_relation_size('games_match')
        + pg_total_relation_size('games_seat') + pg_total_relation_size('games_round')
"""
UNPREPARED: Final = {"DATABASE_PREPARE_THRESHOLD": "none"}
POOLED: Final = {"DATABASE_SESSION": "false"}


def moves(served: Served, seconds: float) -> float:
    """Moves of people a second, from 32 connections."""
    return asyncio.run(service.human_moves(served, seconds)).per_second


def bots(served: Served, seconds: float) -> float:
    """Moves of bots a second, which answer 64 connections."""
    load = asyncio.run(service.bot_moves(served, seconds))
    return load.bot_moves / load.seconds


def web(stack: ExitStack) -> dict[str, Served]:
    return {
        f"{n} web processes": stack.enter_context(Served(STATE / f"web-{n}", WEB_PROCESSES=str(n)))
        for n in (1, 2)
    }


def workers(stack: ExitStack) -> dict[str, Served]:
    return {
        f"{n} worker processes": stack.enter_context(
            Served(STATE / f"workers-{n}", WORKER_PROCESSES=str(n))
        )
        for n in (1, 2)
    }


def pgbouncer(stack: ExitStack) -> dict[str, Served]:
    """Straight to Postgres, the same without prepared statements, and through pgbouncer."""
    address, version = stack.enter_context(_pooler(STATE / "pooled"))
    how = POOLED if version >= PROTOCOL_LEVEL else POOLED | UNPREPARED
    pooled = Served(STATE / "through-pgbouncer", DATABASE_URL=address, **how)
    pooled.servers = STATE / "pooled"
    found = {
        "prepared": Served(STATE / "prepared"),
        "not prepared": Served(STATE / "not-prepared", **UNPREPARED),
        f"pgbouncer {'.'.join(map(str, version))}": pooled,
    }
    return {name: stack.enter_context(served) for name, served in found.items()}


@contextmanager
def _pooler(state: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """A pgbouncer in transaction mode before a Postgres of its own."""
    program = shutil.which("pgbouncer")
    if program is None:
        raise SystemExit("No pgbouncer on PATH: nothing was measured.")
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    embedded.ensure_postgres(state)
    home, port = processes.home(state), free_port()
    ini, users = home.data / "pgbouncer.ini", home.data / "users"
    users.write_text('"cardroom" ""\n')
    ini.write_text(
        f"[databases]\ncardroom = host={home.sockets} dbname=cardroom\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = trust\nauth_file = {users}\npool_mode = transaction\n"
        f"default_pool_size = 20\nlogfile = {home.data / 'pgbouncer.log'}\n"
        + ("max_prepared_statements = 200\n" if version_of(program) >= PROTOCOL_LEVEL else "")
    )
    running = subprocess.Popen([program, "-q", str(ini)], **home.owner.popen)
    try:
        yield f"postgres://cardroom@127.0.0.1:{port}/cardroom", version_of(program)
    finally:
        running.terminate()
        running.wait()
        embedded.stop(state)


def version_of(program: str) -> tuple[int, int]:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"(\d+)\.(\d+)", told.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


ROWS: Final = {"web": (web, moves), "workers": (workers, bots), "pgbouncer": (pgbouncer, moves)}


def main() -> None:
    options = _options()
    service.compile_kernels()
    for row in options.rows:
        variants, rate = ROWS[row]
        with ExitStack() as stack:
            served = variants(stack)
            rates: dict[str, list[float]] = {name: [] for name in served}
            for _ in range(options.rounds):
                for name, each in served.items():
                    rates[name].append(rate(each, options.seconds))
            _tell(rates, rate)
            _tell_sizes(next(iter(served.values())))


def _tell(rates: dict[str, list[float]], rate: Rate) -> None:
    first = next(iter(rates.values()))
    print((rate.__doc__ or "").rstrip("."))
    for name, found in rates.items():
        ratios = [one / other for one, other in zip(found, first, strict=True)]
        print(
            f"| {name} | {statistics.median(found):.0f} ({min(found):.0f}–{max(found):.0f}) "
            f"| {statistics.median(ratios):.2f}× |",
            flush=True,
        )


def _tell_sizes(served: Served) -> None:
    with served.database() as database:
        plies, bytes_of_plies, matches, bytes_of_all = database.execute(SIZES).fetchone() or ()
    print(
        f"{plies} plies of {bytes_of_plies / plies:.0f} bytes with their indexes; {matches} "
        f"matches of {bytes_of_all / matches / 1000:.1f} kB in all tables"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scaling", description=__doc__)
    parser.add_argument("rows", nargs="+", choices=ROWS)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each load")
    parser.add_argument("--rounds", type=int, default=3, help="in which the variants take turns")
    return parser.parse_args()


if __name__ == "__main__":
    main()

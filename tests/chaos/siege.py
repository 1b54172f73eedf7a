"""Proof under fire: many matches are played to their end while one part after the other fails.

``python -m tests.chaos.siege --matches 300 --faults 40``, the second half of ``make chaos``. Parts
are killed (-9) or stopped (SIGSTOP), sockets removed, the disk filled, everything restarted in
turn; nothing here helps the service. Then every match must be over, every acknowledged move in the
log exactly once, every match verified, also in a backup that was taken meanwhile and restored into
another server, and no log may hold a key, a seed or cards. A second part does the same with the
services of `docker/compose.yml`, Postgres and Valkey over TCP, to which two beats, clocks two
seconds apart and an upgrade happen as well; it begins with the version ``--before``. There nothing
that is derived may differ from a recount, and four accounts listen, whose streams may neither lose
nor repeat anything. Exit status 1 when any count is bad.
"""

import argparse
import os
import random
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from psycopg.rows import dict_row

from config.host import embedded
from config.host.embedded import processes
from tests.bench import versions
from tests.chaos import pauses
from tests.chaos.audit import audit, verified
from tests.chaos.besieged import KINDS, Besieged, Quota
from tests.chaos.composed import Composed
from tests.chaos.faults import DISK_MEGABYTES, UPGRADE, Fault, Faults, limited_disk
from tests.chaos.kills import Killer
from tests.chaos.leaks import leaks
from tests.chaos.listeners import compared, listeners
from tests.chaos.load import Book
from tests.chaos.pauses import UNDISTURBED
from tests.served import ROOT, Served, say

Service = Served | Composed

ONE_MACHINE: Final = {"CARDROOM_ONE_MACHINE": "1"}  # its secret key is in the state folder
TIMES_UNDISTURBED: Final = 3
LISTENERS: Final = 4
SECONDS_FOR_THE_LAST: Final = 30
SECONDS_TO_FINISH: Final = 600.0
STANDS: Final = """
SELECT status, version, to_act, now() - bot_due_at AS bot_due, now() - updated_at AS moved
FROM games_match WHERE id = %s
"""
UNFINISHED: Final = """
SELECT count(*) FROM games_match WHERE status IN ('open', 'active') AND id = ANY(%s::uuid[])
"""


def main() -> int:
    options = _options()
    bad = 0
    if options.inside:
        bad += _siege(ROOT / "var" / "siege", options)
    if options.outside:
        bad += _siege_of_services(ROOT / "var" / "siege-outside", options)
    return int(bad > 0)


def _siege(state: Path, options: argparse.Namespace) -> int:
    """Of one machine's service, which owns its servers."""
    service = Served(state, WEB_PROCESSES="2")
    with limited_disk(state) as limited, service:
        say(f"One machine: {options.matches} matches, {options.faults} faults")
        if not limited:
            say(f"The disk is not filled: a tmpfs of {DISK_MEGABYTES} MB cannot be mounted here")
        faults = Faults(
            Killer(service).parts,
            options.stopped,
            sockets=processes.home(state).sockets,
            disk=state if limited else None,
            only=options.only,
            run=service.run,
        )
        return _under_fire(service, faults, options.matches, options.faults, options)


def _siege_of_services(state: Path, options: argparse.Namespace) -> int:
    """Of separate processes and servers over TCP; an engine starts again what ended."""
    matches, number = max(4, options.matches // 6), max(4, options.faults // 2)
    root = ROOT
    if any(words in UPGRADE for words in options.only):
        root = versions.root_of(options.before or versions.before_the_newest_migration())
    with Composed(state, root, options.stopped) as service:
        say(f"Services of docker/compose.yml at {root.name}: {matches} matches, {number} faults")
        faults = Faults(
            service.parts,
            options.stopped,
            only=options.only,
            run=service.run,
            scenes=service.scenes,
        )
        return _under_fire(service, faults, matches, number, options)


def _under_fire(
    service: Service, possible: Faults, matches: int, faults: int, options: argparse.Namespace
) -> int:
    begun, book, quota = time.monotonic(), Book(), Quota(matches)
    seated = [
        Besieged(quota, service.caller, game, people, bots, book, options.pause)
        for game, people, bots in (KINDS[n % len(KINDS)] for n in range(options.tables))
    ]
    for n, table in enumerate(seated):
        table.name += f" #{n}"
    composed = isinstance(service, Composed)
    listening = listeners([table.people[0] for table in seated[: LISTENERS * composed]], node=False)
    for table in seated:
        table.start()
    backup = service.state / "under-fire.dump"
    done = list(_rage(possible, seated, faults, options, service, backup))
    quota.cease()
    for table in seated:
        table.join(max(1.0, begun + SECONDS_TO_FINISH * max(1, matches // 60) - time.monotonic()))
    left = _unfinished(service, seated)
    found = audit(service, book)
    leaked = _leaked(service, seated)
    heard = compared(service, listening)
    recount = service.run("manage.py", "recount")
    differ = (recount.stdout + recount.stderr).splitlines() if recount.returncode else []
    counts = {
        "matches that are not over": left,
        "tables that still play": sum(table.is_alive() for table in seated),
        "acknowledged moves lost": found.lost,
        "moves doubled": found.doubled,
        "moves refused but applied": found.refused_but_applied,
        "matches with a gap in the log": found.gaps,
        "matches that verify_matches faults": found.faulty,
        "faults after which a match did not go on": sum(fault.pause is None for fault in done),
        "answers of 500 and other faults": len(book.faults),
        "secrets in the logs": len(leaked),
        f"of {heard.messages} messages of streams lost": heard.lost,
        "told twice": heard.doubled,
        "lines of a recount that does not prove what is derived": len(differ),
        **_restored(service, backup),
    }
    say(
        f"{found.matches} matches over, {len(book.acknowledged)} acknowledged moves, "
        f"{found.unheard} applied without an answer heard, "
        f"{sum(fault.name != UNDISTURBED for fault in done)} faults, "
        f"{time.monotonic() - begun:.0f} s",
        *(f"  !  {one}" for one in heard.missing[:10]),
        *pauses.table(done),
        *(f"  {count:>4}  {name}" for name, count in counts.items()),
        *(f"  !  {fault}" for fault in [*book.faults[:10], *leaked[:10], *differ]),
    )
    return sum(counts.values())


def _rage(
    possible: Faults,
    seated: list[Besieged],
    number: int,
    options: argparse.Namespace,
    service: Service,
    backup: Path,
) -> Iterator[Fault]:
    """One fault after the other, each when all matches go on after the one before."""
    rng = random.Random(options.seed)
    nothing = [Fault(UNDISTURBED, time.monotonic) for _ in range(TIMES_UNDISTURBED)]
    for n, fault in enumerate([*nothing, *possible.plan(number, rng)], -len(nothing)):
        time.sleep(rng.uniform(0.2, 1.5))
        if n == number // 2:
            service.run("manage.py", "backup", str(backup))
        since = fault.strike()
        fault.pause, stuck = _pause(seated, since, options.patience)
        fault.load = os.getloadavg()[0]
        said = f"{len(stuck)} do not go on" if fault.pause is None else f"{fault.pause:.1f} s"
        say(f"  {n + 1:>3}  {fault.name}: {said}", *(_stand(service, table) for table in stuck))
        yield fault


def _pause(
    seated: list[Besieged], since: float, patience: float
) -> tuple[float | None, list[Besieged]]:
    """Waits until every table that plays had two moves answered: the second one shows that bots
    move. The longest time since then that one had none; ``None``, and which, if some had not."""
    playing = {table: table.progress for table in seated if table.is_alive()}
    end, waiting = time.monotonic() + patience, list(playing)
    while waiting:
        waiting = [t for t in waiting if t.is_alive() and not t.has_gone_on(playing[t])]
        if waiting and time.monotonic() > end:
            return None, waiting
        time.sleep(0.02)
    return max((pauses.longest(table.answers, since) for table in playing), default=0.0), []


def _stand(service: Service, table: Besieged) -> str:
    """A table that does not go on: its match in the database, and the last answers it heard."""
    match = table.match.get("id")
    with service.database() as connection, connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(STANDS, [match]).fetchone() or {}
    facts = ", ".join(f"{name} {value}" for name, value in row.items())
    return "\n       ".join([f"       {table.name} {match}: {facts}", *table.heard])


def _unfinished(service: Service, seated: list[Besieged]) -> int:
    """One whose opening was not answered is not played: nobody knows its id."""
    known = [match for table in seated for match in table.opened]
    end = time.monotonic() + SECONDS_FOR_THE_LAST
    while True:
        with service.database() as connection:
            row = connection.execute(UNFINISHED, [known]).fetchone()
        left = int(row[0]) if row else 0
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.5)


def _restored(service: Service, backup: Path) -> dict[str, int]:
    """The backup that was taken under fire, restored into another server and verified there."""
    if not backup.exists():
        return {"backups that failed": 1}
    with _another_server(service) as address:
        restored = service.run(
            "manage.py", "restore", str(backup), DATABASE_URL=address, **ONE_MACHINE
        )
        if restored.returncode:
            say(f"  !  {restored.stderr[-500:]}")
            return {"backups that could not be restored": 1}
        matches, faulty = verified(service, DATABASE_URL=address, **ONE_MACHINE)
    say(f"The backup holds {matches} matches")
    return {"matches with faults in the backup": faulty}


@contextmanager
def _another_server(service: Service) -> Iterator[str]:
    """An empty database in a server of its own."""
    state = service.state.with_name(f"{service.state.name}-restored")
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    try:
        yield embedded.ensure_postgres(state)
    finally:
        embedded.stop(state)


def _leaked(service: Service, seated: list[Besieged]) -> list[str]:
    keys = [person.key for table in seated for person in table.people]
    with service.database() as connection:
        return leaks(service.logs(), connection, keys)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.siege", description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="at least")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--tables", type=int, default=16, help="at a time")
    parser.add_argument("--stopped", type=float, default=20.0, help="seconds of a SIGSTOP")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two looks")
    parser.add_argument("--patience", type=float, default=90.0, help="seconds for all to go on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--before", help="commit or folder; else the last one with another schema")
    parser.add_argument("--only", nargs="+", default=[""], help="faults with these words")
    for half in ("--inside", "--outside"):
        parser.add_argument(half, action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

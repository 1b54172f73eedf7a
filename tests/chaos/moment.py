"""`make moment`: restore a Postgres with a continuous archive to the moment before an accident.

Barman (from PyPI; it needs `rsync`) takes the log as it is written and a base backup while tables
play. Then everything that was played is deleted, and another server is restored to the moment
before, on which the service goes on. It prints how long each step took, how much of what was
acknowledged before that moment is lost, and how much of what came after is there: both have to be
none. The exit status is 1 otherwise.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from config.host.embedded import processes
from tests.chaos.audit import audit, broken
from tests.chaos.load import Book, tables
from tests.config.several import HERE, Postgreses
from tests.patience import wait_until
from tests.served import Served, free_port, say

BARMAN: Final = ("barman==3.19.1", "psycopg2-binary")
SECONDS_BEFORE: Final = 10.0  # the base backup is made among them
SECONDS_AFTER: Final = 5.0
TABLES: Final = 8
CONFIGURATION: Final = """
[barman]
barman_user = {owner}
barman_home = {home}
log_file = {home}/barman.log
[cards]
description = the database of the service
conninfo = host={host} port={port} user={user} dbname=postgres
streaming_conninfo = host={host} port={port} user={user} dbname=postgres
backup_method = postgres
streaming_archiver = on
slot_name = barman
create_slot = auto
immediate_checkpoint = true
path_prefix = {programs}
"""
# Moves of people: computers move on as soon as the service is there again.
PLAYED: Final = "SELECT count(*) FROM games_ply WHERE at >= %s AND key IS NOT NULL"


class Archived(Postgreses):
    """A Postgres whose log Barman receives."""

    def __init__(self) -> None:
        super().__init__()
        self.library, self.home = self.folder / "library", self.folder / "barman"
        self.home.mkdir()
        self.file = self.folder / "barman.conf"
        self.python = self.install(self.library, *BARMAN)
        owner = subprocess.run(
            ["id", "-un", str(self.place.owner.uid)], capture_output=True, text=True, check=True
        ).stdout.strip()
        self.file.write_text(
            CONFIGURATION.format(
                owner=owner,
                home=self.home,
                host=HERE,
                port=self.ports[0],
                user=self.user,
                programs=self.programs,
            )
        )
        self._give(self.home)
        self.barman("cron")  # as cron does it each minute
        wait_until(self._receives, 120, pause=1)
        self.barman("switch-wal", "--force", "--archive", "cards")

    def _receives(self) -> bool:
        with suppress(RuntimeError):
            self.barman("check", "cards")
            return True
        return False

    def barman(self, *words: str) -> float:
        """Seconds that it took."""
        begun = time.monotonic()
        command = [str(self.python), "-m", "barman.cli", "-c", str(self.file), *words]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False,
            env=processes.environment() | {"PYTHONPATH": str(self.library), "HOME": str(self.home)},
            **self.place.owner.popen,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"barman {' '.join(words)}:\n{done.stdout}{done.stderr}")
        return time.monotonic() - begun

    def restored(self, moment: datetime) -> tuple[int, float]:
        """The port of another server as this one was at that moment, and seconds until it is."""
        begun, port = time.monotonic(), free_port()
        target = ["--target-time", str(moment), "--target-action", "promote"]
        self.barman("restore", *target, "cards", "latest", str(self.folder / str(port)))
        self._serve(port)
        return port, time.monotonic() - begun


def main() -> int:
    state = Path(tempfile.mkdtemp(prefix="moment-"))
    postgres = Archived()
    try:
        return _tried(postgres, state)
    finally:
        postgres.end()
        shutil.rmtree(state, ignore_errors=True)


def _tried(postgres: Archived, state: Path) -> int:
    service = Elsewhere(state / "state", postgres)
    with service:
        book = Book()
        players = tables(service.port, book, TABLES, 0.02)
        for player in players:
            player.start()
        time.sleep(SECONDS_BEFORE / 2)
        backup = postgres.barman("backup", "--wait", "cards")
        time.sleep(SECONDS_BEFORE / 2)
        promised = list(book.acknowledged)
        with service.database() as connection:
            moment = connection.execute("SELECT clock_timestamp()").fetchone()[0]
        time.sleep(SECONDS_AFTER)
        for player in players:
            player.stop()
        for player in players:
            player.join(90)
        with service.database() as connection:
            later = connection.execute(PLAYED, [moment]).fetchone()[0]
            connection.execute("TRUNCATE games_match CASCADE")
    closed = postgres.barman("switch-wal", "--force", "--archive", "cards")
    port, seconds = postgres.restored(moment)
    service = Elsewhere(state / "again", postgres, port)
    with service:
        found = audit(service, Book())
        with service.database() as connection:
            lost, doubled = broken(connection, promised)
            too_late = connection.execute(PLAYED, [moment]).fetchone()[0]
    say(
        f"{len(promised)} moves were acknowledged before the moment, {later} made after it.",
        f"Base backup {backup:.1f} s, last log archived {closed:.1f} s, restored to the moment "
        f"{seconds:.1f} s.",
        f"{lost} lost, {doubled} doubled, {too_late} of those after it; {found.gaps} gaps, "
        f"{found.faulty} of {found.matches} matches do not verify.",
        *(f"  !  {fault}" for fault in book.faults[:10]),
    )
    bad = lost + doubled + too_late + found.gaps + found.faulty + len(book.faults)
    return int(bad > 0 or not promised or not later)


class Elsewhere(Served):
    """The service on a Postgres of its own, and its own Valkey."""

    def __init__(self, state: Path, postgres: Archived, *ports: int) -> None:
        self.postgres, self.at = postgres, ports or postgres.ports[:1]
        super().__init__(state, DATABASE_URL=postgres.url(*self.at), CARDROOM_ONE_MACHINE="1")

    def database(self) -> Any:
        return self.postgres.connect(self.at[0])


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())

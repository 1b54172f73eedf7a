"""The whole database as one file, and back: by pg_dump and pg_restore.

A dump is one moment of the database, also while moves are played. It holds seeds and hidden cards
of running matches, so only its owner may read it. The secret key, which is a file in the state
folder, is not in it.
"""

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import make_conninfo

from config.host.embedded.binaries import client_program
from config.host.embedded.processes import ServiceError

SUFFIX: Final = ".dump"
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


def file_name(at: datetime | None = None) -> str:
    return f"cardroom-{(at or datetime.now(UTC)):%Y%m%dT%H%M%SZ}{SUFFIX}"


def dump(database: Mapping[str, Any], file: Path) -> None:
    """Writes the dump, whole or not at all; raises ``ServiceError``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
    try:
        _run("pg_dump", database, "--format=custom", "--no-owner", f"--file={part}")
        _run("pg_restore", None, "--list", str(part))
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)


def restore(database: Mapping[str, Any], file: Path, *, replace: bool) -> None:
    """Reads a dump into an empty database; with ``replace`` the old content is deleted.

    In one transaction: a failure changes nothing. Raises ``ServiceError``.
    """
    if not file.is_file():
        raise ServiceError(f"There is no file {file}.")
    _run("pg_restore", None, "--list", str(file))
    with psycopg.connect(_address(database), autocommit=True) as connection:
        row = connection.execute(_TABLES).fetchone()
        if row is not None and row[0] and not replace:
            raise ServiceError(
                f"The database {database['NAME']} is not empty. Restore into an empty one, or "
                "use --replace, which deletes what is there."
            )
    words = ["--clean", "--if-exists"] if replace else []
    _run(
        "pg_restore",
        database,
        *words,
        *("--no-owner", "--single-transaction", "--exit-on-error"),
        f"--dbname={database['NAME']}",
        str(file),
    )


def plain(database: Mapping[str, Any], *words: str) -> str:
    """A dump as text; raises ``ServiceError``."""
    return _run("pg_dump", database, *words)


def _address(database: Mapping[str, Any]) -> str:
    return make_conninfo(
        host=database["HOST"] or None,
        port=database["PORT"] or None,
        dbname=database["NAME"],
        user=database["USER"] or None,
        password=database["PASSWORD"] or None,
    )


def _run(program: str, database: Mapping[str, Any] | None, *words: str) -> str:
    """What it prints. The database goes by the environment: a list of processes shows words."""
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "NAME": "PGDATABASE", "USER": "PGUSER"}
    named = {} if database is None else {to: str(database[of]) for of, to in names.items()}
    if database is not None:
        named["PGPASSWORD"] = str(database["PASSWORD"] or "")
        named["PGSSLMODE"] = str(database.get("OPTIONS", {}).get("sslmode", ""))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    done = subprocess.run(
        [str(client_program(program)), *words],
        env=kept | {name: value for name, value in named.items() if value},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ServiceError(f"{program} failed: {done.stderr.strip()[-1000:]}")
    return done.stdout

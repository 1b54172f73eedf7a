"""Backups: the whole database as one file, tried, sealed, kept by rule, elsewhere too; and back.

A dump is one moment of the database, also while moves are played. It holds seeds and hidden cards
of running matches, so only its owner may read it. The secret key, which is a file in the state
folder, is not in it.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

import psycopg
from django.conf import settings
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from config.host.embedded.processes import ServiceError, client_program
from config.postgres.connections import NAME_THE_SERVER, behind_a_pooler

SEALED: Final = ".age"
NAME: Final = re.compile(r"cardroom-(\d{8}T\d{6})Z\.dump(\.age)?")
PERIODS: Final = {"daily": "%Y-%m-%d", "weekly": "%G-%V", "monthly": "%Y-%m"}
MATCHES_TRIED: Final = 200  # by chance, of a backup
_COMPLAINT: Final = re.compile(r"^(?:CommandError: .*|\w+\.[\w.]+(?=: ))", re.MULTILINE)
_SECRET: Final = re.compile(
    r"(?<=://)[^\s/@]*@|(?<=\?)[^\s\"']+"
)  # of an address: who, and what is signed
_TABLES: Final = """
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1"""


class Trial(NamedTuple):
    """A dump was restored into a database of its own; ``fault`` is empty where all is well."""

    seconds: float
    fault: str


class Written(NamedTuple):
    """A backup; ``fault`` is what went wrong after it was written."""

    file: Path
    size: int
    seconds: float
    trial: Trial | None
    is_elsewhere: bool
    fault: str
    forgotten: list[str]

    def __str__(self) -> str:
        parts = [f"{self.file}: {self.size / 1e6:.1f} MB in {self.seconds:.1f} s"]
        if self.trial is not None and not self.trial.fault:
            parts.append(f"restored on trial and verified in {self.trial.seconds:.1f} s")
        parts += ["put elsewhere"] * self.is_elsewhere
        parts += [f"{len(self.forgotten)} older ones removed"] * bool(self.forgotten)
        return ", ".join(parts)


def write(*, trial: bool) -> Written:
    """A backup into the folder of ``settings.BACKUPS``, and what these say to do with it.

    Older ones are removed by rule only where nothing went wrong. Raises ``ServiceError`` where
    nothing was written.
    """
    database, wanted = past_the_pooler(), settings.BACKUPS
    with _working(wanted["folder"]) as place:
        begun, is_elsewhere = monotonic(), False
        dump = place / f"cardroom-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.dump"
        rows = dump_database(database, dump)
        seconds = monotonic() - begun
        tried = try_dump(database, dump, rows) if trial else None
        faults = [tried.fault] if tried and tried.fault else []
        done = seal(dump, wanted["recipient"]) if wanted["recipient"] else dump
        file = done.rename(wanted["folder"] / done.name)
    forgotten: list[str] = []
    try:
        is_elsewhere = call(wanted["put"], file)
        if not faults:
            forgotten.extend(forget(wanted))
    except (ServiceError, OSError) as error:
        faults.append(str(error))
    size, fault = file.stat().st_size, " ".join(faults)
    return Written(file, size, seconds, tried, is_elsewhere, fault, forgotten)


def past_the_pooler() -> dict[str, Any]:
    """The database by an address at which a session keeps its connection.

    pg_dump empties the search path. Through a pooler that changes servers with each transaction
    the next client would have that, and find no table. Raises ``ServiceError`` where only such an
    address is known.
    """
    if not settings.DIRECT_DATABASE and behind_a_pooler():
        raise ServiceError(NAME_THE_SERVER)
    return {**settings.DATABASES["default"], **settings.DIRECT_DATABASE}


@contextmanager
def _working(folder: Path) -> Iterator[Path]:
    """A place for dumps on their way, for one process at a time. What a killed one left goes."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(held, fcntl.LOCK_EX)
        for left in folder.glob(".working-*"):
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".working-") as place:
            yield Path(place)
    finally:
        os.close(held)


def dump_database(database: Mapping[str, Any], file: Path) -> dict[str, int]:
    """Writes the dump, whole or not at all; its rows by table. Raises ``ServiceError``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part")
    os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
    try:
        with psycopg.connect(_address(database)) as reader:
            reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            # It waits for pg_dump, and counts what is large; a role may have other limits.
            reader.execute("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")
            _check_room(reader, file.parent)
            snapshot = reader.execute("SELECT pg_export_snapshot()").fetchone()
            words = ["--format=custom", "--no-owner", f"--snapshot={snapshot and snapshot[0]}"]
            _run("pg_dump", database, *words, f"--file={part}")
            rows = _rows(reader)
        _run("pg_restore", None, "--list", str(part))
        part.rename(file)
    except psycopg.Error as error:
        raise ServiceError(f"The database cannot be read: {type(error).__name__}.") from None
    finally:
        part.unlink(missing_ok=True)
    return rows


def _check_room(reader: Any, folder: Path) -> None:
    """A dump is smaller than its database; one that fills the disk would stop the service."""
    (size,) = reader.execute("SELECT pg_database_size(current_database())").fetchone()
    free = shutil.disk_usage(folder).free
    if free < size:
        raise ServiceError(
            f"{folder} has {free / 1e9:.1f} GB free, and the database has {size / 1e9:.1f} GB: "
            "make room, or name another folder by BACKUP_FOLDER."
        )


def _rows(reader: Any) -> dict[str, int]:
    counted = {}
    for (name,) in reader.execute(_TABLES).fetchall():
        count = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("public", name))
        (counted[name],) = reader.execute(count).fetchone()
    return counted


def is_empty(database: Mapping[str, Any]) -> bool:
    with psycopg.connect(_address(database)) as reader:
        return reader.execute(_TABLES).fetchone() is None


def restore_database(database: Mapping[str, Any], file: Path, *, replace: bool) -> None:
    """Reads a dump into an empty database; with ``replace`` the old content is deleted.

    In one transaction: a failure changes nothing. Raises ``ServiceError``.
    """
    if not file.is_file():
        raise ServiceError(f"There is no file {file}.")
    _run("pg_restore", None, "--list", str(file))
    if not replace and not is_empty(database):
        raise ServiceError(
            f"The database {database['NAME']} is not empty. Restore into an empty one, or "
            "use --replace, which deletes what is there."
        )
    words = ["--clean", "--if-exists"] if replace else []
    if replace:
        _let_partitions_go(database)
    _run(
        "pg_restore",
        database,
        *words,
        *("--no-owner", "--single-transaction", "--exit-on-error"),
        f"--dbname={database['NAME']}",
        str(file),
    )


def _let_partitions_go(database: Mapping[str, Any]) -> None:
    """``pg_restore --clean`` drops the unique constraints of partitions by name, and fails where
    they are those of the whole table. With other names they go with that, as they may.
    """
    with psycopg.connect(_address(database)) as writer:
        for (rename,) in writer.execute(_RENAMED).fetchall():
            writer.execute(rename)


_RENAMED: Final = """
SELECT format('ALTER INDEX %s RENAME TO %I', conindid::regclass,
    'replaced_' || conindid || '_' || extract(epoch FROM now())::bigint)
FROM pg_constraint WHERE contype IN ('p', 'u', 'x') AND coninhcount > 0"""


def plain(database: Mapping[str, Any], *words: str) -> str:
    """A dump as text; raises ``ServiceError``."""
    return _run("pg_dump", database, *words)


def _given(database: Mapping[str, Any]) -> dict[str, str]:
    """The parameters of libpq for a database, by keyword, without the limits of the service."""
    given = DatabaseWrapper({"OPTIONS": {}, "TIME_ZONE": None, **database}).get_connection_params()
    known = {one.keyword.decode() for one in Conninfo.get_defaults()} - {"options"}
    return {word: str(it) for word, it in given.items() if word in known and it not in ("", None)}


def _address(database: Mapping[str, Any]) -> str:
    return make_conninfo(**_given(database))


def _run(program: str, database: Mapping[str, Any] | None, *words: str) -> str:
    """The output. The database goes by the environment: a list of processes shows words."""
    given = {} if database is None else _given(database)
    named = {
        one.envvar.decode(): given[word]
        for one in Conninfo.get_defaults()
        if one.envvar and (word := one.keyword.decode()) in given
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return _output([str(client_program(program)), *words], kept | named)


def _output(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Raises ``ServiceError`` with the first complaint; those after it may show a row."""
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, errors="replace"
        )
    except OSError as error:
        raise ServiceError(f"{command[0]} cannot be started: {error.strerror}.") from None
    if done.returncode:
        complaint = next(iter(done.stderr.strip().splitlines()), f"status {done.returncode}")
        complaint = _SECRET.sub("…", complaint)[:500]
        raise ServiceError(f"{Path(command[0]).name} failed: {complaint}")
    return done.stdout


# The trial: what a backup is worth shows when it is read back.


@contextmanager
def _scratch(database: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """An empty database beside the given one, deleted afterwards."""
    name = sql.Identifier(f"{database['NAME']}_trial")
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name)
    with psycopg.connect(_address(database), autocommit=True) as server:
        server.execute(drop)  # a trial that was killed left it
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(name))
        try:
            yield {**database, "NAME": f"{database['NAME']}_trial"}
        finally:
            server.execute(drop)


def try_dump(database: Mapping[str, Any], file: Path, rows: Mapping[str, int]) -> Trial:
    """Restores a dump beside the database, brings it up to date by this release's migrations, plays
    some of its matches again; ``rows`` is how many each table has to have.
    """
    begun = monotonic()
    try:
        with _scratch(database) as there:
            restore_database(there, file, replace=False)
            with psycopg.connect(_address(there)) as reader:
                restored = _rows(reader)
            if other := [name for name, count in rows.items() if restored.get(name) != count]:
                raise ServiceError(f"other rows than were written: {', '.join(other)}.")
            _manage(there, "migrate", "--no-input", "--verbosity=0")
            _manage(there, "verify_matches", f"--sample={MATCHES_TRIED}")
        fault = ""
    except psycopg.Error as error:
        fault = f"The trial did not come about: {type(error).__name__}."
    except ServiceError as error:
        fault = f"The trial failed: {error}"
    return Trial(monotonic() - begun, fault)


def _manage(database: Mapping[str, Any], *words: str) -> None:
    """A command of this release on another database. Of its complaint no value is repeated."""
    path = f"/{quote(database['NAME'], safe='')}"
    url = settings.DATABASE_DIRECT_URL or settings.DATABASE_URL
    named = {
        "DATABASE_URL": urlsplit(url)._replace(path=path).geturl(),
        "CARDROOM_ONE_MACHINE": str(int(settings.ONE_MACHINE)),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-m", "django", *words],
        cwd=settings.BASE_DIR,
        env=os.environ | named,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        faults = _COMPLAINT.findall(done.stderr) or [f"status {done.returncode}"]
        raise ServiceError(f"{words[0]} says: {faults[-1][:300]}")


# Sealed, elsewhere, kept by rule.


def seal(file: Path, recipient: str) -> Path:
    """Beside it, encrypted to a public key. Raises ``ServiceError``."""
    sealed = file.with_name(file.name + SEALED)
    _output([_age(), "--encrypt", "--recipient", recipient, "--output", str(sealed), str(file)])
    return sealed


def _age() -> str:
    program = shutil.which("age")
    if program is None:
        raise ServiceError("There is no program age, which seals backups: apt install age.")
    return program


def call(command: Sequence[str], file: Path) -> bool:
    """A command of the operator, with the file's name and path in their places; whether there is
    one. Raises ``ServiceError`` if it fails.
    """
    if command:
        _output([word.format(path=file, name=file.name) for word in command])
    return bool(command)


def times(folder: Path) -> dict[datetime, Path]:
    """The backups of a folder, the oldest first."""
    files = {}
    for file in sorted(folder.glob("cardroom-*")):
        if name := NAME.fullmatch(file.name):
            files[datetime.strptime(f"{name[1]}Z", "%Y%m%dT%H%M%S%z")] = file
    return files


def kept(moments: Iterable[datetime], keep: Mapping[str, int]) -> set[datetime]:
    """The newest of each of the last days, weeks and months that have one, so many as ``keep``."""
    chosen: set[datetime] = set()
    for period, count in keep.items():
        newest = {f"{at:{PERIODS[period]}}": at for at in sorted(moments)}
        chosen |= set(sorted(newest.values(), reverse=True)[:count])
    return chosen


def forget(wanted: Mapping[str, Any]) -> Iterator[str]:
    """Removes what the rule does not keep, here and then elsewhere, and names each between.

    One that never came there fails once, and is not tried again.
    """
    files = times(wanted["folder"])
    for at in sorted(files.keys() - kept(list(files), wanted["keep"])):
        files[at].unlink()
        yield files[at].name
        call(wanted["drop"], files[at])


@contextmanager
def opened(named: str, identity: Path | None) -> Iterator[Path]:
    """A backup as a dump: the newest one (``named`` is empty), a path, a name in the folder or
    elsewhere. Raises ``ServiceError``.
    """
    wanted = settings.BACKUPS
    folder: Path = wanted["folder"]
    newest = next(reversed(times(folder).values()), None)
    if not named and newest is None:
        raise ServiceError(f"There is no backup in {folder}. Name one.")
    file = Path(named) if named and Path(named).exists() else folder / (named or str(newest))
    with _working(folder) as place:
        if not file.exists() and NAME.fullmatch(file.name):
            file = place / file.name
            call(wanted["get"], file)
        if not file.is_file():
            raise ServiceError(f"There is no file {named}, here or in {folder}.")
        if file.suffix == SEALED:
            if identity is None:
                raise ServiceError(f"{file.name} is sealed: name the private key by --identity.")
            dump = place / file.stem
            words = ["--decrypt", "--identity", str(identity), "--output", str(dump), str(file)]
            _output([_age(), *words])
            file = dump
        yield file

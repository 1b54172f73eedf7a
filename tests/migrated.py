"""One database is migrated in a run; those of xdist's workers are copies of it, and so is that of a
process which a worker starts.

On servers of our own it is kept for the next run of the same code: migrating takes as long as a
hundred tests, and every worker waits for it. So is the old database that has landed here. A run
with workers begins to migrate while they still collect their tests (``python -m tests.migrated``).
With ``PARTITIONED=1`` its plies are kept by months (``manage.py partition_plies``).
"""

import fcntl
import gc
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection

ROOT = Path(__file__).resolve().parent.parent
CODE = (
    "accounts",
    "cardroom",
    "config",
    "decks",
    "games",
)  # roles and permissions are written, too
OF_THIS_RUN = os.environ["MIGRATED_DATABASE"]
PARTITIONED = os.environ.get("PARTITIONED", "")
KEPT, LANDED = "migrated_", "landed_"


@cache
def name() -> str:
    """That of this run where the servers are somebody else's."""
    return OF_THIS_RUN if settings.NAMED_SERVERS else KEPT + _digest()


@cache
def landed() -> str:
    """The name of the old database after its migration."""
    return LANDED + (str(os.getpid()) if settings.NAMED_SERVERS else _digest())


def _digest() -> str:
    """A digest that differs for other code."""
    digest = hashlib.sha256((ROOT / "requirements-dev.lock").read_bytes() + PARTITIONED.encode())
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def begin() -> subprocess.Popen[bytes]:
    """Another process that migrates; whoever needs the database waits for it."""
    return subprocess.Popen([sys.executable, "-m", "tests.migrated"], cwd=ROOT)


def make() -> None:
    with _alone():
        if name() not in _databases():
            _migrate()


def copied_from_now_on() -> None:
    """A database that is made for tests needs no migration any more."""
    make()
    connection.settings_dict["TEST"] |= {"TEMPLATE": name(), "MIGRATE": False}


def drop() -> None:
    """All but those of this code; of somebody else's servers the one of this run."""
    with _alone():
        for other in _databases():
            is_old = other.startswith((KEPT, LANDED)) and other not in (name(), landed())
            if other == OF_THIS_RUN or (is_old and not settings.NAMED_SERVERS):
                with suppress(OperationalError):  # another run copies it
                    drop_one(other)


def end_other_sessions() -> None:
    """Of threads that outlived their tests: a database with sessions is not dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@contextmanager
def making(wanted: str) -> Iterator[str | None]:
    """Another name for a database that is not there; it gets its own when it is whole."""
    with _alone():
        if wanted in _databases():
            yield None
            return
        new = f"{OF_THIS_RUN}_{wanted}"
        _execute(f'CREATE DATABASE "{new}"')
        try:
            yield new
            _rename(new, wanted)
        finally:
            drop_one(new)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(os.environ["CARDROOM_STATE"]) / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _databases() -> set[str]:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return {row[0] for row in cursor.fetchall()}


def use(database: str) -> None:
    """From now on Django's connection leads there."""
    connection.close()
    connection.close_pool()
    connection.settings_dict["NAME"] = database


@contextmanager
def own_copy() -> Iterator[None]:
    """Django's connection leads to a copy of the migrated database, which is dropped afterwards."""
    own, copy = connection.settings_dict["NAME"], f"{OF_THIS_RUN}_{os.getpid()}"
    use(own)  # what is made must not be made in the pool's database
    make()
    _execute(f'CREATE DATABASE "{copy}" TEMPLATE "{name()}"')
    try:
        use(copy)
        yield
    finally:
        use(own)
        _execute(f'DROP DATABASE "{copy}" WITH (FORCE)')


def drop_one(other: str) -> None:
    _execute(f'DROP DATABASE IF EXISTS "{other}"')


def _rename(old: str, new: str) -> None:
    _execute(f'ALTER DATABASE "{old}" RENAME TO "{new}"')


def _execute(sql: str) -> None:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(sql)


@contextmanager
def uncollected() -> Iterator[None]:
    """Every step of a migration makes models anew; looking through them for garbage takes long."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        gc.collect()


def _migrate() -> None:
    """Under the name of this run, until it is whole: the run may be killed meanwhile."""
    database = connection.settings_dict
    own_name, test_name = database["NAME"], database["TEST"]["NAME"]
    database["TEST"]["NAME"] = OF_THIS_RUN
    with uncollected():
        connection.creation.create_test_db(verbosity=0, serialize=False)
        if PARTITIONED:
            call_command("partition_plies", verbosity=0)
    connection.close()
    connection.close_pool()  # nothing is copied while somebody is connected to it
    database["NAME"] = settings.DATABASES["default"]["NAME"] = own_name
    database["TEST"]["NAME"] = test_name
    if name() != OF_THIS_RUN:
        _rename(OF_THIS_RUN, name())


if __name__ == "__main__":
    django.setup()
    make()

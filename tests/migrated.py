"""One database is migrated in a run; those of xdist's workers are copies of it, and so is that of a
process which a worker starts.

On servers of our own it is kept for the next run of the same code: migrating takes as long as a
hundred tests, and every worker waits for it.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection

ROOT = Path(__file__).resolve().parent.parent
CODE = ("accounts", "config", "decks", "games")  # roles and permissions are written, too
OF_THIS_RUN = os.environ["MIGRATED_DATABASE"]
KEPT = "migrated_"


@cache
def name() -> str:
    """That of this run where the servers are somebody else's."""
    if settings.NAMED_SERVERS:
        return OF_THIS_RUN
    digest = hashlib.sha256((ROOT / "requirements-dev.lock").read_bytes())
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return KEPT + digest.hexdigest()[:16]


def copied_from_now_on() -> None:
    """A database that is made for tests needs no migration any more."""
    with _alone():
        if name() not in _databases():
            _migrate()
    connection.settings_dict["TEST"] |= {"TEMPLATE": name(), "MIGRATE": False}


def drop() -> None:
    """All but the one of this code; of somebody else's servers the one of this run."""
    with _alone():
        for other in _databases():
            is_old = other.startswith(KEPT) and other != name()
            if other == OF_THIS_RUN or (is_old and not settings.NAMED_SERVERS):
                with suppress(OperationalError):  # another run copies it
                    _drop(other)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(os.environ["CARDROOM_STATE"]) / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _databases() -> set[str]:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return {row[0] for row in cursor.fetchall()}


def _drop(other: str) -> None:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{other}"')


def _migrate() -> None:
    """Under the name of this run, until it is whole: the run may be killed meanwhile."""
    database = connection.settings_dict
    own_name, test_name = database["NAME"], database["TEST"]["NAME"]
    database["TEST"]["NAME"] = OF_THIS_RUN
    connection.creation.create_test_db(verbosity=0, serialize=False)
    connection.close()
    connection.close_pool()  # nothing is copied while somebody is connected to it
    database["NAME"] = settings.DATABASES["default"]["NAME"] = own_name
    database["TEST"]["NAME"] = test_name
    if name() != OF_THIS_RUN:
        with connection.creation._nodb_cursor() as cursor:
            cursor.execute(f'ALTER DATABASE "{OF_THIS_RUN}" RENAME TO "{name()}"')

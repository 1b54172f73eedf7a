"""One database is migrated in a run; those of xdist's workers are copies of it, and so is that of a
process which a worker starts."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

NAME = os.environ["MIGRATED_DATABASE"]


def copied_from_now_on() -> None:
    """A database that is made for tests needs no migration any more."""
    with _alone():
        if not _exists():
            _migrate()
    connection.settings_dict["TEST"] |= {"TEMPLATE": NAME, "MIGRATE": False}


def drop() -> None:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{NAME}"')


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(os.environ["CARDROOM_STATE"]) / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _exists() -> bool:
    with connection.creation._nodb_cursor() as cursor:
        return connection.creation._database_exists(cursor, NAME)


def _migrate() -> None:
    database = connection.settings_dict
    name, test_name = database["NAME"], database["TEST"]["NAME"]
    database["TEST"]["NAME"] = NAME
    connection.creation.create_test_db(verbosity=0, serialize=False)
    connection.close()
    connection.close_pool()  # nothing is copied while somebody is connected to it
    database["NAME"] = settings.DATABASES["default"]["NAME"] = name
    database["TEST"]["NAME"] = test_name

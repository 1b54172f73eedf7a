"""The steps before a service can be used: tables, pages, an administrator."""

import hashlib
import os
import secrets
import sys
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection

from config.host import backups, embedded, reaching
from config.host.embedded.processes import ServiceError
from config.host.state_folder import CannotServe
from config.offers import offered
from config.postgres import schema
from config.postgres.connections import NAME_THE_SERVER, connect_directly
from config.telemetry.pulse import pulse


def collect_files() -> bool:
    """Collects the static files under names made from their content. False if nothing changed."""
    root = Path(settings.STATIC_ROOT)
    stamp, fingerprint = root / ".collected", _fingerprint()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return False
    root.mkdir(parents=True, exist_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=True)
    stamp.write_text(fingerprint)
    return True


def _fingerprint() -> str:
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def make_tables() -> str:
    """Raises CannotServe for a newer schema, and where only a pooler's address is known."""
    if not connect_directly():
        raise CannotServe(NAME_THE_SERVER)
    restored = schema.restore()
    steps = migrate()
    changes = f"{steps} changes made" if steps else ""
    return ", ".join(filter(None, ("made" if restored else "", changes))) or "up to date"


def write_dump() -> str:
    """Of tables that the migrations make on a server of this state folder, which must be new."""
    words = ["--no-owner", "--no-privileges", "--no-comments", "--inserts"]
    embedded.ensure_postgres(settings.STATE, durable=False)
    try:
        if not migrate():
            raise CannotServe("The database is not empty: name a new folder by CARDROOM_STATE.")
        dump = backups.plain(connection.settings_dict, *words)
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
    finally:
        embedded.stop(settings.STATE)
    schema.DUMP.write_text(schema.readable_anywhere(dump))
    return f"{schema.DUMP} has {schema.DUMP.stat().st_size // 1024} KB."


def migrate() -> int:
    """Applies the migrations that are missing; how many. Raises CannotServe for a newer schema.

    Of two processes that begin at one moment one waits for the other.
    """
    difference = schema.difference()
    if difference.unknown and not settings.NEWER_SCHEMA:
        raise CannotServe(
            f"Cannot serve: {difference}. Start the release that made it, or a newer one; "
            "NEWER_SCHEMA=true starts this one, which works if it is the release before."
        )
    if difference.missing:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [schema.ONE_AT_A_TIME])
        try:
            call_command("migrate", interactive=False, verbosity=0)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [schema.ONE_AT_A_TIME])
    return len(difference.missing)


def create_first_admin() -> str | None:
    """Makes the account `admin` if there is no administrator; name and password, shown only now."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    name = "admin" if not users.filter(username="admin").exists() else "cardroom-admin"
    users.create_superuser(username=name, password=password)
    return f"{name} / {password}"


# Steps before a service can be used: its tables, its pages' files, its administrator.
#
# Each in a process of its own, which prints its line when it is done; one that fails says why,
# and the service does not start.


def tables() -> str:
    if fault := reaching.postgres_fault():
        raise CannotServe(fault.sentence)
    return make_tables()


def pages() -> str:
    return "collected" if collect_files() else "unchanged"


def games() -> str:
    return "\n            ".join(chain.from_iterable(lines() for lines in offered("start_lines")))


def administrator() -> str:
    """Nothing where there is one. The password is stored nowhere."""
    if not (made := create_first_admin()):
        return ""
    command = f"{os.path.relpath(sys.executable)} manage.py changepassword {made.partition(' ')[0]}"
    return f"{made} (shown only this once)\n  Another password: {command}"


STEPS: Final[dict[str, Callable[[], str]]] = {
    "Tables": tables,
    "Pages": pages,
    "Games": games,
    "Administrator": administrator,
}


def main() -> None:
    pulse.start()
    name, begun = sys.argv[1], time.monotonic()
    try:
        done = STEPS[name]()
    except (CannotServe, ServiceError) as error:
        sys.exit(str(error))
    if done:
        took = "" if name == "Administrator" else f" ({time.monotonic() - begun:.1f} s)"
        print(f"  {name:<9} {done}{took}", flush=True)  # noqa: T201

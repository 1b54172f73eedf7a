"""Whether the database has the schema that this code was written for."""

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
import structlog
from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

NAMED: Final = 3  # the most that a sentence lists


class Difference(NamedTuple):
    missing: list[str]
    unknown: list[str]

    def __str__(self) -> str:
        """A sentence about the difference, or nothing if there is none."""
        if self.unknown:
            names = _listed(self.unknown)
            return f"the database is newer than this code, which does not know {names}"
        if self.missing:
            return f"migrations are not applied: {_listed(self.missing)}"
        return ""


def difference() -> Difference:
    """Migrations of the installed apps that one side has and the other has not."""
    ours = known()
    if not ours:
        return _by_loading()
    recorded, apps_of_ours = set(MigrationRecorder(connection).applied_migrations()), dict(ours)
    applied = {each for each in recorded if each[0] in apps_of_ours}
    return Difference(_names(ours - recorded), _names(applied - ours))


@cache
def known() -> frozenset[tuple[str, str]]:
    """By their files; nothing if one stands for others, which only itself knows.

    Every web process asks, and would keep all modules of migrations in its memory.
    """
    ours = set()
    for app in apps.get_app_configs():
        name, _ = MigrationLoader.migrations_module(app.label)
        try:
            folders = [Path(folder) for folder in import_module(name or "").__path__]
        except (ImportError, ValueError, TypeError, AttributeError):
            continue  # it has no migrations
        for file in (file for folder in folders for file in folder.glob("*.py")):
            if file.name[0] not in "_~":
                ours.add((app.label, file.stem))
                if b"replaces =" in file.read_bytes():
                    return frozenset()
    return frozenset(ours)


def _by_loading() -> Difference:
    loader = MigrationLoader(connection)
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update(migration.replaces)  # their rows stay when the files go
    applied = {each for each in loader.applied_migrations if each[0] in loader.migrated_apps}
    missing = set(loader.graph.nodes) - set(loader.applied_migrations)
    return Difference(_names(missing), _names(applied - known))


def _names(migrations: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{app}.{name}" for app, name in sorted(migrations)]


def _listed(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


# The tables of an empty database in a second: a dump of what the migrations make.
#
# `tables.sql`, beside this file, is what `pg_dump` writes of a migrated database in which nobody
# has been: its schema, its rows of rights and of migrations. Read into an empty database it takes
# a third of a second, where the migrations take ten. Later migrations follow as ever, so a dump
# that is older than they are is only slower. ``make tables`` writes it again.

DUMP: Final = Path(__file__).with_name("tables.sql")
EMPTY: Final = "SELECT count(*) = 0 FROM pg_class WHERE relnamespace = 'public'::regnamespace"
# Lines that the client program alone knows (\), or one version of the server.
LEFT_OUT: Final = re.compile(r"^(\\|--|SET |SELECT pg_catalog.set_config|$)")
MOMENT: Final = re.compile(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00'")
# Postgres writes IN of a short text so, and reads what it has written as another expression.
IN: Final = re.compile(r"\((\w+)\)::text = ANY \(\(ARRAY\[([^\]]+)\]\)::text\[\]\)")
# For the transaction: through a pooler the next client has the settings of this one's session.
FIRST: Final = "SET LOCAL check_function_bodies = false; SET LOCAL search_path = '';\n"
ONE_AT_A_TIME: Final = 0x43617264  # of two processes that begin at one moment; our own number

log = structlog.get_logger(__name__)


def restore() -> bool:
    """Makes the tables of an empty database; whether it did.

    In one transaction. What cannot be restored here, by an older server or without a right, is left
    to the migrations.
    """
    if not DUMP.exists():
        return False
    parameters = dict(connection.get_connection_params())
    own = ("context", "cursor_factory", "pool", "prepare_threshold", "server_side_binding")
    known = {name: value for name, value in parameters.items() if name not in own}
    with psycopg.connect(**known) as fresh:
        try:
            fresh.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
            row = fresh.execute(EMPTY).fetchone()
            if row is None or not row[0]:
                return False
            fresh.execute(FIRST + DUMP.read_text(), prepare=False)
        except psycopg.Error as error:
            fresh.rollback()
            log.warning("dump_not_restored", cause=str(error).strip())
            return False
    return True


def readable_anywhere(dump: str) -> str:
    """A plain dump without comments and settings of a session; its rows are written now."""
    dump = IN.sub(r"\1 IN (\2)", dump)
    lines = (line for line in dump.splitlines(keepends=True) if not LEFT_OUT.match(line))
    return "".join(
        MOMENT.sub("now()", line) if line.startswith("INSERT ") else line for line in lines
    )

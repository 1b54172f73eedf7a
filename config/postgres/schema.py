"""Whether the database has the schema that this code was written for."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

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

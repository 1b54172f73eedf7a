"""Whether the database has the schema that this code was written for."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.db import connection
from django.db.migrations.loader import MigrationLoader

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

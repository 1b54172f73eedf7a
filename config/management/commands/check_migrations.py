"""`manage.py check_migrations`: whether the models have all their migrations, in one line each, and
whether the previous release works while and after they run.

It needs no database, unlike `makemigrations --check`.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from config.postgres.upgrades import ACCEPTED, faults_of

OURS = ("accounts.", "decks.", "games.")


class Command(BaseCommand):
    help = "Check that no migration is missing, and that the previous release survives every one."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(None)
        if missing := [*_conflicts(loader), *_unwritten(loader)]:
            raise CommandError("The migrations are not complete:\n" + "\n".join(missing))
        by_migration = _faults(loader)
        faulty = {name: faults for name, faults in by_migration.items() if faults}
        lines = [
            f"  {name}: {f}" for name, fs in faulty.items() if name not in ACCEPTED for f in fs
        ]
        lines += [f"  {name} is accepted without need" for name in ACCEPTED.keys() - faulty]
        if lines:
            raise CommandError("The previous release does not survive:\n" + "\n".join(lines))
        self.stdout.write(f"{len(by_migration)} migrations, {len(faulty)} accepted with a reason.")


def _conflicts(loader: MigrationLoader) -> Iterator[str]:
    for app, names in loader.detect_conflicts().items():
        yield f"  {app} ends in several: {', '.join(sorted(names))}"


def _unwritten(loader: MigrationLoader) -> Iterator[str]:
    """The operations that `makemigrations` would write."""
    detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))
    for app, migrations in detector.changes(graph=loader.graph).items():
        for operation in (each for migration in migrations for each in migration.operations):
            yield f"  {app}: {operation.describe()}"


def _faults(loader: MigrationLoader) -> dict[str, list[str]]:
    """By migration."""
    return {
        ".".join(node): list(faults_of(migration, loader.project_state(node, at_end=False)))
        for node, migration in sorted(loader.disk_migrations.items())
        if type(migration).__module__.startswith(OURS)
    }

"""`manage.py check_migrations`: whether the previous release works while and after they run."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.migrations.loader import MigrationLoader

from config.postgres.upgrades import ACCEPTED, faults_of

OURS = ("accounts.", "decks.", "games.")


class Command(BaseCommand):
    help = "Check that every migration of ours can run while the previous release serves."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def handle(self, *args: Any, **options: Any) -> None:
        found = _faults()
        faulty = {name: faults for name, faults in found.items() if faults}
        told = [f"  {name}: {f}" for name, fs in faulty.items() if name not in ACCEPTED for f in fs]
        told += [f"  {name} is accepted without need" for name in ACCEPTED.keys() - faulty]
        if told:
            raise CommandError("The previous release does not survive:\n" + "\n".join(told))
        self.stdout.write(f"{len(found)} migrations, {len(faulty)} accepted with a reason.")


def _faults() -> dict[str, list[str]]:
    """By migration, without a database."""
    loader = MigrationLoader(None)
    return {
        ".".join(node): list(faults_of(migration, loader.project_state(node, at_end=False)))
        for node, migration in sorted(loader.disk_migrations.items())
        if type(migration).__module__.startswith(OURS)
    }

"""`manage.py check_migrations`: whether the models have all their migrations, in one line each, and
whether the previous release works while and after they run.

It needs no database, unlike `makemigrations --check`.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management.base import BaseCommand, CommandError
from django.db import migrations
from django.db.migrations import Migration
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, Field, ManyToManyField

# Whether a migration can run while the previous release serves, judged by its operations.
#
# The previous release must be able to read and write every table before, while and after: it
# inserts rows without the new columns and reads the old ones. Migrations that this cannot judge,
# or that break the rule on purpose, are accepted by name with the reason.

ACCEPTED: Final = {
    "accounts.0002_roles": "makes groups, which nobody had before",
    "accounts.0005_name_skeletons": "the constraint speaks of its new column, which is null",
    "accounts.0006_fill_name_skeletons": "fills a column that the release before did not know",
    "accounts.0010_local_letters_by_default": "changes a choice that the release before reads too",
    "accounts.0011_skeletons_by_the_table": "new values of a column that the release before reads",
    "accounts.0016_skeletons_in_both_directions": "new values of a column, as 0011",
    "accounts.0017_house_account": "the constraints speak of their new column, which is false",
    "audit.0001_audit_log": "makes a trigger on a table of its own",
    "audit.0004_names_leave_and_closed_accounts": "lets more through; rows that lacked one get one",
    "competitions.0003_matches_of_the_house": "another host of few rows; both releases read it",
    "decks.0003_measurement_against": "before the first release",
    "games.0001_initial": "sets how full the pages of a new table are",
    "games.0004_limits_of_an_account": "few simulations were stored; it fills a new column",
    "games.0008_open_loads": "a partial index of few rows, on its new column",
    "games.0010_rolled_back_rounds": "the constraints speak of their new columns, which are null",
    "operations.0006_appeals_and_answers": "the constraint speaks of its new column, which is null",
    "ratings.0002_ratings_of_people": "writes one row of a table of its own",
}


def faults_of(migration: Migration, before: ProjectState) -> Iterator[str]:
    """Operations that break the previous release; ``before`` is the state that it knows."""
    state, made = before.clone(), set[str]()
    for operation in migration.operations:
        if isinstance(operation, migrations.CreateModel):
            made.add(operation.name_lower)
        for part in _in_the_database(operation):
            if str(getattr(part, "model_name", "")).lower() not in made:
                yield from _faults(part, state, migration.app_label)
        operation.state_forwards(migration.app_label, state)


def _in_the_database(operation: Operation) -> list[Any]:
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return list(operation.database_operations)
    return [operation]


def _faults(operation: Any, state: ProjectState, app: str) -> Iterator[str]:
    description = operation.describe()
    match operation:
        case migrations.RemoveField() | migrations.DeleteModel():
            yield f"{description}: the previous release still reads it"
        case migrations.RenameField() | migrations.RenameModel() | migrations.AlterModelTable():
            yield f"{description}: the previous release knows the old name"
        case migrations.AddField() if _has_to_be_given(operation.field):
            yield f"{description}: the previous release inserts rows without it; db_default or null"
        case migrations.AlterField():
            was = state.models[app, operation.model_name_lower].fields[operation.name]
            yield from (f"{description}: {fault}" for fault in _narrower(was, operation.field))
        case migrations.AddConstraint():
            yield f"{description}: the previous release does not know it"
        case AddIndexConcurrently():
            pass
        case migrations.AddIndex():
            yield f"{description}: nobody writes while it is made; AddIndexConcurrently"
        case migrations.RunSQL() | migrations.RunPython():
            yield f"{description}: this needs somebody's judgement"


def _has_to_be_given(field: Any) -> bool:
    if isinstance(field, ManyToManyField):
        return False
    return not field.null and field.db_default is NOT_PROVIDED


def _narrower(was: "Field[Any, Any]", new: "Field[Any, Any]") -> Iterator[str]:
    if was.get_internal_type() != new.get_internal_type():
        yield "another type"
    if was.null and not new.null:
        yield "nothing was allowed before"
    if new.unique and not was.unique:
        yield "equal values were allowed before"
    if new.max_length and (was.max_length is None or new.max_length < was.max_length):
        yield "longer values were allowed before"


OURS = ("accounts.", "decks.", "games.")


class Command(BaseCommand):
    help = "Check that no migration is missing, and that the previous release survives every one."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(None)
        if missing := [*_conflicts(loader), *_unwritten(loader)]:
            raise CommandError("The migrations are not complete:\n" + "\n".join(missing))
        by_migration = _faults_of(loader)
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
    for app, changes in detector.changes(graph=loader.graph).items():
        for operation in (each for migration in changes for each in migration.operations):
            yield f"  {app}: {operation.describe()}"


def _faults_of(loader: MigrationLoader) -> dict[str, list[str]]:
    """By migration."""
    return {
        ".".join(node): list(faults_of(migration, loader.project_state(node, at_end=False)))
        for node, migration in sorted(loader.disk_migrations.items())
        if type(migration).__module__.startswith(OURS)
    }

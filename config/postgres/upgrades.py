"""Whether a migration can run while the previous release serves, judged by its operations.

The previous release must be able to read and write every table before, while and after: it inserts
rows without the new columns and reads the old ones. Migrations that this cannot judge, or that
break the rule on purpose, are accepted by name with the reason.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations
from django.db.migrations import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, Field, ManyToManyField

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

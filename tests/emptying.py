"""Takes out of the database what a test with real transactions left there.

Django empties every table and signals the end of a migration again: two thirds of a second. Here
only tables with rows are emptied, and what the migrations wrote is put back if a test changed it.
All of it is one block in the server's own language.

A thread of a stream may still write when its test is over, and wait crosswise with the emptying:
for a table that is locked here, with a row locked that is deleted here. So the emptying waits for
nobody for long: it lets go of everything, and is tried again.
"""

import time
from collections.abc import Iterator

from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg.sql import SQL, Composable, Identifier, Literal

from tests.patience import PATIENCE

WRITTEN_BEFORE = "written_before_the_tests"
A_WHILE = "50ms"  # for one lock

EMPTIED = SQL("""
IF EXISTS (SELECT FROM {table}) THEN DELETE FROM {table}; END IF;
""")
PUT_BACK = SQL("""
IF EXISTS (TABLE {table} EXCEPT TABLE {before}) OR EXISTS (TABLE {before} EXCEPT TABLE {table}) THEN
    DELETE FROM {table};
    INSERT INTO {table} TABLE {before};
END IF;
""")


def allowed() -> bool:
    """Whether this user of the database may switch triggers off."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
        return cursor.fetchone()[0]


class Emptying:
    """Knows the rows that stand in the database when it is made."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            names = connection.introspection.django_table_names(only_existing=True)
            self.tables = sorted(names)
            cursor.execute(SQL("CREATE SCHEMA {}").format(Identifier(WRITTEN_BEFORE)))
            kept = set(filter(self._kept, self.tables))
        self.statements = list(self._statements(kept))

    def _kept(self, table: str) -> bool:
        """Whether it has rows now; they are copied."""
        with connection.cursor() as cursor:
            cursor.execute(SQL("SELECT EXISTS (SELECT FROM {})").format(Identifier(table)))
            if not cursor.fetchone()[0]:
                return False
            names = Identifier(WRITTEN_BEFORE, table), Identifier(table)
            cursor.execute(SQL("CREATE TABLE {} AS TABLE {}").format(*names))
            return True

    def _statements(self, kept: set[str]) -> Iterator[Composable]:
        """Like TRUNCATE it waits for writers, and asks no trigger: the audit log refuses."""
        yield SQL("SET LOCAL session_replication_role = replica")
        yield SQL("SET LOCAL lock_timeout = {}").format(Literal(A_WHILE))
        tables = SQL(", ").join(map(Identifier, self.tables))
        yield SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(tables)
        steps = [
            (PUT_BACK if table in kept else EMPTIED).format(
                table=Identifier(table), before=Identifier(WRITTEN_BEFORE, table)
            )
            for table in self.tables
        ]
        yield SQL("DO $$ BEGIN {} END $$").format(SQL("").join(steps))

    def __call__(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self._done(is_last=time.monotonic() > end):
            pass

    def _done(self, *, is_last: bool) -> bool:
        """Whether nobody held anything of it."""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in self.statements:
                    cursor.execute(statement)
        except OperationalError as error:
            if is_last or not isinstance(error.__cause__, (LockNotAvailable, DeadlockDetected)):
                raise
            return False
        return True

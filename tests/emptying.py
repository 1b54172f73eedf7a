"""Takes out of the database what a test with real transactions left there.

Django empties every table and signals the end of a migration again: two thirds of a second. Here
only tables with rows are emptied, and what the migrations wrote is put back if a test changed it.
All of it is one block in the server's own language.

A thread of a stream may still write when its test is over, and wait crosswise with the emptying:
for a table that is locked here, with a row locked that is deleted here. Postgres then ends one of
the two: the emptying, which looks for such a circle long before the other does, and is tried again.
"""

from collections.abc import Iterator

from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected
from psycopg.sql import SQL, Composable, Identifier, Literal

WRITTEN_BEFORE = "written_before_the_tests"
CIRCLE_AFTER = "20ms"  # of waiting; a second in the settings of the server

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
        yield SQL("SET LOCAL deadlock_timeout = {}").format(Literal(CIRCLE_AFTER))
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
        while not self._done():
            pass

    def _done(self) -> bool:
        """Whether it was; else somebody waits for what is locked here, and goes first."""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in self.statements:
                    cursor.execute(statement)
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
            return False
        return True

"""The tables of an empty database in a second: a dump of what the migrations make.

`tables.sql`, beside this file, is what `pg_dump` writes of a migrated database in which nobody has
been: its schema, its rows of rights and of migrations. Read into an empty database it takes a third
of a second, where the migrations take ten. Later migrations follow as ever, so a dump that is older
than they are is only slower. ``make tables`` writes it anew.
"""

import re
from pathlib import Path
from typing import Final

import psycopg
import structlog
from django.db import connection

DUMP: Final = Path(__file__).with_name("tables.sql")
EMPTY: Final = "SELECT count(*) = 0 FROM pg_class WHERE relnamespace = 'public'::regnamespace"
# What the client program alone knows (\), or one version of the server.
LEFT_OUT: Final = re.compile(r"^(\\|--|SET |$)")
MOMENT: Final = re.compile(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00'")
# Postgres writes IN of a short text so, and reads what it has written as another expression.
IN: Final = re.compile(r"\((\w+)\)::text = ANY \(\(ARRAY\[([^\]]+)\]\)::text\[\]\)")
FIRST: Final = "SET LOCAL check_function_bodies = false;\n"
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

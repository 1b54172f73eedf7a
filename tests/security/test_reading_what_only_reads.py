"""Whatever is read is read from a database that takes no writes as well."""

import re

import pytest
from django.db import connection

from config.postgres.connections import ReadOnly
from tests.security.test_authorisation_matrix import (  # noqa: F401 - fixtures
    callers,
    everywhere,
    status,
    world,
)

WRITES = re.compile(
    r"^\s*(INSERT|UPDATE|DELETE)\b|\b(INSERT INTO|DELETE FROM|FOR (NO KEY )?UPDATE)\b"
)


def refuse_writes(execute, sql, params, many, context):
    """As Postgres does, except that a transaction goes on: what is locked is asked for to write."""
    if WRITES.search(sql):
        raise ReadOnly(f"cannot execute {sql.split()[0]} in a read-only transaction")
    return execute(sql, params, many, context)


@pytest.mark.parametrize("name", ["anonymous", "seated"])
def test_no_page_writes_to_be_read(world, callers, name):  # noqa: F811
    faults = []
    for _, path, method in everywhere(world):
        if method != "GET" or path.startswith("/admin/"):
            continue
        before = status(callers[name], method, path)
        with connection.execute_wrapper(refuse_writes):
            after = status(callers[name], method, path)
        if before < 400 and after != before:
            faults.append(f"{path}: {before}, {after}")
    assert faults == []

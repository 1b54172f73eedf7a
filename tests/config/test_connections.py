"""A connection that is lost before its first statement is not kept: its thread would be useless."""

import subprocess
import sys
import threading

import pytest
from django.db import OperationalError, connection

from config.postgres import connections
from config.postgres.connections import plan_for_few_rows

KILL = "SELECT pg_terminate_backend(pg_backend_pid())"


@pytest.mark.django_db(transaction=True)
def test_a_lane_whose_new_connection_is_lost_gets_another_one(monkeypatch):
    monkeypatch.setattr(connections, "_planned", threading.local())
    connection.close()
    connection.ensure_connection()
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute(KILL)
    with pytest.raises(OperationalError):  # the pool has not been told: Django still has it
        plan_for_few_rows()
    plan_for_few_rows()
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_seqscan")
        assert cursor.fetchone() == ("off",)
    connection.close()


def test_the_first_connection_of_a_process_knows_arrays():
    """Django keeps the adapters that it found then, whatever was imported before."""
    code = (
        "from django.db import connection\n"
        "adapters = connection.get_connection_params()['context'].adapters\n"
        "from config.postgres.arrays import Array\n"
        "from psycopg.adapt import PyFormat\n"
        "adapters.get_dumper(Array, PyFormat.AUTO)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

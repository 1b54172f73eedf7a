"""The disk is that of the database, wherever this process runs."""

import shutil
from collections import namedtuple

import pytest
from django.db import connection
from django.test import Client

from config.monitoring import health
from games.admin import club
from games.operations import figures

pytestmark = pytest.mark.django_db(transaction=True)
Usage = namedtuple("Usage", "total used free")
NO_SPACE = "DO $$ BEGIN RAISE EXCEPTION 'could not write' USING ERRCODE = '53100'; END $$"


@pytest.fixture(autouse=True)
def written_long_ago(monkeypatch):
    monkeypatch.setattr(health, "_good_until", 0.0)


@pytest.fixture
def elsewhere(settings):
    """As in a container: Postgres is on another machine."""
    settings.OWN_DATABASE = False
    settings.DATABASE_DISK_GB = 0


@pytest.fixture
def here(settings, monkeypatch):
    """Postgres is ours; the disk has what the test says."""
    settings.OWN_DATABASE = True
    settings.STATE.mkdir(parents=True, exist_ok=True)
    return lambda free: monkeypatch.setattr(
        shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free)
    )


def readyz():
    return Client().get("/readyz").json()["disk"]


def metrics():
    page = Client(REMOTE_ADDR="127.0.0.1").get("/metrics").content.decode()
    return [line for line in page.splitlines() if line.startswith("cardroom_state_disk")]


def test_of_a_postgres_elsewhere_the_container_tells_nothing(elsewhere):
    found = health.disk_space()
    assert found.database > 1_000_000
    assert (found.total, found.free, found.used_ratio) == (None, None, None)
    found = figures._disk()
    shown = club._database(found["database"], found["disk_free"], found["disk_used"])
    assert (shown.label, shown.note) == ("Database", "the size of its disk is unknown")


def test_what_nobody_knows_is_no_metric(elsewhere):
    figures.cache.clear()
    assert metrics() == []


def test_the_operator_may_say_how_large_it_is(elsewhere, settings):
    settings.DATABASE_DISK_GB = 4
    found = health.disk_space()
    assert found.free == 4e9 - found.database
    assert found.used_ratio == pytest.approx(found.database / 4e9)


def test_on_one_machine_it_is_that_of_the_state_folder(here):
    here(400_000_000)
    assert health.disk_space().used_ratio == pytest.approx(0.6)
    assert readyz() == "up"
    here(1_000_000)
    assert readyz() == "full"


def test_a_full_disk_elsewhere_is_found_by_writing(elsewhere, monkeypatch):
    monkeypatch.setattr(health, "WRITE", NO_SPACE)  # what Postgres says of a temporary file
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["disk"]) == (503, "full")
    assert answer.json()["database"] == "up"


def test_what_is_written_does_not_fit_into_memory(elsewhere):
    """A temporary file, so that the disk is really asked."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(health.LEAST_MEMORY)
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {health.WRITE}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("ROLLBACK")
    assert "temp read=" in plan
    assert "written=" in plan


def test_it_is_written_once_in_ten_seconds(elsewhere, monkeypatch):
    assert health.disk_status() == "up"
    monkeypatch.setattr(health, "WRITE", NO_SPACE)
    assert health.disk_status() == "up"

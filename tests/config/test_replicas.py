"""Lists from a replica that streams from its primary: what may be old, and what never is."""

import time
from contextlib import contextmanager, suppress

import pytest
from django.core.management import call_command
from django.db import connections, router
from django.test import Client
from django.test.utils import CaptureQueriesContext
from psycopg.errors import ObjectNotInPrerequisiteState

from accounts.models import User
from accounts.social.models import Block
from config.environment import Environment
from config.postgres import replicas, schema
from config.postgres.replicas import Router, read
from config.settings.addresses import database
from tests.config.several import Postgreses
from tests.patience import WAITING, wait_until

pytestmark = [pytest.mark.slow, WAITING]


@pytest.fixture(scope="module")
def postgreses():
    servers = Postgreses()
    servers.connect(servers.ports[0]).execute("CREATE DATABASE cards")
    servers.standby()
    yield servers
    servers.end()


@contextmanager
def this_process_uses(entries, monkeypatch):
    """Django with other databases: as if the process had been started with them.

    They have no pool, which would be found by its alias: threads of earlier tests, which count
    what waits in the pool of the suite's database, have no other alias.
    """
    before = connections["default"]
    for entry in entries.values():
        entry["OPTIONS"].pop("pool")
    known = (replicas.Replica("replica1"),)
    monkeypatch.setattr(replicas, "replicas", lambda: known)
    for alias, entry in connections.configure_settings(entries).items():
        monkeypatch.setitem(connections.settings, alias, entry)
    monkeypatch.setitem(router.__dict__, "routers", [Router()])
    del connections["default"]
    try:
        yield
    finally:
        for alias in entries:
            connections[alias].close()
            del connections[alias]
        connections["default"] = before


@pytest.fixture
def served(postgreses, monkeypatch, django_db_blocker):
    primary, replica = postgreses.ports
    entries = {
        alias: database(Environment(), postgreses.url(port, name="cards"), threads=2, **more)
        for alias, port, more in (
            ("default", primary, {}),
            ("replica1", replica, {"is_primary": False}),
        )
    }
    with (
        django_db_blocker.unblock(),
        this_process_uses(entries, monkeypatch),
    ):
        schema.restore()
        call_command("migrate", verbosity=0)
        Block.objects.all().delete()
        User.objects.filter(is_house=False).delete()
        wait_until(lambda: where(own=True) == "replica1")
        yield postgreses
        with suppress(ObjectNotInPrerequisiteState):  # it is no replica any more
            on(postgreses, "SELECT pg_wal_replay_resume()")


def on(postgreses, sql):
    with postgreses.connect(postgreses.ports[1]) as replica:
        replica.execute(sql)


def where(*, own):
    return read(lambda: replicas.list_connection().alias, own=own)


def somebody(name):
    return User.objects.create(username=name, display_name=name)


def blocks():
    return Block.objects.count()


# issue 60, point 3


def test_a_list_is_read_from_the_replica_and_written_to_the_primary(served):
    ada, ben = somebody("ada"), somebody("ben")
    Block.objects.create(owner=ada, blocked=ben)
    with CaptureQueriesContext(connections["replica1"]) as asked:
        block = read(Block.objects.get, own=True)
    assert any("social_block" in query["sql"] for query in asked)
    assert block._state.db == "replica1"
    block.save()  # where it may be written
    assert (where(own=False), where(own=True)) == ("replica1", "replica1")
    assert replicas.list_connection().alias == "default"  # and nothing else is


def test_who_somebody_is_comes_from_the_primary(served):
    with CaptureQueriesContext(connections["default"]) as asked:
        read(lambda: User.objects.filter(username="ada").first(), own=False)
    assert any("accounts_user" in query["sql"] for query in asked)


def test_nobody_misses_what_they_wrote(served):
    ada, ben = somebody("ada"), somebody("ben")
    wait_until(lambda: where(own=True) == where(own=False) == "replica1", pause=0.1)
    on(served, "SELECT pg_wal_replay_pause()")
    Block.objects.create(owner=ada, blocked=ben)
    begun = time.monotonic()
    assert read(blocks, own=True) == 1  # after a moment, from the primary
    assert time.monotonic() - begun > replicas.PATIENCE / 2
    assert read(blocks, own=False) == 0  # of a stranger it may be old
    on(served, "SELECT pg_wal_replay_resume()")
    wait_until(lambda: where(own=True) == "replica1")
    assert read(blocks, own=True) == 1


def test_a_replica_that_is_behind_is_left_out_and_comes_back(served, monkeypatch):
    monkeypatch.setattr(replicas, "LOOKED_AT_EVERY", 0.05)
    monkeypatch.setattr(replicas, "MOST_BEHIND", 0.5)
    wait_until(lambda: where(own=False) == "replica1")
    on(served, "SELECT pg_wal_replay_pause()")

    def is_left_out():
        somebody(f"person{time.monotonic_ns()}")
        return where(own=False) == "default"

    wait_until(is_left_out, pause=0.1)
    assert replicas.replicas()[0].behind > 0.5
    on(served, "SELECT pg_wal_replay_resume()")
    wait_until(lambda: where(own=False) == "replica1", pause=0.1)


def test_half_a_record_of_an_idle_primary_makes_nobody_late(served):
    """Its log is flushed by pages, and a replica replays whole records."""
    with served.connect(served.ports[0], "cards") as primary, primary.transaction():
        primary.execute(
            "CREATE TABLE half AS SELECT repeat('card ', 20) FROM generate_series(1, 5000)"
        )
        time.sleep(1.0)  # pages that are full are flushed
        assert not replicas.Replica("replica1").has_all()
        wait_until(lambda: where(own=True) == "replica1", 10)


def test_an_idle_primary_makes_nobody_late(served, monkeypatch):
    """Its replica has all there is, however old that is."""
    monkeypatch.setattr(replicas, "LOOKED_AT_EVERY", 0.05)
    monkeypatch.setattr(replicas, "MOST_BEHIND", 0.3)
    wait_until(lambda: where(own=False) == "replica1")
    time.sleep(0.6)
    assert where(own=False) == "replica1"


def test_what_fails_at_a_replica_is_read_from_the_primary(served, monkeypatch):
    monkeypatch.setattr(replicas, "LEFT_OUT_FOR", 0.3)
    asked = []

    def count():
        asked.append(replicas.list_connection().alias)
        if len(asked) == 1:
            with served.connect(served.ports[1]) as other:
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = 'cards' AND pid <> pg_backend_pid()"
                )
        return blocks()

    assert read(count, own=False) == 0
    assert asked == ["replica1", "default"]
    assert where(own=False) == "default"  # for a while
    wait_until(lambda: where(own=False) == "replica1", pause=0.1)


def test_pages_are_served_by_both(served):
    with (
        CaptureQueriesContext(connections["replica1"]) as old,
        CaptureQueriesContext(connections["default"]) as new,
    ):
        for path in ("/leaderboards/pisti", "/lobby", "/api/v1/matches", "/tournaments", "/"):
            assert Client(SERVER_NAME="localhost").get(path).status_code == 200
    print(f"statements: {len(old)} at the replica, {len(new)} at the primary")
    assert len(old) > len(new)


def test_a_replica_that_became_a_primary_is_none_any_more(served):
    """The last scene: nothing follows the primary after it."""
    served.promote(served.ports[1])
    wait_until(lambda: where(own=True) == "default")
    assert where(own=True) == "default"


def test_addresses_of_replicas(tmp_path):
    from tests.config.test_settings import SERVERS, settings_with, shown

    urls = "postgres://u@a,b/x  postgres://u@c/x"
    seen = shown("DATABASES", "DATABASE_ROUTERS", **SERVERS, SECRET_KEY="k" * 50, REPLICA_URL=urls)
    assert [entry["HOST"] for entry in seen["DATABASES"].values()][1:] == ["a,b", "c"]
    assert "target_session_attrs" not in seen["DATABASES"]["replica1"]["OPTIONS"]
    assert seen["DATABASE_ROUTERS"] == ["config.postgres.replicas.Router"]
    wrong = settings_with("DEBUG", **SERVERS, SECRET_KEY="k" * 50, REPLICA_URL="postgres://u@a")
    assert "REPLICA_URL names no database" in wrong.stderr

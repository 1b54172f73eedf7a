"""The cache counts for all processes, and a request never waits for it."""

import importlib.metadata
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from uuid import uuid4

import pytest
import redis
from django.db import OperationalError, connection
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.counting import PREFIX, Counts, ValkeyOrMemory
from config.postgres import connections
from config.postgres.arrays import literal
from config.postgres.connections import plan_for_few_rows
from games.matches.models import Match


@pytest.fixture
def away():
    return ValkeyOrMemory("redis://127.0.0.1:1/0", {})


def test_counts_in_valkey_when_it_is_there(settings):
    first, second = (ValkeyOrMemory(settings.VALKEY_URL, {}) for _ in range(2))
    key = f"count-{os.getpid()}"
    first.set(key, 1, 60)
    first.incr(key)
    assert second.get(key) == 2
    second.delete(key)


def test_counts_in_memory_while_valkey_is_away(away):
    away.set("count", 1, 60)
    away.incr("count")
    assert away.get("count") == 2
    assert away.get_or_set("other", 5) == 5


def test_asks_once_and_then_not_for_a_while(away, monkeypatch):
    asked = []
    monkeypatch.setattr(type(away).__mro__[1], "get", lambda *_: asked.append(1) or 1 / 0)
    monkeypatch.setattr("config.counting.RedisError", ZeroDivisionError)
    for _ in range(100):
        away.get("x")
    assert len(asked) == 1
    away._try_again_at = time.monotonic()
    away.get("x")
    assert len(asked) == 2


class Exploit:
    ran: list[str] = []  # noqa: RUF012

    def __reduce__(self):
        return Exploit.ran.append, ("code from Valkey",)


def test_a_pickle_in_valkey_is_refused(settings):
    cache = ValkeyOrMemory(settings.VALKEY_URL, {})
    key = f"pickle-{os.getpid()}"
    with redis.Redis.from_url(settings.VALKEY_URL) as valkey:
        valkey.set(cache.make_and_validate_key(key), pickle.dumps(Exploit()), ex=60)
    assert cache.get(key, "nothing") == "nothing"
    assert cache.get_many([key]) == {}
    assert Exploit.ran == []
    cache.delete(key)


def test_plain_values_come_back(settings):
    cache = ValkeyOrMemory(settings.VALKEY_URL, {})
    key = f"value-{os.getpid()}"
    for value in (True, 7, 1.5, "text", [1.5, 2.5], {"a": None}):
        cache.set(key, value, 60)
        assert cache.get(key) == value
    cache.delete(key)


def test_tests_of_another_process_do_not_empty_it():
    """The workers of a test run clear it before the scenes that count requests."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    assert os.environ.get("VALKEY_DATABASE_OF", worker) == worker


def test_a_connection_reads_no_version_from_the_disk(monkeypatch):
    """The driver would do so for each: eight of a worker that starts were a sixth of its time."""
    redis.ConnectionPool().make_connection()
    monkeypatch.setattr(importlib.metadata, "version", lambda _: pytest.fail("It is read again."))
    redis.ConnectionPool().make_connection()


# Counts in memory, and how several processes tell each other.


@pytest.fixture
def counts():
    found = Counts("", {})
    found.clear()
    yield found
    found.clear()


@pytest.fixture
def valkey(settings):
    return redis.Redis.from_url(settings.VALKEY_URL)


def test_it_counts_until_its_time_is_up(counts):
    with pytest.raises(ValueError, match="a"):
        counts.incr("a")
    assert counts.add("a", 1, 60)
    assert not counts.add("a", 1, 60)
    assert [counts.incr("a"), counts.get("a"), counts.get("b", 7)] == [2, 2, 7]
    counts.add("b", 1, -1)
    assert counts.get("b") is None


def test_a_full_table_forgets_what_has_ended_first(counts, monkeypatch):
    monkeypatch.setattr(Counts, "most", 2)
    counts.add("old", 1, 0)
    counts.add("a", 5, 60)
    counts.add("b", 1, 60)
    assert [counts.get(name) for name in ("old", "a", "b")] == [None, 5, 1]


def test_what_others_counted_is_counted_here_soon(counts, valkey):
    key = f"moves {uuid4()}"
    counts.add(key, 3, 60)
    Counts.exchange(valkey)
    valkey.incrby(PREFIX + key, 4)  # another process
    assert counts.incr(key) == 4
    Counts.exchange(valkey)
    assert counts.get(key) == 8
    assert int(valkey.get(PREFIX + key)) == 8
    assert 0 < valkey.ttl(PREFIX + key) <= 61


def test_without_valkey_each_counts_for_itself(counts):
    counts.add("a", 1, 60)
    with pytest.raises(redis.ConnectionError):
        Counts.exchange(redis.Redis(port=1, retry=Retry(NoBackoff(), 0)))
    assert counts.incr("a") == 2


class Meanwhile:
    """Valkey, of which another thread of this process makes use a moment earlier."""

    def __init__(self, valkey):
        self._valkey = valkey

    def pipeline(self, **more):
        Counts.exchange(self._valkey)
        return self._valkey.pipeline(**more)


def test_what_is_on_its_way_is_not_sent_twice(counts, valkey):
    key = f"moves {uuid4()}"
    counts.add(key, 3, 60)
    Counts.exchange(Meanwhile(valkey))
    assert (counts.get(key), int(valkey.get(PREFIX + key))) == (3, 3)
    counts.incr(key)
    Counts.exchange(valkey)
    assert (counts.get(key), int(valkey.get(PREFIX + key))) == (4, 4)


# A connection that is lost before its first statement is not kept: its thread would be useless.

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


# Values in the statement itself: a prepared plan may use an index with a condition on them.


@pytest.mark.parametrize("text", ["", "open'", "a b", "OPEN", "1"])
def test_they_are_names_of_ours(text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        literal(text)


def test_a_plan_without_parameters_uses_the_index(db):
    matches = Match.objects.filter(status=literal("open")).order_by("-id")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "match_open" in matches.explain()

"""Counts in memory, and how several processes tell each other."""

from contextlib import contextmanager
from uuid import uuid4

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.counting.counts import PREFIX, Counts
from tests.patience import wait_until


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


@pytest.fixture
def impatient(settings):
    """A client that is connected, and waits for an answer for a moment only."""
    client = redis.Redis.from_url(settings.VALKEY_URL, retry=Retry(NoBackoff(), 0))
    connection = client.connection_pool.get_connection()
    connection._sock.settimeout(0.05)
    client.connection_pool.release(connection)
    return client


@contextmanager
def busy(valkey):
    """Valkey has something to do for a while, and reads nothing meanwhile."""
    connection = valkey.connection_pool.get_connection()
    connection.send_command("EVAL", "for i = 1, 30000000 do end", 0)
    yield
    connection.read_response()
    valkey.connection_pool.release(connection)


def test_what_was_only_slow_is_not_counted_twice(counts, valkey, impatient):
    key = f"moves {uuid4()}"
    counts.add(key, 3, 60)
    with busy(valkey), pytest.raises(redis.TimeoutError):
        Counts.exchange(impatient)
    wait_until(lambda: valkey.get(PREFIX + key))
    Counts.exchange(valkey)
    assert (counts.get(key), int(valkey.get(PREFIX + key))) == (3, 3)
    counts.incr(key)
    Counts.exchange(valkey)
    assert (counts.get(key), int(valkey.get(PREFIX + key))) == (4, 4)

"""Counts in memory, and how several processes tell each other."""

from uuid import uuid4

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.counting import PREFIX, Counts


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

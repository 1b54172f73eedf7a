"""The cache counts for all processes, and a request never waits for it."""

import importlib.metadata
import os
import pickle
import time

import pytest
import redis

from config.counting import ValkeyOrMemory


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

"""Addresses of several servers: a Postgres that another one follows, Valkeys with Sentinels."""

import asyncio
import socket
import time
from contextlib import suppress
from uuid import uuid4

import pytest
import redis
from django.db import OperationalError, connections
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.celery import RetryingConnection
from config.counting import ValkeyOrMemory
from config.environment import Environment
from config.host import reaching
from config.settings.addresses import check_database_url, check_valkey_url, database, redis_url
from config.valkey import broker_options, broker_url, listening_client, valkey_client
from tests.config.several import HERE, Postgreses, Valkeys
from tests.patience import PATIENCE, WAITING, on_a_busy_machine, wait_until
from tests.served import free_port

pytestmark = [pytest.mark.slow, WAITING]
QUICKLY = {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)}


@pytest.fixture
def postgreses():
    servers = Postgreses()
    yield servers
    servers.end()


@pytest.fixture
def valkeys():
    servers = Valkeys()
    yield servers
    servers.end()


@pytest.fixture
def through(django_db_blocker, monkeypatch):
    """Django's connection, with its pool, to an address."""

    def connection(url):
        check_database_url(url)
        entries = {"default": {}, "several": database(Environment(), url, threads=2)}
        entry = connections.configure_settings(entries)["several"]
        monkeypatch.setitem(connections.settings, "several", entry)
        return connections["several"]

    with django_db_blocker.unblock():
        yield connection
        connections["several"].close()
        connections["several"].close_pool()
        del connections["several"]


def asked(connection, sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


def tried(connection, sql):
    """As a request does: a lost connection is given up, and the next one asks again."""
    try:
        return asked(connection, sql)
    except OperationalError:
        connection.close()


# issue 60, point 1


def test_of_several_postgres_the_one_that_writes_is_used(postgreses, through):
    first, second = postgreses.ports[0], postgreses.standby()
    connection = through(postgreses.url(free_port(), second, first))
    assert asked(connection, "SHOW port") == str(first)
    postgreses.kill(first)
    postgreses.promote(second)
    begun = time.monotonic()
    wait_until(lambda: tried(connection, "SELECT pg_is_in_recovery()") is False, 60)
    assert time.monotonic() - begun < on_a_busy_machine(5)
    assert asked(connection, "SHOW port") == str(second)


def test_a_first_server_that_is_silent_costs_one_connection_its_time(postgreses, through):
    with socket.create_server((HERE, 0)) as silent:
        connection = through(postgreses.url(silent.getsockname()[1], postgreses.ports[0]))
        took = []
        for _ in range(2):
            begun = time.monotonic()
            assert asked(connection, "SHOW port") == str(postgreses.ports[0])
            took.append(time.monotonic() - begun)
            connection.close()
            connection.close_pool()
    assert took[0] > 1.9
    assert took[1] < min(1.9, on_a_busy_machine(0.5))


def test_a_standby_alone_is_told_as_one(postgreses, through, settings, monkeypatch):
    url = postgreses.url(postgreses.standby(), free_port())
    connection = through(url)
    monkeypatch.setitem(settings.DATABASES, "default", connection.settings_dict)
    monkeypatch.setattr(reaching, "connection", connection)
    found = reaching.postgres_fault()
    assert "takes no writes: it is a standby" in found.sentence
    assert not found.lasts


def pinged(client):
    with suppress(redis.RedisError):
        return client.set("asked", "yes")


def test_the_server_that_sentinels_name_is_used_by_every_client(valkeys, settings):
    check_valkey_url(valkeys.url)
    url = settings.VALKEY_URL = redis_url(valkeys.url)
    assert reaching.valkey_fault() is None
    client, cache = valkey_client(url, **QUICKLY), ValkeyOrMemory(url, {})
    options = broker_options(url, {"socket_timeout": 1, "socket_connect_timeout": 1})
    queue = f"queue {uuid4()}"

    def delivers(text):
        with RetryingConnection(broker_url(url), transport_options=options) as broker:
            simple = broker.SimpleQueue(queue)
            simple.put(text)
            message = simple.get(timeout=PATIENCE)
            message.ack()
            return message.payload

    def lives():
        cache._try_again_at = 0.0
        assert pinged(client)
        cache.set("kept", 7)
        assert cache._cache.get(cache.make_key("kept"), None) == 7  # not in memory
        assert delivers("a turn is due") == "a turn is due"
        assert asyncio.run(heard(url)) == b"news"
        return True

    assert lives()
    before = valkeys.primary()
    assert valkeys.server(before).client().select(3)
    valkeys.kill(before)
    wait_until(lambda: valkeys.primary() not in (None, before), 60)
    wait_until(lambda: pinged(client), 30)
    assert lives()


async def heard(url):
    """One message through a client that listens, and is told by another."""
    async with (
        listening_client(url, socket_connect_timeout=1) as listener,
        listener.pubsub() as channel,
    ):
        await channel.subscribe("news")
        await channel.get_message(timeout=PATIENCE)
        await listener.publish("news", b"news")
        return (await channel.get_message(timeout=PATIENCE))["data"]


@pytest.mark.parametrize(
    ("wrong", "says", "lasts"),
    [
        (("/cards/", "/pokers/"), "No Sentinel knows the server of 'pokers' (Sentinels at", False),
        ((Valkeys.password, "wrong"), "refuses the password. Set it in VALKEY_URL", True),
    ],
)
def test_what_is_wrong_with_sentinels(valkeys, settings, wrong, says, lasts):
    settings.VALKEY_URL = redis_url(valkeys.url.replace(*wrong))
    found = reaching.valkey_fault()
    assert says in found.sentence
    assert found.lasts is lasts
    assert Valkeys.password not in found.sentence


def test_sentinels_that_do_not_answer(settings):
    settings.VALKEY_URL = f"redis+sentinel://{HERE}:1,{HERE}:2/cards"
    assert f"Sentinels at {HERE}:1, {HERE}:2" in reaching.valkey_fault().sentence

"""Celery is set so that nothing is lost with a worker, a broker or a message."""

from threading import Thread
from types import SimpleNamespace

import msgspec
import pytest
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import heartbeat_sent
from celery.worker.heartbeat import Heart
from kombu.exceptions import OperationalError

from config.celery import app
from config.monitoring import health
from config.processes.worker import Beat, DueTurns
from config.settings.addresses import broker_url, redis_url


@pytest.mark.parametrize(
    ("named", "spelled"),
    [
        ("valkey://v.example:6379/1", "redis://v.example:6379/1"),
        ("redis://v.example:6379/1", "redis://v.example:6379/1"),
        ("unix:///run/v.sock", "redis+socket:///run/v.sock?virtual_host=0"),
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
    ],
)
def test_broker_address(named, spelled):
    assert broker_url(redis_url(named)) == spelled


def test_a_lost_worker_gives_its_task_back():
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_a_publish_never_tries_for_long():
    assert app.conf.task_publish_retry is False
    assert app.conf.broker_transport_options["socket_connect_timeout"] <= 1


def test_a_worker_asks_for_a_lost_broker_four_times_a_second(monkeypatch):
    slept, errors = [], []
    monkeypatch.setattr("kombu.utils.functional.sleep", slept.append)
    lost = app.connection_for_read("redis+socket:///nowhere/valkey.sock")
    with pytest.raises(OperationalError):
        lost.ensure_connection(lambda error, interval: errors.append(interval), 20)
    assert errors == [0.25] * 20
    assert max(slept) <= 0.25


def test_a_worker_that_reaches_its_broker_announces_all_that_is_owed():
    with app.connection_for_write() as connection:
        DueTurns(None).start(SimpleNamespace(app=app, connection=connection))
        newest = msgspec.json.decode(connection.default_channel.client.lpop("interactive"))
    app.loader.import_default_modules()
    assert newest["headers"]["task"] == "games.matches.tasks.resend_all"
    assert newest["headers"]["task"] in app.tasks


def test_a_broker_that_is_lost_again_stops_no_worker():
    with app.connection_for_write("redis+socket:///nowhere/valkey.sock") as lost:
        DueTurns(None).start(SimpleNamespace(app=app, connection=lost))


def test_a_task_leaves_the_pool_of_connections_alone(monkeypatch):
    """A new pool for each task made a bot's move cost eight human ones."""
    fixup, closed = DjangoWorkerFixup(app), []
    monkeypatch.setattr(fixup, "_close_database", lambda: closed.append("pool"))
    sender = SimpleNamespace(request=SimpleNamespace(is_eager=False))
    for _ in range(1000):
        fixup.on_task_prerun(sender)
    assert not closed


def test_the_beat_is_no_process_that_could_be_killed_alone():
    beat = Beat(None).create(SimpleNamespace(app=app))
    assert isinstance(beat, Thread)
    assert beat.daemon


def test_no_task_leans_on_a_limit_by_a_signal():
    """Workers of one process each have none."""
    assert app.conf.task_soft_time_limit is None


def test_celery_knows_no_app():
    app.loader.import_default_modules()
    assert not app.conf.beat_schedule
    assert not app.conf.task_routes
    assert "duty" in app.tasks


@pytest.mark.parametrize("kind", ["interactive", "batch"])
def test_each_kind_of_worker_has_heartbeats_of_its_own(kind):
    """A batch worker alone plays no quick turns, and /readyz must say so."""
    other = {"interactive": "batch", "batch": "interactive"}[kind]
    health.valkey().flushdb()
    eventer = SimpleNamespace(hostname=f"{kind}@machine", on_enabled=set(), on_disabled=set())
    heart = Heart(None, eventer, 2)
    heartbeat_sent.send(sender=heart)
    assert (health.workers(kind), health.workers(other)) == (1, 0)

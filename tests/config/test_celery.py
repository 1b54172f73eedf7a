"""Celery is set so that nothing is lost with a worker, a broker or a message."""

import logging
import threading
import time
from contextlib import suppress
from threading import Thread
from types import SimpleNamespace
from unittest.mock import Mock
from uuid import uuid4

import msgspec
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from celery.fixups.django import DjangoWorkerFixup
from celery.signals import heartbeat_sent
from django.conf import settings
from kombu import Connection
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as NoAnswer

from config.celery import QoS, RetryingConnection, app
from config.monitoring import health
from config.processes import worker
from config.processes.worker import Beat, DueTurns
from config.settings.addresses import redis_url
from config.telemetry.pulse import Pulse
from config.valkey import broker_url
from tests.patience import PATIENCE, wait_until


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
    consumer = type("Consumer", (), {"hostname": f"{kind}@machine"})
    heartbeat_sent.send(sender=consumer)
    assert (health.workers(kind), health.workers(other)) == (1, 0)


# A worker takes one task at a time, in its main thread; each ends by its limits all the same.


@pytest.fixture
def limits(monkeypatch):
    """Of this process, whose pulse is its own."""
    monkeypatch.setattr(worker, "limits", own := worker.Limits())
    monkeypatch.setattr(worker, "pulse", pulse := Pulse())
    before = worker.signal.signal(worker.INTERRUPTS, own.exceeded)
    yield own, pulse
    worker.signal.signal(worker.INTERRUPTS, before)


def task(soft=None, hard=None, asked=None):
    request = SimpleNamespace(timelimit=asked, is_eager=False)
    return SimpleNamespace(soft_time_limit=soft, time_limit=hard, request=request)


def test_a_task_is_interrupted_once_at_its_soft_limit(limits):
    own, _ = limits
    own.begin(task(soft=0.05, hard=60))
    stop = threading.Event()

    def looks():
        while not stop.wait(0.01):
            own.interrupt()

    thread = threading.Thread(target=looks)
    thread.start()
    try:
        with pytest.raises(SoftTimeLimitExceeded):
            time.sleep(60)
        time.sleep(0.05)  # it may tidy up
    finally:
        stop.set()
        thread.join()
    own.end()


def test_a_task_without_limits_has_those_of_the_settings_and_a_message_may_name_others(limits):
    own, pulse = limits
    for one, seconds in (
        (task(), app.conf.task_time_limit),
        (task(soft=1, hard=7), 7),
        (task(soft=1, hard=7, asked=(3, 2)), 3),
    ):
        own.begin(one)
        (beaten,) = pulse._beats.values()
        assert beaten - time.monotonic() == pytest.approx(seconds, abs=1)
        own.end()
    own.interrupt()  # nothing goes on


def test_heartbeats_go_on_while_a_task_holds_the_worker_and_it_is_connected(limits, monkeypatch):
    own, _ = limits
    monkeypatch.setattr(worker, "EVERY", 0.01)
    monkeypatch.setattr(worker, "SECONDS_BETWEEN_LOOKS_AT_A_TASK", 0.01)
    beats = []
    heartbeat_sent.connect(beat := lambda sender, **_: beats.append(sender))
    consumer = Mock(hostname="batch@machine")
    step = worker.SignsOfLife(consumer)
    step.create(consumer)
    step.start(consumer)
    assert beats == [consumer]
    own.begin(task(soft=60, hard=60))
    wait_until(lambda: len(beats) > 2)
    step.stop(consumer)
    time.sleep(0.1)
    sent = len(beats)
    time.sleep(0.1)
    assert len(beats) == sent  # nobody hears of a worker without a connection
    own.end()
    heartbeat_sent.disconnect(beat)


def test_a_worker_is_silent_after_the_hard_limit_and_rests_between_tasks(limits, monkeypatch):
    own, pulse = limits
    own.begin(task(soft=1, hard=2))
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 10)
    assert pulse._silence() > 7
    assert own.rests_for() == 0
    own.end()
    monkeypatch.setattr(time, "monotonic", lambda: now + 80)
    assert own.rests_for() == pytest.approx(70)


def test_who_sends_long_work_asks_for_its_worker_once_a_second(monkeypatch):
    rung = []
    monkeypatch.setattr(worker.bell, "ring", rung.append)
    monkeypatch.setattr(worker, "_rung_at", {})
    for queue in ("interactive", "alone", "batch", "slow"):
        worker.ring(routing_key=queue)
    assert rung == ["batch"]
    worker.ring(routing_key="outward")
    assert rung == ["batch", "outward"]


# A message is acknowledged after the broker was lost: that ends no worker.


def acknowledge_after_the_loss(connection):
    channel = connection.channel()
    connection.release()
    with channel.conn_or_acquire() as client:
        client.ping()


def test_a_closed_connection_is_a_lost_one():
    connection = RetryingConnection(broker_url(settings.VALKEY_URL))
    with pytest.raises(connection.connection_errors, match="closed"):
        acknowledge_after_the_loss(connection)


def test_kombu_still_needs_our_channel():
    """When this fails, ``config.celery.Channel`` can go."""
    with pytest.raises(AttributeError):
        acknowledge_after_the_loss(Connection(broker_url(settings.VALKEY_URL)))


@pytest.fixture
def delivered():
    """A message that a worker holds, at a broker that begins to refuse writing."""
    index = f"refused {uuid4()}"
    with RetryingConnection(broker_url(settings.VALKEY_URL)) as connection:
        connection.transport_options = {"unacked_index_key": index}
        queue = connection.SimpleQueue(f"queue {uuid4()}")
        queue.put("a turn is due")
        message = queue.get(timeout=PATIENCE)
        client = message.channel.client
        client.set(index, "no index any more")
        yield message
        client.delete(index)
        message.ack()
        queue.queue.delete()


def test_a_broker_that_refuses_to_write_is_a_lost_one(delivered):
    """Not raised, the worker would hold the message and take fewer others."""
    with pytest.raises(BrokenPipeError, match="refuses"):
        delivered.ack_log_error(logging.getLogger(__name__), delivered.channel.connection_errors)
    assert issubclass(ResponseError, delivered.channel.connection_errors)


LOG = logging.getLogger(__name__)
FAILURES = [ConnectionLost("reset"), NoAnswer("read timed out"), ResponseError("MISCONF no disk")]


def acknowledge(message):
    with suppress(BrokenPipeError):  # the worker connects again
        message.ack_log_error(LOG, message.channel.connection_errors)


def reject(message):
    message.reject_log_error(LOG, message.channel.connection_errors)


@pytest.fixture
def held():
    """A message that a worker holds, which takes one at a time as ours do."""
    with RetryingConnection(broker_url(settings.VALKEY_URL)) as connection:
        queue = connection.SimpleQueue(f"queue {uuid4()}")
        queue.put("a turn is due")
        message = queue.get(timeout=PATIENCE)
        message.channel.basic_qos(prefetch_count=1)
        yield message
        queue.queue.delete()


@pytest.mark.parametrize("end", [acknowledge, reject])
@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_a_message_that_cannot_be_ended_does_not_stop_the_worker(held, monkeypatch, failure, end):
    """After a broker that stood still for 20 s the only worker of quick turns took none any more:
    connected, with a heartbeat, and with its one place held by a message that it had worked on.
    """

    def fails(*_):
        raise failure

    assert not held.channel.qos.can_consume()
    with monkeypatch.context() as broken:
        broken.setattr(QoS, "_remove_from_indices", fails)
        end(held)
    assert held.channel.qos.can_consume()
    held.channel.qos.ack(held.delivery_tag)  # so that it is not delivered again


def test_a_broker_that_does_not_answer_is_a_lost_one(held, monkeypatch):
    def waits(*_):
        raise NoAnswer

    monkeypatch.setattr(QoS, "_remove_from_indices", waits)
    with pytest.raises(BrokenPipeError, match="does not answer"):
        held.ack_log_error(LOG, held.channel.connection_errors)
    monkeypatch.undo()
    held.channel.qos.ack(held.delivery_tag)

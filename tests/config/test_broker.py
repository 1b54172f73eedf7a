"""A message is acknowledged after the broker was lost: that ends no worker."""

import logging
from contextlib import suppress
from uuid import uuid4

import pytest
from django.conf import settings
from kombu import Connection
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as NoAnswer

from config.celery import QoS, RetryingConnection
from config.settings.addresses import broker_url
from tests.patience import PATIENCE


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

"""A message is acknowledged after the broker was lost: that ends no worker."""

import logging
from uuid import uuid4

import pytest
from django.conf import settings
from kombu import Connection
from redis.exceptions import ResponseError

from config.celery import RetryingConnection
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

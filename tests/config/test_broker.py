"""A message is acknowledged after the broker was lost: that ends no worker."""

import pytest
from django.conf import settings
from kombu import Connection

from config.broker import RetryingConnection
from config.valkey import broker_url


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
    """When this fails, ``config.broker.Channel`` can go."""
    with pytest.raises(AttributeError):
        acknowledge_after_the_loss(Connection(broker_url(settings.VALKEY_URL)))

"""How Celery's processes reach the broker, and what they do when it is lost."""

from typing import Any, Self

from celery.app.amqp import AMQP
from kombu import Connection
from kombu.transport import redis as over_redis
from redis.exceptions import ConnectionError as ConnectionLost


class Channel(over_redis.Channel):
    """A message that is acknowledged after its connection was closed is a lost connection.

    kombu looks for the address of the closed one and fails with an AttributeError, which ends the
    worker. The message is delivered again after the visibility timeout, or by the recovery task.
    """

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionLost("The connection to the broker is closed.")
        return super()._connparams(*args, **kwargs)  # type: ignore[misc]


class Transport(over_redis.Transport):
    Channel = Channel


class RetryingConnection(Connection):
    """Tries to reach a lost broker every second; kombu would wait longer each time."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        kwargs |= {"interval_start": 1, "interval_step": 0, "interval_max": 1}
        return super().ensure_connection(*args, **kwargs)

    def get_transport_cls(self) -> Any:
        found = super().get_transport_cls()
        return Transport if found is over_redis.Transport else found


class RetryingAMQP(AMQP):
    Connection = RetryingConnection

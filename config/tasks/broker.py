"""How Celery's processes reach the broker, and how they go on when it is lost."""

from typing import Any, Final, Self

from celery.app.amqp import AMQP
from kombu import Connection
from kombu.transport import redis as over_redis
from kombu.transport import virtual
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as NoAnswer

from config.telemetry.pulse import pulse

SECONDS_BETWEEN_TRIES: Final = 0.25


class QoS(over_redis.QoS):
    """A message that could not be acknowledged keeps no place among those that a worker may hold.

    Celery writes a line and goes on. A worker holds one message at a time: it would wait for ever
    for this one to go, connected and with a heartbeat. It was worked on; the broker delivers it
    again after the visibility timeout.
    """

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002
        try:
            super().reject(delivery_tag, requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Channel(over_redis.Channel):
    """A message that is acknowledged after its connection was closed is a lost connection.

    kombu looks for the address of the closed one and fails with an AttributeError, which ends the
    worker. The message is delivered again after the visibility timeout, or by the recovery task.

    So is a broker that refuses to write because its disk is full, or that does not answer: the
    worker connects again, and announces then what was lost meanwhile.
    """

    QoS = QoS

    def basic_ack(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().basic_ack(*args, **kwargs)
        except (ResponseError, NoAnswer) as error:
            raise BrokenPipeError("The broker refuses to write, or does not answer.") from error

    def _connparams(self, *args: Any, **kwargs: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise ConnectionLost("The connection to the broker is closed.")
        return super()._connparams(*args, **kwargs)  # type: ignore[misc]


class Transport(over_redis.Transport):
    """A broker that refuses is lost for the moment; kombu would end the worker."""

    Channel = Channel
    connection_errors = (*over_redis.Transport.connection_errors, ResponseError)


class RetryingConnection(Connection):
    """Tries to reach a lost broker again and again; kombu would wait longer each time."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        seconds = SECONDS_BETWEEN_TRIES
        kwargs |= {"interval_start": seconds, "interval_step": 0, "interval_max": seconds}
        return super().ensure_connection(*args, **kwargs)

    def _establish_connection(self) -> Any:
        pulse.waits()  # each try takes a moment, and there may be many
        return super()._establish_connection()

    def get_transport_cls(self) -> Any:
        transport = super().get_transport_cls()
        return Transport if transport is over_redis.Transport else transport


class RetryingAMQP(AMQP):
    Connection = RetryingConnection

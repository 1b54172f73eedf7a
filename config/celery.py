"""Celery, configured so that a lost worker, broker or message costs time but never a move."""

import os
import sys
from typing import Any, Final, Self

from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import heartbeat_sent, setup_logging, task_postrun, task_prerun
from django.conf import settings
from django.db import close_old_connections
from kombu import Connection
from kombu.transport import redis as over_redis
from kombu.transport import virtual
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as NoAnswer

from config.tasks import after_commit
from config.tasks.queues import INTERACTIVE, TASK
from config.telemetry.pulse import pulse
from config.valkey import broker_options, broker_tls, broker_url

# How Celery's processes reach the broker, and how they go on when it is lost.

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
    brpop_timeout = 5  # seconds of one wait for messages, which ends when one comes


class SentinelChannel(Channel, over_redis.SentinelChannel):
    """The same at the server that Sentinels name."""


class SentinelTransport(Transport, over_redis.SentinelTransport):
    Channel = SentinelChannel


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
        ours: dict[Any, Any] = {
            over_redis.Transport: Transport,
            over_redis.SentinelTransport: SentinelTransport,
        }
        return ours.get(transport, transport)


class RetryingAMQP(AMQP):
    Connection = RetryingConnection


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


app = Celery("cardroom", amqp=RetryingAMQP)
app.conf.update(
    broker_url=broker_url(settings.VALKEY_URL),
    broker_use_ssl=broker_tls(settings.VALKEY_URL) or False,
    broker_connection_timeout=1,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        **broker_options(settings.VALKEY_URL, {"socket_timeout": 2, "socket_connect_timeout": 1}),
        "visibility_timeout": 60,
        "queue_order_strategy": "priority",  # as a worker names its queues
        "health_check_interval": 10,  # a connection that is silent for longer is opened again
        "max_retries": 1,  # of a publish; the beat sends again
        "interval_start": 0,
        "interval_max": 0.2,
    },
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_publish_retry=False,
    task_time_limit=120,  # a last resort: work is in pieces, and nothing leans on a limit
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    CELERY_DB_REUSE_MAX=sys.maxsize,  # or Celery drops the whole pool around every task
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    worker_timer_precision=10,  # seconds that it sleeps at most; other timers are its own
    worker_enable_remote_control=False,  # nobody asks, and it wakes for nothing
    task_default_queue=INTERACTIVE,
    include=["config.tasks.duties"],
    timezone="UTC",
)
app.autodiscover_tasks()  # the modules `tasks` of installed apps; all else is a duty
app.set_default()


@task_prerun.connect
@task_postrun.connect
def _give_back_the_connection(task: Any, **_: Any) -> None:
    """To the pool, as after a request; the pool discards broken connections."""
    if not task.request.is_eager:
        close_old_connections()


@task_postrun.connect
def _wake_the_beat(task: Any, **_: Any) -> None:
    """A duty does so itself, if it had something to do."""
    if not task.request.is_eager and task.name != TASK:
        after_commit.something_happens()


@setup_logging.connect
def _use_our_logging(**_: Any) -> None:
    """Django has configured logging; Celery's own handler would repeat every line."""


@heartbeat_sent.connect
def tell_readyz(sender: Any, **_: Any) -> None:
    """Called every two seconds in a worker that is connected to the broker."""
    from config.monitoring.health import worker_is_alive

    worker_is_alive(kind_of(sender.hostname))


def kind_of(hostname: str) -> str:
    """A worker is called ``interactive@machine``."""
    return hostname.partition("@")[0]

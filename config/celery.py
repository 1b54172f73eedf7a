"""Celery, configured so that a lost worker, broker or message costs time but never a move."""

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import heartbeat_sent, setup_logging, task_postrun, task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.db import close_old_connections

from config.monitoring import alive, exporter  # noqa: F401  # by their signals
from config.settings.valkey import broker_url
from config.tasks import after_commit
from config.tasks.broker import RetryingAMQP
from config.tasks.queues import INTERACTIVE, TASK
from config.telemetry import tasks  # noqa: F401  # by their signals

app = Celery("cardroom", amqp=RetryingAMQP)
app.conf.update(
    broker_url=broker_url(settings.VALKEY_URL),
    broker_connection_timeout=1,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": 60,
        "queue_order_strategy": "priority",  # as a worker names its queues
        "socket_timeout": 2,
        "socket_connect_timeout": 1,
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

    worker_is_alive(kind_of(sender.eventer.hostname))


def kind_of(hostname: str) -> str:
    """A worker is called ``interactive@machine``."""
    return hostname.partition("@")[0]

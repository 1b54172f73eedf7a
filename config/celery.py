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
from config.tasks.broker import RetryingAMQP
from config.tasks.queues import BATCH, INTERACTIVE, OUTWARD
from config.telemetry import tasks  # noqa: F401  # by their signals

RECOVERY_SECONDS = 2.0
# Apps with a module `tasks`.
SUBJECTS = [
    "accounts.notifications",
    "games.causes",
    "games.competitions",
    "games.daily",
    "games.leagues",
    "games.exercises",
    "games.exports",
    "games.coaching",
    "games.idle",
    "games.lobby",
    "games.bot_accounts",
    "games.matches",
    "games.mirrored",
    "games.operations",
    "games.people",
    "games.phrases",
    "games.ratings",
    "games.simulations",
]


def _recovering(task: str) -> dict[str, Any]:
    """The entry of a task that pays what is owed, whatever process was lost."""
    return {
        "task": task,
        "schedule": RECOVERY_SECONDS,
        "options": {"expires": 3 * RECOVERY_SECONDS},
    }


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
        "max_retries": 1,  # of a publish; the recovery task sends again
        "interval_start": 0,
        "interval_max": 0.2,
    },
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_publish_retry=False,
    task_soft_time_limit=30,
    task_time_limit=45,
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    CELERY_DB_REUSE_MAX=sys.maxsize,  # or Celery drops the whole pool around every task
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    beat_scheduler="config.processes.beat:Scheduler",  # in memory: a kill leaves no broken file
    beat_schedule={
        # A message that no worker took in time is dropped: the next one follows.
        "matches": _recovering("games.matches.tasks.resend_overdue"),
        "seeks": _recovering("games.lobby.tasks.pair"),
        "tournaments": _recovering("games.competitions.tasks.pay"),
        "mirrored matches": _recovering("games.mirrored.tasks.go_on"),
        "challenges that nobody answered": _recovering("games.lobby.tasks.expire_challenges"),
        "bot accounts that are silent": {
            "task": "games.bot_accounts.tasks.replace_silent",
            "schedule": 15.0,
            "options": {"expires": 30},
        },
        "deliveries": _recovering("accounts.notifications.tasks.deliver"),
        "deliveries of long ago": {
            "task": "accounts.notifications.tasks.forget",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
        "causes": _recovering("games.causes.tasks.derive"),
        "seeks that are over": {
            "task": "games.lobby.tasks.forget",
            "schedule": 60.0,
            "options": {"expires": 50},
        },
        "people who keep others waiting": {
            "task": "games.idle.tasks.nudge",
            "schedule": 300.0,
            "options": {"expires": 280},
        },
        "deals of the day": {
            "task": "games.daily.tasks.turn_days",
            "schedule": 5 * RECOVERY_SECONDS,
            "options": {"expires": 10 * RECOVERY_SECONDS},
        },
        "deals of the day played by computers": {
            "task": "games.daily.tasks.let_computers_play",
            "schedule": 30.0,
            "options": {"expires": 30},
        },
        "weeks of leagues": {
            "task": "games.leagues.tasks.turn_weeks",
            "schedule": 5 * RECOVERY_SECONDS,
            "options": {"expires": 10 * RECOVERY_SECONDS},
        },
        "results": _recovering("games.people.tasks.count_finished"),
        "ratings of people": _recovering("games.ratings.tasks.rate_finished"),
        "ratings of matches without an end": {
            "task": "games.matches.tasks.end_unfit_ratings",
            "schedule": 10 * RECOVERY_SECONDS,
            "options": {"expires": 10 * RECOVERY_SECONDS},
        },
        "phrases that are over": {
            "task": "games.phrases.tasks.forget",
            "schedule": 600.0,
            "options": {"expires": 600},
        },
        "simulations": {
            "task": "games.simulations.tasks.resend_quiet",
            "schedule": 5 * RECOVERY_SECONDS,
            "options": {"expires": 15 * RECOVERY_SECONDS},
        },
        "nights": {  # games.operations.nights.missed knows the hours
            "task": "games.operations.tasks.make_up_nights",
            "schedule": 60.0,
            "options": {"expires": 50},
        },
        "ratings found": {
            "task": "games.ratings.tasks.finish_all",
            "schedule": 300.0,
            "options": {"expires": 300},
        },
        "operations": {
            "task": "games.operations.tasks.look_after",
            "schedule": 60.0,
            "options": {"expires": 50},
        },
        "exports": {
            "task": "games.exports.tasks.look_after",
            "schedule": 60.0,
            "options": {"expires": 50},
        },
        "analyses": {
            "task": "games.coaching.tasks.look_after",
            "schedule": 5 * RECOVERY_SECONDS,
            "options": {"expires": 15 * RECOVERY_SECONDS},
        },
        "exercises": {
            "task": "games.exercises.tasks.look_after",
            "schedule": 30.0,
            "options": {"expires": 30},
        },
        "bulk runs": {
            "task": "games.operations.tasks.resume",
            "schedule": 10 * RECOVERY_SECONDS,
            "options": {"expires": 10 * RECOVERY_SECONDS},
        },
    },
    task_default_queue=INTERACTIVE,
    task_routes={
        "accounts.notifications.tasks.*": {"queue": OUTWARD},
        "games.causes.tasks.*": {"queue": BATCH},
        "games.competitions.tasks.*": {"queue": BATCH},
        "games.mirrored.tasks.*": {"queue": BATCH},
        "games.simulations.tasks.*": {"queue": BATCH},
        "games.exports.tasks.*": {"queue": BATCH},
        "games.coaching.tasks.*": {"queue": BATCH},
        "games.operations.tasks.*": {"queue": BATCH},
        "games.daily.tasks.*": {"queue": BATCH},
        "games.leagues.tasks.*": {"queue": BATCH},
        "games.exercises.tasks.*": {"queue": BATCH},
        "games.people.tasks.*": {"queue": BATCH},
        "games.ratings.tasks.*": {"queue": BATCH},
    },
    timezone="UTC",
)
app.autodiscover_tasks(SUBJECTS)
app.set_default()


@task_prerun.connect
@task_postrun.connect
def _give_back_the_connection(task: Any, **_: Any) -> None:
    """To the pool, as after a request; the pool discards broken connections."""
    if not task.request.is_eager:
        close_old_connections()


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

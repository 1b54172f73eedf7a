"""Signals of Celery that give each task the id of its request, its line in the log, its metrics.

The id is a header of the message. A task that no request caused (the beat's) gets a new one when it
is sent.
"""

from threading import local
from time import perf_counter
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun, worker_init

from config.telemetry import lines, metrics, work

_begun = local()


@before_task_publish.connect
def send_id(headers: dict[str, Any], sender: str, routing_key: str = "", **_: Any) -> None:
    """A task without a request starts a chain of its own, which the log notes."""
    known = work.request_id()
    headers[work.HEADER] = known or work.new_id()
    if not known:
        lines.write("sent", request_id=headers[work.HEADER], task=sender, queue=routing_key)


@task_prerun.connect
def begin(task: Any, **_: Any) -> None:
    if task.request.is_eager:
        return
    _begun.at = perf_counter()
    headers = task.request.headers or {}
    work.begin(headers.get(work.HEADER) or work.new_id())


@task_postrun.connect
def report(task: Any, task_id: str, args: Any = (), state: str | None = None, **_: Any) -> None:
    if task.request.is_eager:
        return
    seconds, done = perf_counter() - _begun.at, work.end()
    name = " ".join([task.name, *args[:1]]) if task.name == "duty" and args else task.name
    metrics.flush()
    metrics.TASKS.labels(name, state or "UNKNOWN").inc()
    metrics.TASK_SECONDS.labels(name).observe(seconds)
    lines.write(
        "task",
        request_id=done.request_id if done else None,
        task=name,
        task_id=task_id,
        state=state,
        ms=round(1000 * seconds, 1),
        **(done.facts if done else {}),
    )


@worker_init.connect
def count_from_zero(sender: Any, **_: Any) -> None:
    """Starts the count of failures of each task at 0, so that the first one is an increase."""
    for name in sender.app.tasks:
        metrics.TASKS.labels(name, "FAILURE")

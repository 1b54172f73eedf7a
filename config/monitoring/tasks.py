"""What accompanies a task: the id of the request that caused it, its line, its count.

The id travels as a header of the message. A task that nobody's request caused (the beat's) gets one
when it is sent.
"""

from threading import local
from time import perf_counter
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun, worker_init

from config.monitoring import lines, metrics, work

_begun = local()


@before_task_publish.connect
def send_id(headers: dict[str, Any], sender: str, routing_key: str = "", **_: Any) -> None:
    """Without a request of its own a task begins a chain: that is a line of the log."""
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
def tell(task: Any, task_id: str, state: str | None = None, **_: Any) -> None:
    if task.request.is_eager:
        return
    seconds, done = perf_counter() - _begun.at, work.end()
    metrics.flush()
    metrics.TASKS.labels(task.name, state or "UNKNOWN").inc()
    metrics.TASK_SECONDS.labels(task.name).observe(seconds)
    lines.write(
        "task",
        request_id=done.request_id if done else None,
        task=task.name,
        task_id=task_id,
        state=state,
        ms=round(1000 * seconds, 1),
        **(done.facts if done else {}),
    )


@worker_init.connect
def count_from_zero(sender: Any, **_: Any) -> None:
    """The failures of each task are counted from 0 on, so that the first one is an increase."""
    for name in sender.app.tasks:
        metrics.TASKS.labels(name, "FAILURE")

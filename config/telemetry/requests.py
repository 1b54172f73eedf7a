"""The middleware that gives each request of Django its id, its line in the log and its metrics.

The answer names the id, and what is left of a limit that the request spent.

The express door does the same for the requests that it answers itself.
"""

import time
from collections.abc import Callable
from threading import local
from time import perf_counter
from typing import Any, Final

from celery.signals import before_task_publish, task_postrun, task_prerun, worker_init
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject, empty

from config.refusals import Refusal
from config.telemetry import metrics, work

Handler = Callable[[HttpRequest], HttpResponseBase]

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
LONGEST_PATH: Final = 120


apart: dict[str, Handler] = {}
"""Views that answer before all else, by their addresses: a probe comes without a host name or TLS
and needs a true answer while the database is unreachable (``config.monitoring.health``)."""


def monitor_requests(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        if work.UNCOUNTED in request.META or request.path_info in apart:
            return apart.get(request.path_info, get_response)(request)
        begun = time.perf_counter()
        work.begin(request.META.get(work.HEADER) or work.new_id(), request)
        try:
            response = get_response(request)
            if (taken := getattr(request, "rate_limit", None)) is not None:
                for name, value in taken.headers().items():
                    response[name] = value
            if work.HEADER not in request.META:
                response["X-Request-Id"] = work.request_id()
            _report(request, response.status_code, begun)
        finally:
            work.end()
        return response

    return middleware


def refused(refusal: Refusal) -> None:
    """Counts a refusal and adds its code to the request's line in the log."""
    work.note(code=refusal.code)
    metrics.refused(refusal.code)


def _report(request: HttpRequest, status: int, begun: float) -> None:
    method = request.method if request.method in METHODS else "other"
    view = _view(request)
    metrics.record(str(method), view, status, begun)
    work.write_request(str(method), view, status, begun, **_facts(request, view))


def _view(request: HttpRequest) -> str:
    """The name of the URL pattern; paths themselves are unbounded."""
    match = request.resolver_match
    return (match.view_name or "unnamed") if match else "none"


def _facts(request: HttpRequest, view: str) -> dict[str, Any]:
    """A path may hold a secret (of a password reset): logged only where no view matches it."""
    facts: dict[str, Any] = {"request_id": work.request_id(), "user": _user(request)}
    if view == "none":
        facts["path"] = request.path_info[:LONGEST_PATH]
    elif request.resolver_match:
        facts["match"] = request.resolver_match.kwargs.get("match_id")
    return facts | work.noted()


def _user(request: HttpRequest) -> Any:
    """The id of the signed-in user if it was read already; never queries the database."""
    user: Any = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject) and user.__dict__.get("_wrapped") is empty:
        return None
    return getattr(user, "pk", None)


# Signals of Celery that give each task the id of its request, its line in the log, its metrics.
#
# The id is a header of the message. A task that no request caused (the beat's) gets a new one
# when it is sent.

_begun = local()


@before_task_publish.connect
def send_id(headers: dict[str, Any], sender: str, routing_key: str = "", **_: Any) -> None:
    """A task without a request starts a chain of its own, which the log notes."""
    known = work.request_id()
    headers[work.HEADER] = known or work.new_id()
    if not known:
        work.write("sent", request_id=headers[work.HEADER], task=sender, queue=routing_key)


@task_prerun.connect
def begin_task(task: Any, **_: Any) -> None:
    if task.request.is_eager:
        return
    _begun.at = perf_counter()
    headers = task.request.headers or {}
    work.begin(headers.get(work.HEADER) or work.new_id())


@task_postrun.connect
def report_task(
    task: Any, task_id: str, args: Any = (), state: str | None = None, **_: Any
) -> None:
    if task.request.is_eager:
        return
    seconds, done = perf_counter() - _begun.at, work.end()
    name = " ".join([task.name, *args[:1]]) if task.name == "duty" and args else task.name
    metrics.flush()
    metrics.TASKS.labels(name, state or "UNKNOWN").inc()
    metrics.TASK_SECONDS.labels(name).observe(seconds)
    work.write(
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

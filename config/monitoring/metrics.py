"""How many requests there are and how long they take, for Prometheus.

Only two metrics, so that a move does not pay for the many of django-prometheus.
"""

import time
from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import ValueClass

Handler = Callable[[HttpRequest], HttpResponseBase]

REQUESTS = Counter(
    "cardroom_requests", "Requests answered, by view and status", ["method", "view", "status"]
)
SECONDS = Histogram(
    "cardroom_request_seconds",
    "Seconds to an answer, by view",
    ["view"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def measure(get_response: Handler) -> Handler:
    """The middleware."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = get_response(request)
        method = request.method if request.method in METHODS else "other"
        record(str(method), _view(request), response.status_code, begun)
        return response

    return middleware


def record(method: str, view: str, status: int, begun: float) -> None:
    """Counts a request that was answered now; ``begun`` is of ``time.perf_counter``."""
    _requests(method, view, status).inc()
    _seconds(view).observe(time.perf_counter() - begun)


def page() -> HttpResponse:
    """What Prometheus reads; from all processes where PROMETHEUS_MULTIPROC_DIR is set."""
    registry = REGISTRY
    if ValueClass.__name__ == "MmapedValue":
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _view(request: HttpRequest) -> str:
    """The name of the URL pattern; paths themselves are unbounded."""
    match = request.resolver_match
    return (match.view_name or "unnamed") if match else "none"


@lru_cache(maxsize=4096)
def _requests(method: str, view: str, status: int) -> Counter:
    return REQUESTS.labels(method, view, status)


@lru_cache(maxsize=1024)
def _seconds(view: str) -> Histogram:
    return SECONDS.labels(view)

"""`/metrics` of a process that serves no pages: a worker or the beat in a container of its own.

On the port METRICS_PORT, when it is named; callers need METRICS_TOKEN if there is one. On one
machine nobody needs it: all processes count in one folder, and the web process tells their sum.
"""

import os
from collections.abc import Iterable
from hmac import compare_digest
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from celery.signals import beat_init, heartbeat_sent, worker_ready
from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST

from config.telemetry import metrics


@worker_ready.connect
@beat_init.connect
def serve_if_asked(**_: Any) -> None:
    port = os.environ.get("METRICS_PORT", "")
    if port:
        server = make_server("0.0.0.0", int(port), answer, Server, Silent)  # noqa: S104
        Thread(target=server.serve_forever, name="metrics", daemon=True).start()


class Server(WSGIServer):
    """Of two workers in one container each may answer: they count in one folder."""

    allow_reuse_port = True


class Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    if environ["PATH_INFO"] != "/metrics" or not _is_let_in(environ):
        start_response("404 Not Found", [])
        return [b""]
    start_response("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
    return [metrics.text()]


def _is_let_in(environ: WSGIEnvironment) -> bool:
    token = settings.METRICS_TOKEN
    bearer = environ.get("HTTP_AUTHORIZATION", "").removeprefix("Bearer ")
    return not token or compare_digest(bearer.encode(), token.encode())


# The file that a worker or the beat touches as long as it works: for the engine's healthcheck.
#
# A worker touches it with each heartbeat, which needs its connection to Valkey; the beat when it
# has asked what is due. `docker/healthy` looks how old it is. Without ALIVE_FILE there is none.


@heartbeat_sent.connect
def touch(**_: Any) -> None:
    path = os.environ.get("ALIVE_FILE", "")
    if path:
        Path(path).touch()

"""The application that uvicorn serves: Django in threads, its streams on the event loop.

An express door in front (setting EXPRESS_DOOR) answers the calls that programs make most, and
passes on all others. A request mostly computes, so it runs in a thread, where Django's synchronous
handler is faster than its asynchronous one. A stream mostly waits, and needs no thread for that.
"""

import json
import os
from typing import Final
from wsgiref.types import WSGIApplication

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.utils.module_loading import import_string

from config import version
from config.counting import exchange_for_ever
from config.server.protocol import named
from config.server.streams import Message, Receive, Scope, Send, Streams, freeze_garbage
from config.server.threaded_wsgi import ThreadedWSGI
from config.tasks.after_commit import something_happens
from config.telemetry.pulse import pulse

# Probes answered apart from pages: they have to answer while every page waits for Postgres.
#
# `/healthz` is answered on the event loop: it says that this process runs, and needs no thread.
# `/readyz` and `/metrics` have threads of their own.

THREADS: Final = 2
BODY: Final = json.dumps(version.healthy()).encode()
HEAD: Final[Message] = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(BODY)),
        (b"cache-control", b"no-store"),
    ],
}


class Probes:
    """Handles the requests of these paths."""

    paths: Final = frozenset({"/healthz", "/readyz", "/metrics"})

    def __init__(self, application: WSGIApplication, streams: Streams) -> None:
        self._threaded = ThreadedWSGI(application, THREADS, streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != "/healthz":
            await self._threaded(scope, receive, send)
            return
        await send(dict(HEAD))
        body = b"" if scope["method"] == "HEAD" else BODY
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def close(self) -> None:
        self._threaded.close()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)


class Hybrid:
    def __init__(self, threads: int) -> None:
        self.streams = Streams()
        django_application = WSGIHandler()
        self.pages = ThreadedWSGI(django_application, threads, self.streams)
        self.probes = Probes(django_application, self.streams)
        self.express = import_string(settings.EXPRESS_DOOR)(self.pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http" if scope["path"] in Probes.paths:
                await self.probes(scope, receive, named(scope, send))
            case "http":
                something_happens()
                await self.express(scope, receive, named(scope, send))
            case "lifespan":
                await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        freeze_garbage()
        for watch in ("config.monitoring.installation.sample_for_ever", "config.club.watch"):
            import_string(watch)()  # they need models, which are there by now
        if settings.WEB_PROCESSES > 1 or not settings.ONE_MACHINE:  # containers come in numbers
            exchange_for_ever()
        pulse.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.express.close()
        self.pages.close()
        self.probes.close()
        await send({"type": "lifespan.shutdown.complete"})


application: Hybrid


def __getattr__(name: str) -> Hybrid:
    """Made when it is asked for: in the process that serves, and not in one that forks it."""
    global application  # noqa: PLW0603 - one a process
    if name != "application":
        raise AttributeError(name)
    application = Hybrid(settings.WEB_THREADS)
    return application

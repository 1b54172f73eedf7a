"""The application that uvicorn serves: two of Django's handlers in one.

A stream (`…/stream`) mostly waits and runs on the event loop. Everything else mostly computes and
runs in threads, where Django's synchronous handler is faster than its asynchronous one.
"""

import os
from typing import cast

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.handlers.wsgi import WSGIHandler

from config.server.streams import Streams
from config.server.threaded_wsgi import Application, Receive, Scope, Send, ThreadedWSGI

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Hybrid:
    def __init__(self, threads: int) -> None:
        self.streams = Streams(cast("Application", get_asgi_application()))
        self.pages = ThreadedWSGI(WSGIHandler(), threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http" if scope["path"].endswith("/stream"):
                await self.streams(scope, receive, send)
            case "http":
                await self.pages(scope, receive, send)
            case "lifespan":
                await self._lifespan(receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.pages.close()
        await send({"type": "lifespan.shutdown.complete"})


application = Hybrid(settings.WEB_THREADS)

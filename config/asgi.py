"""The application that uvicorn serves: Django in threads, its streams on the event loop.

An express door in front (setting EXPRESS_DOOR) answers the calls that programs make most, and
passes on all others. A request mostly computes, so it runs in a thread, where Django's synchronous
handler is faster than its asynchronous one. A stream mostly waits, and needs no thread for that.
"""

import asyncio
import os

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.utils.module_loading import import_string

from config.counting.counts import exchange_for_ever
from config.monitoring.probes import Probes
from config.monitoring.sampling import sample_for_ever
from config.server.memory import settle
from config.server.messages import Receive, Scope, Send
from config.server.naming import named
from config.server.streams import Streams
from config.server.threaded_wsgi import ThreadedWSGI
from config.tasks.after_commit import something_happens
from config.telemetry.pulse import pulse

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
        settle()
        sample_for_ever()
        import_string("config.club.watch")()  # it needs models, which are there by now
        if settings.WEB_PROCESSES > 1 or not settings.ONE_MACHINE:  # containers come in numbers
            exchange_for_ever()
        pulse.keep(asyncio.get_running_loop().call_later)
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

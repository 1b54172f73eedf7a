"""One web process: uvicorn with the hybrid application.

`python -m config.processes.web --fd 3` serves a socket that the parent holds open, so that clients
wait instead of being refused while a killed web process is started again.
`python -m config.processes.web --host 0.0.0.0 --port 8000` opens its own.
"""

import argparse
import asyncio
import os
import resource
import socket
import sys
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import structlog
import uvicorn

from config.host.reaching import check_servers
from config.host.serve import PAGE, host_name
from config.server import uvicorn_internals
from config.server.protocol import PunctualProtocol
from config.telemetry.pulse import EVERY, pulse
from config.telemetry.work import UNCOUNTED

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
SECONDS_TO_FINISH = 2
LOST_LIMITS = "slow clients have no limits here: put a proxy in front that has them"

log = structlog.get_logger(__name__)


class Server(uvicorn.Server):
    """Sleeps while nothing comes in. Ends the open streams when it stops; they would not end by
    themselves.
    """

    async def main_loop(self) -> None:
        """As uvicorn's, which wakes ten times a second: for the end at once, and every two seconds
        for the date and a sign of life.
        """
        loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        self._call_end = partial(loop.call_soon_threadsafe, self._end.set)
        while not await self.on_tick(0):
            pulse.beats()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._end.wait(), EVERY)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        application = vars(sys.modules.get("config.asgi", sys)).get("application")
        if application is not None:  # it has been made
            application.streams.end()
        super().handle_exit(sig, frame)
        if (call_end := vars(self).get("_call_end")) is not None:  # it serves already
            call_end()


def main() -> None:
    options = _options()
    check_servers()
    _allow_many_connections()
    sockets = None
    if options.fd is not None:
        sockets = [socket.socket(fileno=options.fd)]
        _show_to_nobody()
    config = uvicorn.Config(
        "config.asgi:application",
        host=options.host,
        port=options.port,
        lifespan="on",
        http=protocol(),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the setting PROXIES says how many proxies there are
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    Server(config).run(sockets=sockets)


def protocol() -> Any:
    """Ours, with limits for slow clients, as long as it knows this uvicorn."""
    changed = uvicorn_internals.changed()
    if not changed:
        return PunctualProtocol
    log.warning("uvicorn_changed", version=uvicorn.__version__, changed=changed, lost=LOST_LIMITS)
    return "httptools"


def _show_to_nobody() -> None:
    """A page, before the first person asks: what a process does once takes a quarter second."""
    from config.asgi import application
    from config.server.threaded_wsgi import environ

    scope = {
        "method": "GET",
        "path": PAGE,
        "query_string": b"",
        "http_version": "1.1",
        "headers": [(b"host", host_name("localhost").encode()), (b"x-forwarded-proto", b"https")],
    }
    with suppress(Exception):  # the database is away; the pages say so
        answer: Any = application.pages.application(
            environ(scope, b"") | {UNCOUNTED: "1"}, lambda *_: bytes
        )
        b"".join(answer)
        answer.close()


def _allow_many_connections() -> None:
    """As many files as this user may open; a shell starts programs with fewer."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.processes.web")
    parser.add_argument("--fd", type=int, help="an inherited listening socket")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""The preloader: it imports the application once and forks the processes of a service.

Started by `config.host.supervisor`, whose child each forked process becomes: this one forks a
process that forks it and ends. What is loaded here is shared until somebody writes to it, so the
garbage collector never looks at it again. This process opens no connection and no file and has
exactly one thread: a lock that another thread held would stay locked in every child for ever. So
connections, threads and counts are made after the fork, where they are needed.

A service of one machine loads everything, a container what its kind needs.
"""

import ctypes
import gc
import json
import os
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every page; they are made before a release, and bots wait meanwhile.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

from config.host.supervisor import end_with_parent
from config.telemetry import pulse

MACHINE: Final = "machine"
OF_PAGES: Final = (
    *("config.asgi", "config.processes.web", "config.pages.static_files", "whitenoise.storage"),
    *("uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.loops.uvloop", "uvloop"),
    *("uvicorn.protocols.websockets.auto", "django.contrib.sessions.serializers"),
)
OF_TASKS: Final = (
    *("celery.apps.worker", "celery.concurrency.solo", "celery.app.log"),
    *("celery.worker.consumer", "kombu.transport.redis", "config.processes.worker"),
    *("celery.worker.components", "celery.worker.autoscale", "billiard.pool"),
    *("celery.worker.consumer.delayed_delivery", "celery.app.events", "celery.events.receiver"),
    *("kombu.matcher", "kombu.pidbox", "celery.app.control", "celery.worker.strategy"),
)
PR_SET_NAME: Final = 15  # linux/prctl.h
SECONDS_TO_BECOME_ITS_CHILD: Final = 10.0


class Request(NamedTuple):
    command: Sequence[str]
    keep_open: Sequence[int]
    signs: int


def main() -> None:
    parent, kind, *numbers = sys.argv[1:-1]  # the last word is room for a title
    end_with_parent(int(parent))
    write_title(f"config.processes.preload {kind}")
    control, bell, *listening = map(int, numbers)
    with socket.socket(fileno=control) as connection:
        roles = load(kind, listening)
        if (threads := len(list(Path("/proc/self/task").glob("*")))) > 1:
            sys.exit(f"The preloader has {threads} threads, and would fork locks that they hold.")
        connection.sendall(json.dumps({"roles": roles}).encode())
        request = wait_to_fork(connection)
    become(request, int(parent), listening, bell)


def load(kind: str, listening: Sequence[int]) -> list[dict[str, Any]]:
    """Imports what this kind of service needs; the roles of its processes."""
    gc.disable()  # to look for garbage takes a fifth of the time, and what it frees leaves holes
    import django

    django.setup(set_prefix=False)
    work_out_models()
    if kind in (MACHINE, "web"):
        for name in OF_PAGES:
            import_module(name)
        from config.server import streams

        streams.load_all()
        work_out_pages()
    if kind != "web":
        for name in OF_TASKS:
            import_module(name)
        from celery.signals import import_modules

        from config.celery import app

        app.loader.import_default_modules()
        app.finalize()
        _ = app.backend  # looked up among all packages: there is none, as no result is kept
        import_modules.receivers.clear()  # a worker would look through all packages once more
    from config.host import crew

    work_out_shapes()
    gc.freeze()
    gc.enable()
    return [asdict(role) for role in crew.roles(kind, listening)]


def work_out_models() -> None:
    """Facts that every process would find out and keep for itself with its first query."""
    from django.apps import apps
    from django.conf import settings
    from django.db import connection
    from django.db.backends.postgresql.psycopg_any import get_adapters_template

    from config.tasks import duties

    for model in apps.get_models(include_auto_created=True):
        model._meta.get_fields(include_hidden=True)  # noqa: SLF001 - Django names it so
    get_adapters_template(settings.USE_TZ, connection.timezone)
    duties.registry()


def work_out_shapes() -> None:
    """A struct is worked out when something is read into it first. Two threads that do so at once
    end the process (msgspec 0.22: the second one reads what the first has not written yet).
    """
    import msgspec

    left = [msgspec.Struct]
    while left:
        shape = left.pop()
        left += shape.__subclasses__()
        with suppress(Exception):  # one that nothing can be read into
            msgspec.json.Decoder(shape)


def work_out_pages() -> None:
    """The same with its first page."""
    from django.conf import settings
    from django.urls import get_resolver
    from django.utils.module_loading import import_string

    from config.postgres import schema

    schema.known()
    import_string(settings.EXPRESS_DOOR)
    get_resolver().reverse_dict  # noqa: B018 - it is kept


def wait_to_fork(connection: socket.socket) -> Request:
    """Forks for as long as its parent lives. It returns in each forked process, and never here."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(connection, 2**16, 1)
        if not data:
            sys.exit(0)
        reading, writing = os.pipe()
        between = os.fork()
        if not between:
            if _fork_again(writing):
                os.close(reading)
                os.close(writing)
                return Request(**json.loads(data), signs=descriptors[0])
            os._exit(0)
        os.close(writing)
        os.close(descriptors[0])
        os.waitpid(between, 0)
        pid = int(os.read(reading, 32))
        os.close(reading)
        connection.sendall(json.dumps({"pid": pid}).encode())


def _fork_again(writing: int) -> bool:
    """Whether this is the new process; the one in between says its number and has to end."""
    try:
        pid = os.fork()
    except OSError:
        os._exit(1)
    if pid:
        os.write(writing, str(pid).encode())
    return not pid


def become(request: Request, parent: int, listening: Sequence[int], bell: int) -> None:
    """Runs the module in this forked process, as if it had been started for it."""
    os.setsid()
    end = time.monotonic() + SECONDS_TO_BECOME_ITS_CHILD
    while os.getppid() != parent and time.monotonic() < end:
        time.sleep(0.001)  # the process in between still ends
    end_with_parent(parent)
    for number in listening:
        if number not in request.keep_open:
            os.close(number)
    pulse.bell.use(bell)
    os.environ[pulse.VARIABLE] = str(request.signs)
    name, *words = request.command
    write_title(" ".join(request.command))
    sys.argv[:] = [name, *words]
    import_module(name).main()


def write_title(title: str) -> None:
    """The name of this process in `ps` and `top`, over the words that it was started with."""
    with suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        begin, end = int(fields[45]), int(fields[46])
        text = title.replace(" ", "\0").encode()[: end - begin - 1]
        ctypes.memmove(begin, text.ljust(end - begin, b"\0"), end - begin)
    if sys.platform == "linux":
        # No blank: Python counts threads by the fields of /proc/self/stat, and warns of forks.
        short = title.removeprefix("config.processes.").replace(" ", "-").encode()[:15]
        ctypes.CDLL(None).prctl(PR_SET_NAME, short, 0, 0, 0)


if __name__ == "__main__":
    main()

"""The service on a port of its own, for clients that speak HTTP to it."""

import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from django.db import close_old_connections, connection

from games.matches.bot_turns import play_bot_turns
from games.matches.models import Match

OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture(scope="session")
def sessions(django_db_setup, django_db_blocker):
    """At the end those of the server's threads are closed, so that the database can be dropped."""
    yield
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(OTHERS)


@contextmanager
def served(settings, threads=4, **more):
    """The port of a server; its threads leave no connection of the pool behind.

    It has none that watch for ever: they would outlive it in the process of the test, and load what
    is committed, which is nothing, whenever a later scene sets something of the club's.
    """
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    from config.asgi import Hybrid  # it reads the settings of the test

    config = uvicorn.Config(
        Hybrid(threads), port=0, log_config=None, timeout_graceful_shutdown=1, **more
    )
    server = uvicorn.Server(config)
    running = threading.Thread(target=server.run)
    with pytest.MonkeyPatch.context() as patch:
        for watch in ("config.monitoring.installation.sample_for_ever", "config.club.watch"):
            patch.setattr(watch, lambda: None)
        running.start()
        while not server.started:
            time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    running.join()
    connection.close()
    connection.close_pool()


@pytest.fixture
def url(sessions, transactional_db, settings):
    """Where it is; what waits for computers is played as a worker would."""
    stopping = threading.Event()
    moving = threading.Thread(target=move_computers, args=(stopping,))
    with served(settings) as port:
        moving.start()
        yield f"http://127.0.0.1:{port}"
        stopping.set()
        moving.join()


def move_computers(stopping):
    while not stopping.wait(0.02):
        due = Match.objects.filter(bot_due_at__isnull=False).values_list("id", "version")
        for match, version in list(due):
            play_bot_turns(match_id=match, version=version)
    close_old_connections()
    connection.close()

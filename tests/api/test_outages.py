"""While the database is read-only, frozen or overrun: 503 in time, and when to come again.

The database is this suite's own, and really made so; what is pooled heals by itself.
"""

import asyncio
import os
import re
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

from config.api import errors
from config.api.errors import ProblemResponse, problem_for
from config.monitoring import health
from config.postgres.base import DatabaseWrapper
from config.postgres.connections import ReadOnly, patience
from config.refusals import Refusal
from config.server.plain import refuse
from games.matches import batcher
from games.matches.models import Ply
from games.matches.selectors.access import get_match
from games.web import landing
from tests.matches.scenes import opened
from tests.patience import PATIENCE, on_a_busy_machine, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
BACKENDS = (
    "SELECT pid FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type LIKE 'client%'"
)


@pytest.fixture(autouse=True)
def seconds(settings):
    """How long a request waits in all."""
    settings.WAIT_SECONDS = 1.0
    return settings.WAIT_SECONDS


@pytest.fixture
def default_read_only(monkeypatch):
    """Makes sessions that begin from now on read-only, or lets them write again."""
    name = connection.settings_dict["NAME"]

    def set_to(value):
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")
            cursor.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}')
        connection.close()
        connection.pool.drain()  # as where the server that these were to is another one now

    yield set_to
    set_to("off")
    connection.close_pool()  # with a connection that is just being made


def body(match):
    match = get_match(match.id)
    return {"move": match.rules.legal_moves(match.state, match.to_act[0])[0], "version": 0}


def call(key, match):
    return key, "POST", f"matches/{match.id}/moves", body(match)


def is_a_503(answer):
    headers = dict(answer.headers)
    assert (answer.status, answer.json()["code"]) == (503, "unavailable")
    assert int(headers[b"retry-after"]) > 0
    return True


class TestADatabaseThatOnlyReads:
    def test_refuses_moves_and_answers_readers_by_both_doors(
        self, roads, ada, key, default_read_only
    ):
        match = opened(ada)
        move = call(key, match)
        default_read_only("on")
        for door in (roads.express, roads.django):
            assert is_a_503(door(*move))
            assert door(key, "GET", f"matches/{match.id}").status == 200
        assert not Ply.objects.filter(match_id=match.id, version=1).exists()

    def test_heals_though_connections_are_kept_that_do_not(
        self, roads, ada, key, default_read_only, monkeypatch
    ):
        """Those that began meanwhile stay read-only: one that answers so takes the others along."""
        monkeypatch.setattr(DatabaseWrapper, "_drained_at", 0.0)
        match = opened(ada)
        move = call(key, match)
        default_read_only("on")
        for _ in range(3):
            assert is_a_503(roads.express(*move))
        name = connection.settings_dict["NAME"]
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")
            cursor.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        until = time.monotonic() + on_a_busy_machine(2)
        while (answer := roads.express(*move)).status != 201:
            assert is_a_503(answer)
            assert time.monotonic() < until
            time.sleep(0.1)

    def test_is_named_by_readyz(self, default_read_only, monkeypatch):
        monkeypatch.setattr(health, "SECONDS_TO_ANSWER", PATIENCE)
        assert health.check()["database"] == "up"
        default_read_only("on")
        assert health.check()["database"] == "read-only"
        answer = health.readyz(None)
        assert (answer.status_code, answer["Retry-After"]) == (503, "2")

    def test_lets_go_of_its_connection(self, default_read_only):
        default_read_only("on")
        connection.ensure_connection()
        raw = connection.connection
        with pytest.raises(ReadOnly), connection.cursor() as cursor:
            cursor.execute("DELETE FROM games_ply")
        assert raw.closed

    def test_a_key_is_read_though_its_use_cannot_be_written(
        self, roads, ada, key, default_read_only
    ):
        ada.keys.update(last_used_at="2026-01-01T00:00Z")
        default_read_only("on")
        assert roads.django(key, "GET", "matches").status == 200


class TestAFrozenDatabase:
    """Its processes are stopped: what was sent is never answered, and nothing is closed."""

    @pytest.fixture
    def freeze(self, roads):
        connection.pool.drain()  # those of other scenes would be frozen one by one
        stopped = []

        def stop():
            with connection.cursor() as cursor:
                cursor.execute(BACKENDS)
                stopped.extend(pid for (pid,) in cursor.fetchall())
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)

        yield stop
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)

    def test_is_answered_for_in_time_and_heals(self, roads, ada, key, freeze, seconds):
        match = opened(ada)
        move = call(key, match)
        roads.express(key, "GET", f"matches/{match.id}")  # its lane has a connection now
        freeze()
        begun = time.monotonic()
        assert is_a_503(roads.express(*move))
        assert time.monotonic() - begun < seconds + on_a_busy_machine(0.5)
        wait_until(lambda: roads.express(*move).status == 201)

    def test_stops_no_thread_for_good(self, ada, freeze):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(OperationalError), patience(0.2), connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        finally:
            os.kill(pid, signal.SIGCONT)
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")


class TestWhoWaits:
    def test_for_a_lane_waits_half_of_it(self, roads, ada, key, seconds, monkeypatch):
        """Both lanes are held up; those behind them are told so, whatever their match."""
        monkeypatch.setattr(
            batcher.Batcher, "_work", lambda *_: time.sleep(2 * seconds) or [ZeroDivisionError()]
        )
        monkeypatch.setattr(batcher, "LARGEST", 1)
        matches = [opened(ada) for _ in range(5)]
        calls = [call(key, match) for match in matches]
        begun = time.monotonic()
        answers = roads.together(*calls)
        assert [answer.status for answer in answers].count(503) >= 3
        assert all(is_a_503(answer) for answer in answers if answer.status == 503)
        assert time.monotonic() - begun < on_a_busy_machine(4 * seconds)

    def test_for_a_thread_waits_half_of_it(self, roads, ada, key, seconds):
        begun = time.monotonic()
        for _ in range(2):
            roads.hybrid.pages._threads.submit(time.sleep, 2 * seconds)
        answer = roads.django(key, "GET", "matches")
        assert is_a_503(answer)
        assert time.monotonic() - begun < on_a_busy_machine(seconds)

    def test_for_a_connection_waits_no_longer_than_it_may(self, roads, ada, key, seconds):
        match = opened(ada)
        move = call(key, match)
        pool = connection.pool
        connection.close()
        held = []
        try:
            with suppress(PoolTimeout):  # a thread of an earlier scene may still have one
                while len(held) < pool.max_size:
                    held.append(pool.getconn(timeout=1))
            begun = time.monotonic()
            assert is_a_503(roads.express(*move))
            assert is_a_503(roads.django(key, "GET", "matches"))
            assert time.monotonic() - begun < on_a_busy_machine(2 * seconds)
        finally:
            for one in held:
                pool.putconn(one)
        assert roads.express(*move).status == 201

    def test_for_valkey_waits_a_moment(self, roads, ada, key, settings):
        """It takes connections and answers nothing, as a stopped process does."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            settings.VALKEY_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
            cache = {"BACKEND": "config.counting.ValkeyOrMemory"}
            cache["LOCATION"] = settings.VALKEY_URL
            settings.CACHES = settings.CACHES | {"default": cache}
            match = opened(ada)
            for said in (call(key, match), (key, "GET", "lobby"), (key, "GET", "matches")):
                for door in (roads.express, roads.django):
                    begun = time.monotonic()
                    assert door(*said).status < 500
                    assert time.monotonic() - begun < on_a_busy_machine(3)


def every_503():
    known, waiting = [], [Refusal]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if getattr(kind, "status", None) == 503:
            known.append(kind)
    return known


class TestEvery503SaysWhenToComeAgain:
    @pytest.mark.parametrize("kind", every_503())
    def test_of_the_api(self, kind):
        assert int(problem_for(kind())["Retry-After"]) > 0
        assert int(ProblemResponse(kind())["Retry-After"]) > 0

    @pytest.mark.parametrize("error", [OperationalError, ReadOnly])
    def test_of_the_database(self, error):
        answer = problem_for(error())
        assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)

    @pytest.mark.parametrize("kind", [*every_503(), OperationalError, ReadOnly])
    def test_of_a_page(self, client, monkeypatch, kind):
        def failing(*_, **__):
            raise kind

        client.raise_request_exception = False
        monkeypatch.setattr(landing, "render", failing)
        page = client.get("/")
        assert (page.status_code, int(page["Retry-After"]) > 0) == (503, True)
        assert "<h1" in page.text

    @pytest.mark.parametrize("path", ["/api/v1/matches", "/lobby"])
    def test_of_the_server_itself(self, path):
        """Where a request is refused without a thread."""
        sent = []

        async def send(message):
            sent.append(message)

        asyncio.run(refuse({"path": path, "headers": []}, send, errors.Unavailable()))
        head, body = sent
        assert (head["status"], int(dict(head["headers"])[b"retry-after"]) > 0) == (503, True)
        assert (b"<h1" in body["body"]) == (path == "/lobby")

    def test_and_no_other_place_makes_one(self):
        """Whoever writes the number writes the header as well, in one of these."""
        written = re.compile(r"status(_code)?=503|SERVICE_UNAVAILABLE|status=503")
        rooms = [ROOT / room for room in ("accounts", "config", "decks", "games")]
        files = [path for room in rooms for path in room.rglob("*.py")]
        makers = {path.relative_to(ROOT).as_posix() for path in files
                  if written.search(path.read_text())}  # fmt: skip
        assert makers == {
            "config/club.py",  # read-only: test_club
            "games/matches/refusals.py",  # a refusal: every_503
            "config/api/errors.py",  # server_failed: test_of_a_page; Unavailable: every_503
            "config/pages/middleware.py",  # test_of_a_page
        }

"""Probes answer truthfully, at once, and without the host and TLS rules of pages."""

import asyncio
import json
from threading import Event

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import version
from config.asgi import Probes
from config.host import setup
from config.host.state_folder import CannotServe
from config.monitoring import health
from config.postgres import schema
from config.server.streams import Streams
from config.tasks import duties
from config.tasks.queues import DUTIES, INTERACTIVE
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody():
    """Heartbeats of earlier scenes, here and of other files, count for ten seconds."""
    for kind in (INTERACTIVE, DUTIES):
        for key in health.valkey().keys(f"{health.HEARTBEAT_KEYS[kind]}*"):
            health.valkey().delete(key)


@pytest.fixture
def worker(nobody):
    for kind in (INTERACTIVE, DUTIES):
        health.worker_is_alive(kind)


@pytest.fixture
def outsider(settings, monkeypatch):
    """A caller from elsewhere, by address, over plain HTTP.

    Its probes have time: a process that has just begun reads every migration at the first one.
    """
    monkeypatch.setattr(health, "SECONDS_TO_ANSWER", PATIENCE)
    settings.ALLOWED_HOSTS = ["cards.example"]
    settings.SECURE_SSL_REDIRECT = True
    return Client(REMOTE_ADDR="198.51.100.9", HTTP_HOST="203.0.113.1")


def test_healthz_answers_every_caller(outsider):
    answer = outsider.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "up"
    assert answer.json()["version"] == version.VERSION


def test_readyz_names_every_part(outsider, worker):
    answer = outsider.get("/readyz")
    assert answer.json() == {
        "status": "ready",
        "database": "up",
        "schema": "up",
        "disk": "up",
        "broker": "up",
        "worker": "up",
        "duties": "up",
        "bots": "up",
        "announcer": "up",
    }
    assert answer.status_code == 200


def test_readyz_is_503_without_a_worker(outsider):
    answer = outsider.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["worker"] == "away"
    assert answer.json()["broker"] == "up"


def test_broker_away_is_named_and_takes_the_worker_with_it(monkeypatch, outsider):
    health.valkey.cache_clear()
    monkeypatch.setattr(health.settings, "VALKEY_URL", "redis://127.0.0.1:1/0")
    try:
        answer = outsider.get("/readyz")
    finally:
        health.valkey.cache_clear()
    assert answer.status_code == 503
    away = {name for name, told in answer.json().items() if told == "away"}
    assert away == {"broker", "worker", "duties"}


def test_duties_that_are_late_are_told_and_make_nobody_unready(outsider, worker, monkeypatch):
    monkeypatch.setattr(duties, "delays", lambda: {"results": 41.2, "seeks": 1.0, "folding": 900.0})
    answer = outsider.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["duties"] == "late: results for 41 s"


def test_readyz_is_503_without_a_worker_for_duties(outsider):
    health.worker_is_alive()
    answer = outsider.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["duties"] == "nobody is there for them"


def test_a_newer_schema_is_named_to_a_process_that_starts(monkeypatch, outsider, worker):
    MigrationRecorder(connection).record_applied("games", "0999_of_the_next_release")
    monkeypatch.setattr(health, "_schema_fits", False)
    told = health._schema()
    assert told == (
        "the database is newer than this code, which does not know games.0999_of_the_next_release"
    )
    with pytest.raises(CannotServe, match=r"games\.0999_of_the_next_release"):
        setup.migrate()
    monkeypatch.setattr(health, "_schema_fits", True)  # it runs already: a rolling upgrade
    assert health._schema() == "up"


def test_a_missing_migration_is_named():
    MigrationRecorder(connection).record_unapplied("games", "0001_initial")
    assert "not applied: games.0001_initial" in str(schema.difference())


def test_healthz_needs_no_thread_of_the_pages():
    said = []

    async def send(message):
        said.append(message)

    probes = Probes(lambda *_: pytest.fail("a page was asked"), Streams())
    asyncio.run(probes({"path": "/healthz", "method": "GET"}, None, send))
    assert said[0]["status"] == 200
    assert json.loads(said[1]["body"]) == version.healthy()


def test_part_that_never_answers_does_not_hold_the_probe(monkeypatch):
    answered = Event()
    monkeypatch.setattr(health, "_database", lambda: answered.wait(60))
    try:
        assert health.check()["database"] == "away"
    finally:
        answered.set()


def test_probes_that_are_given_up_leave_nothing_behind(monkeypatch):
    """A part that answers slowly is asked once, however many callers gave up meanwhile."""
    answered, asked = Event(), []

    def slowly():
        asked.append(1)
        answered.wait(60)
        return "up"

    monkeypatch.setattr(health, "_worker", slowly)
    monkeypatch.setattr(health, "SECONDS_TO_ANSWER", 0.01)
    try:
        assert {health.check()["worker"] for _ in range(30)} == {"away"}
        assert len(asked) == 1
    finally:
        answered.set()
    wait_until(health._running["worker"].done)


def test_metrics_are_for_our_own_addresses(outsider):
    assert outsider.get("/metrics").status_code == 404
    local = Client(REMOTE_ADDR="127.0.0.1")
    local.get("/no-such-page")
    text = local.get("/metrics").content.decode()
    assert "cardroom_requests_total" in text
    assert "no-such-page" not in text


def test_caller_behind_a_proxy_of_this_machine_is_no_local_one():
    proxied = Client(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="198.51.100.9")
    assert proxied.get("/metrics").status_code == 404


def test_metrics_with_a_token(settings, outsider):
    settings.METRICS_TOKEN = "s3cret"
    assert outsider.get("/metrics").status_code == 404
    assert Client(REMOTE_ADDR="127.0.0.1").get("/metrics").status_code == 404
    bearer = {"HTTP_AUTHORIZATION": "Bearer s3cret"}
    assert outsider.get("/metrics", **bearer).status_code == 200

"""Probes answer truthfully, at once, and without the host and TLS rules of pages."""

import time

import pytest
from django.test import Client

from config.monitoring import health

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker():
    health.worker_is_alive()
    yield
    keys = health._valkey().keys(f"{health.HEARTBEAT_KEY}*")
    if keys:
        health._valkey().delete(*keys)


@pytest.fixture
def outsider(settings):
    """A caller from elsewhere, by address, over plain HTTP."""
    settings.ALLOWED_HOSTS = ["cards.example"]
    settings.SECURE_SSL_REDIRECT = True
    return Client(REMOTE_ADDR="198.51.100.9", HTTP_HOST="203.0.113.1")


def test_healthz_answers_every_caller(outsider):
    answer = outsider.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "up"})


def test_readyz_names_every_part(outsider, worker):
    answer = outsider.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "database": "up",
        "broker": "up",
        "worker": "up",
        "announcer": "up",
    }


def test_readyz_is_503_without_a_worker(outsider):
    answer = outsider.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["worker"] == "away"
    assert answer.json()["broker"] == "up"


def test_broker_away_is_named_and_takes_the_worker_with_it(monkeypatch, outsider):
    health._valkey.cache_clear()
    monkeypatch.setattr(health.settings, "VALKEY_URL", "redis://127.0.0.1:1/0")
    try:
        answer = outsider.get("/readyz")
    finally:
        health._valkey.cache_clear()
    assert answer.status_code == 503
    expected = {"database": "up", "broker": "away", "worker": "away", "announcer": "up"}
    assert answer.json() == {"status": "not ready", **expected}


def test_part_that_never_answers_does_not_hold_the_probe(monkeypatch):
    monkeypatch.setattr(health, "_database", lambda: time.sleep(1.5))
    begun = time.monotonic()
    assert health.check()["database"] == "away"
    assert time.monotonic() - begun < 1


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

"""Dashboard, alerts and runbook speak of metrics that exist, and of each other."""

import json
import re
import urllib.request
from pathlib import Path

import pytest
import yaml
from celery.signals import worker_init
from django.test import Client

from config import club
from config.celery import app
from config.monitoring import exporter, installation
from config.telemetry import metrics

DOCKER = Path(__file__).resolve().parents[3] / "docker"
RULES = yaml.safe_load((DOCKER / "prometheus/alerts.yml").read_text())["groups"][0]["rules"]
NAME = re.compile(r"\bcardroom_\w+")


@pytest.fixture
def exported(transactional_db):
    """The names of all series that `/metrics` may tell."""
    page = Client(REMOTE_ADDR="127.0.0.1").get("/metrics").content.decode()
    kinds = dict(re.findall(r"^# TYPE (\S+) (\w+)$", page, re.MULTILINE))
    parts = {"histogram": ("_bucket", "_sum", "_count")}
    return {name + end for name, kind in kinds.items() for end in parts.get(kind, ("",))}


def queries():
    """Of the dashboard and of the alerts, each with where it stands."""
    board = json.loads((DOCKER / "grafana/cardroom.json").read_text())
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    for rule in RULES:
        yield rule["alert"], rule["expr"]


def test_every_metric_of_the_dashboard_and_the_alerts_is_exported(exported):
    asked = {(where, name) for where, query in queries() for name in NAME.findall(query)}
    assert len(asked) > 30
    assert {(where, name) for where, name in asked if name not in exported} == set()


def test_every_metric_is_on_the_dashboard_or_in_an_alert(exported):
    asked = {
        re.sub("_(bucket|total)$", "", n) for _, query in queries() for n in NAME.findall(query)
    }
    ours = {re.sub("_(bucket|sum|count|total|created)$", "", n) for n in exported if NAME.match(n)}
    assert ours == asked


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_leads_to_its_section_of_the_runbook(rule):
    file, _, anchor = rule["annotations"]["runbook"].partition("#")
    headings = re.findall(r"^## (.+)$", (DOCKER.parent / file).read_text(), re.MULTILINE)
    assert anchor in {heading.lower() for heading in headings}
    assert anchor == rule["alert"].lower()
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"].endswith(".")


@pytest.mark.parametrize("alert", ["PartIsAway", "DutiesAreLate", "NoWorker", "NobodyAudits"])
def test_an_alert_that_nobody_does_something_needs_no_figure_to_say_so(alert):
    """Where the figure is missing nothing is known, and a comparison with nothing never fires."""
    (expr,) = [rule["expr"] for rule in RULES if rule["alert"] == alert]
    asked, _, absent = expr.partition(" or ")
    assert absent == f"absent({NAME.search(asked)[0]})"


def test_every_section_of_an_alert_has_its_alert():
    runbook = (DOCKER / "RUNBOOK.md").read_text()
    named = set(re.findall(r"^## ([A-Z]\w+[A-Z]\w+)$", runbook, re.MULTILINE))
    assert named == {rule["alert"] for rule in RULES}


def test_a_part_that_is_away_is_told(exported, settings):
    settings.VALKEY_URL = "unix:///nowhere/valkey.sock"
    installation.health.valkey.cache_clear()
    try:
        page = Client(REMOTE_ADDR="127.0.0.1").get("/metrics").content.decode()
    finally:
        installation.health.valkey.cache_clear()
    assert 'cardroom_part_up{part="broker"} 0.0' in page
    assert 'cardroom_part_up{part="database"} 1.0' in page
    assert "cardroom_queue_tasks{" not in page


def test_streams_are_added_up_over_processes(transactional_db, monkeypatch):
    monkeypatch.setattr(installation, "offered", lambda _: [lambda: 3])
    installation.sample({})
    monkeypatch.setattr(installation.os, "getpid", lambda: 1)
    installation.sample({})
    assert installation.listeners_everywhere() == 6
    assert b"cardroom_listeners 3.0" in metrics.text()


def test_the_first_failure_of_a_task_is_an_increase(monkeypatch):
    monkeypatch.setattr(club, "_watch", lambda: None)  # for ever, in the process of the suite
    worker_init.send(sender=app.WorkController(app=app))
    counted = 'cardroom_tasks_total{state="FAILURE",task="duty results"} 0.0'
    assert counted in metrics.text().decode()


def test_a_worker_tells_its_metrics_to_those_with_the_token(settings, monkeypatch):
    from tests.served import free_port

    settings.METRICS_TOKEN = "s3cret"
    port = free_port()
    monkeypatch.setenv("METRICS_PORT", str(port))
    exporter.serve_if_asked()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics")
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(request)
    request.add_header("Authorization", "Bearer s3cret")
    assert b"cardroom_tasks_total" in urllib.request.urlopen(request).read()

"""A worker takes one task at a time, in its main thread; each ends by its limits all the same."""

import threading
import time
from types import SimpleNamespace

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from config.celery import app
from config.processes import worker
from config.telemetry.pulse import Pulse


@pytest.fixture
def limits(monkeypatch):
    """Of this process, whose pulse is its own."""
    monkeypatch.setattr(worker, "limits", own := worker.Limits())
    monkeypatch.setattr(worker, "pulse", pulse := Pulse())
    before = worker.signal.signal(worker.INTERRUPTS, own.exceeded)
    yield own, pulse
    worker.signal.signal(worker.INTERRUPTS, before)


def task(soft=None, hard=None, asked=None):
    request = SimpleNamespace(timelimit=asked, is_eager=False)
    return SimpleNamespace(soft_time_limit=soft, time_limit=hard, request=request)


def test_a_task_is_interrupted_once_at_its_soft_limit(limits):
    own, _ = limits
    own.begin(task(soft=0.05, hard=60))
    stop = threading.Event()

    def looks():
        while not stop.wait(0.01):
            own.interrupt()

    thread = threading.Thread(target=looks)
    thread.start()
    try:
        with pytest.raises(SoftTimeLimitExceeded):
            time.sleep(60)
        time.sleep(0.05)  # it may tidy up
    finally:
        stop.set()
        thread.join()
    own.end()


def test_a_task_without_limits_has_those_of_the_settings_and_a_message_may_name_others(limits):
    own, pulse = limits
    for one, seconds in (
        (task(), app.conf.task_time_limit),
        (task(soft=1, hard=7), 7),
        (task(soft=1, hard=7, asked=(3, 2)), 3),
    ):
        own.begin(one)
        (beaten,) = pulse._beats.values()
        assert beaten - time.monotonic() == pytest.approx(seconds, abs=1)
        own.end()
    own.interrupt()  # nothing goes on


def test_a_worker_is_silent_after_the_hard_limit_and_rests_between_tasks(limits, monkeypatch):
    own, pulse = limits
    own.begin(task(soft=1, hard=2))
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 10)
    assert pulse._silence() > 7
    assert own.rests_for() == 0
    own.end()
    monkeypatch.setattr(time, "monotonic", lambda: now + 80)
    assert own.rests_for() == pytest.approx(70)


def test_who_sends_long_work_asks_for_its_worker_once_a_second(monkeypatch):
    rung = []
    monkeypatch.setattr(worker.bell, "ring", rung.append)
    monkeypatch.setattr(worker, "_rung_at", {})
    for queue in ("interactive", "alone", "batch", "slow"):
        worker.ring(routing_key=queue)
    assert rung == ["batch"]
    worker.ring(routing_key="outward")
    assert rung == ["batch", "outward"]

"""Large records are judged by a worker, within a time that a request can wait."""

from threading import Thread
from time import monotonic

import pytest
from celery import current_app
from rest_framework.test import APIClient

from cardroom.rules import record
from games.matches import records
from games.tasks import check_record
from tests.matches.scenes import opened, resigned
from tests.patience import PATIENCE, on_a_busy_machine, wait_until

VERIFY = "/api/v1/records/verify"


@pytest.fixture(autouse=True)
def by_worker(settings):
    settings.RECORD_BYTES_IN_PLACE = 0
    settings.RECORD_SECONDS = 5


@pytest.fixture
def asked(monkeypatch):
    """The names of the records that a worker was asked to judge."""
    names = []

    def send(task, args, **_):
        if task == records.CHECK:  # a thread of this process may send what earlier scenes announced
            names.extend(args)

    monkeypatch.setattr(current_app, "send_task", send)
    return names


@pytest.fixture
def worker(monkeypatch):
    """Takes a task as soon as it is sent, in a thread of its own."""
    taken = []

    def send(task, args, **_):
        if task == records.CHECK:
            taken.append(args)
            Thread(target=check_record, args=args).start()

    monkeypatch.setattr(current_app, "send_task", send)
    return taken


@pytest.fixture
def lines(ada):
    whole = records.of(resigned(opened(ada), 0))
    return record.write(whole), record.write(whole).replace(b'"seed":"', b'"seed":"00', 1)


def post(body):
    return APIClient().post(VERIFY, body, content_type="application/json")


def test_the_verdict_is_the_one_of_the_rules(lines, worker):
    assert post(lines[0]).json() == {"valid": True}
    told, fault = post(lines[1]).json(), record.verify(lines[1])
    assert told == {"valid": False, "round": fault.round, "move": fault.move, "fault": fault.fault}
    assert len(worker) == 2


def test_a_small_one_is_judged_at_once(lines, worker, settings):
    settings.RECORD_BYTES_IN_PLACE = len(lines[0])
    assert post(lines[0]).json() == {"valid": True}
    assert worker == []


def test_without_a_free_worker_it_says_when_to_try_again(lines, settings, asked):
    settings.RECORD_SECONDS = 1
    began = monotonic()
    answer = post(lines[0])
    assert 0.9 < monotonic() - began < on_a_busy_machine(5)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) > 0
    assert records._valkey().getdel(asked[0]) is None  # nothing is left behind
    check_record(asked[0])


def test_those_that_wait_leave_threads_to_the_others(lines, settings, asked):
    settings.RECORD_SECONDS = int(PATIENCE)
    waiting = [Thread(target=post, args=lines[:1]) for _ in range(settings.WEB_THREADS * 3 // 4)]
    for thread in waiting:
        thread.start()
    wait_until(lambda: len(asked) == len(waiting))
    assert post(lines[0]).status_code == 503
    assert len(asked) == len(waiting)  # it asked no worker, so it did not wait
    assert all(thread.is_alive() for thread in waiting)
    for name in asked:
        check_record(name)
    for thread in waiting:
        thread.join()
    settings.RECORD_BYTES_IN_PLACE = 10**6
    assert post(lines[0]).status_code == 200


def test_without_valkey_it_is_refused_and_no_thread_is_lost(lines, settings):
    settings.VALKEY_URL = "redis://127.0.0.1:1/0"
    assert {post(lines[0]).status_code for _ in range(settings.WEB_THREADS)} == {503}

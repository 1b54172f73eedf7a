"""The same code or refresh token twice at one moment: one family at the most comes of it."""

from threading import Barrier, Thread

import pytest
from django.db import connection

from accounts.models import Key
from accounts.programs.models import Connection

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(call, times=3):
    """The status codes of calls that began together."""
    gate, found = Barrier(times), []

    def run():
        gate.wait()
        try:
            found.append(call().status_code)
        finally:
            connection.close()

    threads = [Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found)


def test_a_code_is_redeemed_once(flow):
    code = flow.code()
    assert at_once(lambda: flow.redeem(code)) == [200, 400, 400]
    assert not Connection.objects.exists()
    assert not Key.objects.filter(connection__isnull=False).exists()


def test_a_refresh_token_is_used_once_and_answered_alike(flow):
    token, answers = flow.tokens()["refresh_token"], []

    def refresh():
        answers.append(flow.refresh(token))
        return answers[-1]

    assert at_once(refresh) == [200, 200, 200]
    assert len({answer.json()["access_token"] for answer in answers}) == 1
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1
    assert Key.objects.filter(connection__isnull=False).count() == 2  # with the first

"""Workers are killed at random moments: each cause is told, and what is repeated has the same id.

`make telling` kills 1,000 (`KILLS`). A child is a worker that has just begun; its parent owes
causes meanwhile, of which every third is rolled back, and kills it at any moment of its life.
"""

import json
import os
import random
import signal
import time
from datetime import timedelta

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections, transaction

from accounts.audit.log import Actor
from accounts.notifications import choices, delivering, endpoints
from accounts.notifications.models import Attempt, Cause, Choices, Delivery, Endpoint, Subscription
from accounts.notifications.outbox import owe
from games.operations import own_data, people

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = int(os.environ.get("KILLS", "12"))
SECONDS = (0.004, 0.045)  # of a worker's life
kept = []


def worker():
    """Runs in a child: with a database connection of its own, until it is killed."""
    try:
        mine = connections["default"]
        pools = type(mine)._connection_pools
        kept.append((mine.connection, dict(pools)))  # the parent's; they must not be closed
        pools.clear()
        mine.connection = None
        while True:
            delivering.deliver(seconds=10)
    finally:
        os._exit(1)  # a fault: it lives until it is killed


def killed(chance, number, told):
    """A worker that lives for a moment; the causes that were owed meanwhile."""
    child = os.fork()
    if child == 0:
        worker()
    end = time.monotonic() + chance.uniform(*SECONDS)
    for part in range(3):
        if owed(told, f"cause:{number}:{part}", happened=bool(part)):
            time.sleep(max(0, (end - time.monotonic()) / (3 - part)))
    time.sleep(max(0, end - time.monotonic()))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "a worker broke by itself"


def owed(told, key, *, happened):
    """Owes a cause; what did not happen is rolled back with it."""
    user, expected, never = told
    with transaction.atomic():
        owe(user.pk, "result", key, {"url": f"/{key}"})
        transaction.set_rollback(not happened)
    (expected if happened else never).add(key)
    return True


def test_each_cause_is_told_whenever_a_worker_dies(ada, hook, receiver, monkeypatch, capsys):
    monkeypatch.setattr(delivering, "LEASE", timedelta(milliseconds=20))
    told, chance = (ada, set(), set()), random.Random(KILLS)
    for number in range(KILLS):
        killed(chance, number, told)
    while Delivery.objects.filter(state="waiting").exists() or Cause.objects.filter(routed_at=None):
        delivering.deliver()
        time.sleep(0.02)
    _, expected, never = told
    keys = [body["data"]["url"].rpartition("/")[2] for body in receiver.bodies]
    assert set(keys) == expected
    assert not set(keys) & never
    # One delivery for a cause, one id for a delivery: whoever counts ids was told once.
    assert len(receiver.ids) == len(expected) == Delivery.objects.filter(state="sent").count()
    ids = {(body["id"], key) for body, key in zip(receiver.bodies, keys, strict=True)}
    assert len(ids) == len(expected)
    repeated = len(keys) - len(expected)
    assert repeated <= KILLS * delivering.THREADS
    with capsys.disabled():
        if "KILLS" in os.environ:
            print(f"\n{KILLS} kills, {len(expected)} causes: 0 lost, {repeated} calls repeated")


def test_without_kills_no_call_is_repeated(ada, hook, receiver):
    for number in range(30):
        owe(ada.pk, "result", f"cause:{number}", {})
    delivering.deliver()
    assert sorted(receiver.ids.values()) == [1] * 30


# Data of a person here is handed out to them, is deleted with them, and has no secret.


@pytest.fixture
def known(ada, ben, hook, receiver, mailed):
    mailed(ada)
    Subscription.objects.create(account=ada, endpoint="https://push.example.org/a", auth="secret a")
    owe(ada.pk, "friend", "friend:1", {"what": "asked", "person": str(ben.pk)})
    delivering.deliver()
    return ada


def test_all_of_it_is_in_the_data_of_the_person(known, hook):
    text = json.dumps(own_data.data_of(known), cls=DjangoJSONEncoder)
    assert hook.url in text
    assert '"hook"' in text
    for secret in (endpoints.secret_of(hook), hook.nonce, "secret a"):
        assert secret not in text


def test_nothing_is_left_after_an_erasure(known, ben):
    people.erase(user_id=known.pk, by=Actor.of(ben, "At their wish."))
    for model in (Attempt, Cause, Choices, Delivery, Endpoint, Subscription):
        assert not model.objects.exists()


def test_old_causes_are_forgotten_unless_somebody_waits(known, settings):
    owe(known.pk, "friend", "friend:2", {"what": "asked"})
    delivering.route()
    Cause.objects.update(created_at="2026-01-01T00:00:00Z")
    assert choices.forget_old() > 0
    assert [cause.key for cause in Cause.objects.all()] == ["friend:2"]
    settings.RETENTION = settings.RETENTION | {"notifications": 0}
    assert choices.forget_old() == 0

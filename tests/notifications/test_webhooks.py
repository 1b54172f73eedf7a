"""Webhooks: signed, repeated with a back-off, noted, turned off after too many failures."""

import base64
import hmac
from datetime import timedelta
from math import inf
from types import SimpleNamespace

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.notifications import channels, choices, delivering, endpoints, outward
from accounts.notifications.models import Attempt, Delivery, Endpoint
from accounts.notifications.outbox import Owed, owe, owe_all
from accounts.notifications.refusals import (
    GuestsHaveNoWebhooks,
    NoSuchDelivery,
    NoSuchWebhook,
    TooManyWebhooks,
    WebhookIsOff,
)
from tests.api.calls import get, post
from tests.notifications.receiver import Receiver
from tests.patience import PATIENCE, WAITING, on_a_busy_machine

pytestmark = [pytest.mark.django_db(transaction=True), WAITING]


def owe_some(user, count=1):
    owe_all(
        Owed(user.pk, "result", f"result:{n}", {"game": "pisti", "url": "/matches/1"})
        for n in range(count)
    )


def signed(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, content, "sha256")).decode()


def only():
    return Delivery.objects.get()


def test_a_program_is_called_once_with_the_facts(ada, hook, receiver, settings):
    owe_some(ada)
    assert delivering.deliver() == 1
    assert delivering.deliver() == 0
    (body,) = receiver.bodies
    assert body["type"] == "result"
    assert body["account"] == "Ada"
    assert body["data"] == {"game": "pisti", "url": f"{settings.SITE_URL}/matches/1"}
    assert only().state == "sent"
    assert Attempt.objects.get().status == 200


def test_the_signature_is_that_of_time_id_and_body(ada, hook, receiver):
    owe_some(ada)
    delivering.deliver()
    ((headers, body),) = receiver.calls
    assert headers["webhook-id"] == str(only().pk)
    assert headers["webhook-signature"] == signed(endpoints.secret_of(hook), headers, body)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 10


def test_for_a_day_after_a_new_secret_both_hold(ada, hook, receiver):
    before = endpoints.secret_of(hook)
    after = endpoints.secret_of(endpoints.rotate(account=ada.pk, endpoint_id=hook.pk))
    owe_some(ada)
    delivering.deliver()
    ((headers, body),) = receiver.calls
    both = [signed(secret, headers, body) for secret in (after, before)]
    assert headers["webhook-signature"].split(" ") == both
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        again = endpoints.headers_of(Endpoint.objects.get(), only().pk, body)
    assert len(again["webhook-signature"].split(" ")) == 1


def test_no_table_holds_the_secret(ada, hook):
    kept = " ".join(map(str, Endpoint.objects.values_list().get()))
    assert endpoints.secret_of(hook).removeprefix("whsec_") not in kept


def test_what_fails_is_tried_for_two_days_with_the_same_id(ada, hook, receiver):
    receiver.status = 500
    owe_some(ada)
    delivering.deliver()
    begun = timezone.now()
    with time_machine.travel(begun, tick=False) as clock:
        for _ in delivering.AGAIN_AFTER:
            row = only()
            assert (row.state, row.status, row.why) == ("waiting", 500, "refused")
            clock.move_to(row.next_at + timedelta(seconds=1))
            Delivery.objects.update(next_at=begun - timedelta(days=1))  # the database's clock
            delivering.deliver()
        assert timedelta(hours=44) < timezone.now() - begun < timedelta(hours=49)
    assert only().state == "failed"
    assert len(receiver.ids) == 1
    assert len(receiver.calls) == len(delivering.AGAIN_AFTER) + 1 == Attempt.objects.count()


def test_a_success_after_failures_ends_it(ada, hook, receiver):
    receiver.status = 503
    owe_some(ada)
    delivering.deliver()
    receiver.status = 204
    Delivery.objects.update(next_at=timezone.now())
    delivering.deliver()
    assert only().state == "sent"
    assert Endpoint.objects.get().failures == 0


def test_no_redirect_is_followed(ada, hook, receiver):
    receiver.status, receiver.headers = 302, {"location": receiver.url}
    owe_some(ada)
    delivering.deliver()
    assert len(receiver.calls) == 1
    assert only().why == "redirect"


def test_a_webhook_that_fails_too_often_is_turned_off(ada, hook, receiver, monkeypatch):
    monkeypatch.setattr(delivering, "MOST_FAILURES", 3)
    receiver.status = 500
    owe_some(ada, 6)
    delivering.deliver()
    assert Endpoint.objects.get().disabled == "failures"
    owe(ada.pk, "result", "result:later", {})
    delivering.deliver()
    assert {one.state for one in Delivery.objects.all()} == {"skipped"}
    receiver.status = 200
    endpoints.change(account=ada.pk, endpoint_id=hook.pk, enabled=True)
    owe(ada.pk, "result", "result:new", {})
    delivering.deliver()
    assert Delivery.objects.filter(state="sent").count() == 1


def test_one_that_is_gone_is_turned_off_at_once(ada, hook, receiver):
    receiver.status = 410
    owe_some(ada)
    delivering.deliver()
    assert Endpoint.objects.get().disabled == "gone"


def test_a_delivery_is_made_again_by_hand_with_its_id(ada, hook, receiver):
    owe_some(ada)
    delivering.deliver()
    endpoints.resend(account=ada.pk, endpoint_id=hook.pk, delivery_id=only().pk)
    delivering.deliver()
    assert receiver.ids == {str(only().pk): 2}


@pytest.fixture
def hangs(receiver, monkeypatch):
    """`hangs(20)`, one that answers when the other one was called so often. Then time is up."""
    monkeypatch.setitem(outward.post.__kwdefaults__, "seconds", PATIENCE)
    opened = []

    def hangs(calls, status=200):
        def is_over():
            return len(receiver.calls) >= calls

        def monotonic():
            return inf if is_over() else 0.0

        monkeypatch.setattr(delivering, "time", SimpleNamespace(monotonic=monotonic))
        opened.append(Receiver(status, until=is_over))
        return opened[-1]

    yield hangs
    for one in opened:
        one.close()


def test_a_receiver_that_hangs_keeps_nobody_waiting(ada, ben, hook, receiver, hangs):
    slow = hangs(20)
    endpoints.create(user=ben, url=slow.url, kinds=["result"])
    owe_all(Owed(ben.pk, "result", f"slow:{n}", {}) for n in range(12))
    owe_some(ada, 20)
    delivering.deliver()
    assert len(receiver.calls) == 20
    assert len(slow.calls) == delivering.PER_ENDPOINT


def shaky(user, number, receiver, failures=1):
    """So many webhooks whose last call failed, each with two causes to tell."""
    for n in range(number):
        Endpoint.objects.create(
            account=user, url=receiver.url, kinds=["result"], nonce=str(n), failures=failures
        )
    owe_all(Owed(user.pk, "result", f"shaky:{n}", {}) for n in range(2))


def test_however_many_hang_half_of_the_threads_are_free(ada, ben, hook, receiver, hangs):
    slow = hangs(20, 500)
    shaky(ben, delivering.THREADS, slow)
    delivering.route()
    owe_some(ada, 20)
    delivering.deliver()
    first = [headers["webhook-id"] for headers, _ in slow.calls[: delivering.MOST_SHAKY]]
    assert len(slow.calls) == delivering.MOST_SHAKY == len(set(first))
    assert len(receiver.calls) == 20


def test_what_answers_is_called_on_while_the_last_calls_hang(ada, ben, hook, receiver, monkeypatch):
    monkeypatch.setitem(outward.post.__kwdefaults__, "seconds", PATIENCE)
    monkeypatch.setattr(delivering, "LONGER", PATIENCE)
    slow = Receiver(500, until=lambda: receiver.calls)
    shaky(ben, 1, slow)
    later = timezone.now() + timedelta(seconds=0.7)
    owe_all([Owed(ada.pk, "result", "result:later", {}, later)])
    delivering.deliver(seconds=0.3)
    assert (len(slow.calls), len(receiver.calls)) == (1, 1)
    slow.close()


def test_a_call_ends_when_its_time_is_up(ada, hook, receiver, monkeypatch):
    receiver.seconds = 2
    answer = outward.post(receiver.url, b"{}", {}, seconds=0.3)
    assert (answer.status, answer.why) == (None, "timeout")
    assert answer.milliseconds < on_a_busy_machine(1500)


def test_a_worker_that_died_with_a_delivery_leaves_it_due(ada, hook, receiver):
    owe_some(ada)
    delivering.route()
    assert len(delivering.take_deliveries(5)) == 1  # and dies
    assert delivering.take_deliveries(5) == []
    assert delivering.deliver() == 0
    Delivery.objects.update(next_at=timezone.now())  # the lease is over
    delivering.deliver()
    assert only().state == "sent"


def test_a_cause_that_cannot_be_said_keeps_no_other_waiting(ada, hook, receiver, mailed):
    mailed(ada, mail=["your_turn"])
    owe(ada.pk, "your_turn", "turn:broken", {"what": "a newer release knows"})
    delivering.route()
    Delivery.objects.update(next_at=timezone.now())
    owe_some(ada)
    delivering.deliver()
    assert len(receiver.calls) == 2
    assert Delivery.objects.get(channel="mail").why == "broken"


class TestWhose:
    def test_a_guest_has_none(self, guest, inside):
        with pytest.raises(GuestsHaveNoWebhooks):
            endpoints.create(user=guest, url="https://example.org", kinds=["result"])

    def test_as_many_as_the_limit(self, ada, settings):
        settings.LIMITS = settings.LIMITS | {"webhooks": 1}
        endpoints.create(user=ada, url="https://example.org", kinds=["result"])
        with pytest.raises(TooManyWebhooks):
            endpoints.create(user=ada, url="https://example.org", kinds=["result"])

    def test_nobody_reaches_another_persons(self, ada, ben, hook):
        owe_some(ada)
        delivering.deliver()
        mine = {"account": ben.pk, "endpoint_id": hook.pk}
        for act in (endpoints.find, endpoints.rotate, endpoints.delete, endpoints.deliveries_of):
            with pytest.raises(NoSuchWebhook):
                act(**mine)
        with pytest.raises(NoSuchWebhook):
            endpoints.change(**mine, url="https://example.org")
        own = endpoints.create(user=ben, url="https://example.org", kinds=["result"])
        with pytest.raises(NoSuchDelivery):
            endpoints.resend(account=ben.pk, endpoint_id=own.pk, delivery_id=only().pk)

    def test_one_that_is_off_is_sent_nothing_by_hand(self, ada, hook):
        owe_some(ada)
        delivering.deliver()
        endpoints.change(account=ada.pk, endpoint_id=hook.pk, enabled=False)
        with pytest.raises(WebhookIsOff):
            endpoints.resend(account=ada.pk, endpoint_id=hook.pk, delivery_id=only().pk)


# Test calls, and what was sent and answered (issue 61, point 6).


def test_a_ping_is_sent_once_to_one_webhook(ada, hook, receiver):
    endpoints.create(user=ada, url=receiver.url, kinds=["result"])
    sent = endpoints.ping(account=ada.pk, endpoint_id=hook.pk, url="/here")
    assert endpoints.ping(account=ada.pk, endpoint_id=hook.pk, url="/here") == sent
    delivering.deliver()
    (body,) = receiver.bodies
    assert (body["type"], body["id"]) == ("ping", str(sent.pk))
    assert body["data"]["url"].endswith("/here")
    again = endpoints.ping(account=ada.pk, endpoint_id=hook.pk, url="/here")
    assert again != sent
    receiver.status = 500
    delivering.deliver()
    again.refresh_from_db()
    assert (again.state, again.status) == ("failed", 500)
    assert Endpoint.objects.get(pk=hook.pk).failures == 0
    endpoints.change(account=ada.pk, endpoint_id=hook.pk, enabled=False)
    with pytest.raises(WebhookIsOff):
        endpoints.ping(account=ada.pk, endpoint_id=hook.pk, url="/here")


@pytest.mark.parametrize("is_public", [True, False])
def test_for_a_week_its_owner_reads_what_was_sent_and_answered(
    ada, hook, receiver, keyed, monkeypatch, is_public
):
    """An answer from a private network tells nothing of it."""
    monkeypatch.setattr(outward, "is_public", lambda _number: is_public)
    receiver.status, receiver.answer = 500, b"No such \0 table"
    at = f"accounts/me/webhooks/{hook.pk}"
    made = post(keyed(ada), f"{at}/ping")
    assert made.status_code == 201
    delivering.deliver()
    (row,) = get(keyed(ada), f"{at}/deliveries").json()["results"]
    ((_, sent),) = receiver.calls
    assert row["body"].encode() == sent
    assert row["tries"][0]["answer"] == ("No such  table" if is_public else "")
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        choices.forget_old()
        late = endpoints.deliveries_of(account=ada.pk, endpoint_id=hook.pk).get()
        assert channels.shown_call(late) == ""
    assert Attempt.objects.get().answer == ""


def test_several_deliveries_are_read_by_as_many_queries_as_one(ada, hook, receiver, keyed):
    program, costs = keyed(ada), set()
    for count in range(4):
        endpoints.ping(account=ada.pk, endpoint_id=hook.pk, url="/here")
        delivering.deliver()
        with CaptureQueriesContext(connection) as seen:
            rows = get(program, f"accounts/me/webhooks/{hook.pk}/deliveries").json()["results"]
        assert len(rows) == 1 + count
        costs |= {len(seen)} if count else set()  # the first use of a key is noted
    assert len(costs) == 1

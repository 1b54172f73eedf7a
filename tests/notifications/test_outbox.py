"""A cause is written with what caused it, once, and only for who wants to be told."""

import pytest
from django.contrib.auth.models import Group
from django.db import transaction

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from accounts.notifications import delivering, endpoints, outbox
from accounts.notifications.models import Cause, Choices, Delivery, Endpoint
from accounts.notifications.outbox import Owed, owe, owe_all
from accounts.social import services
from games.operations import people
from tests.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def wants():
    def choose(user, *kinds):
        return Choices.objects.create(account=user, mail=list(kinds))

    return choose


def test_nothing_is_written_for_who_has_chosen_nothing(ada):
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_is_written_once_for_a_key(ada, wants):
    wants(ada, "challenge")
    assert owe_all([Owed(ada.pk, "challenge", "challenge:1", {"game": "pisti"})]) == 1
    assert owe_all([Owed(ada.pk, "challenge", "challenge:1", {"game": "pazaak"})]) == 0
    assert Cause.objects.get().payload == {"game": "pisti"}


def test_a_kind_that_nobody_wants_is_not_written(ada, wants):
    wants(ada, "result")
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_a_program_wants_it_as_well(ada):
    Endpoint.objects.create(account=ada, url="https://example.org/", kinds=["result"], nonce="x")
    owe(ada.pk, "result", "result:1", {})
    assert Cause.objects.get().kind == "result"


def test_nothing_is_told_that_did_not_happen(ada, wants):
    wants(ada, "challenge")
    with transaction.atomic():
        owe(ada.pk, "challenge", "challenge:1", {})
        transaction.set_rollback(True)
    assert not Cause.objects.exists()


def test_a_closed_account_is_told_nothing(ada, wants):
    wants(ada, "challenge")
    ada.is_active = False
    ada.save()
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_friends_ask_and_accept(ada, ben, wants):
    wants(ada, "friend"), wants(ben, "friend")
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    causes = Cause.objects.order_by("id").values_list("account", "payload")
    assert list(causes) == [
        (ben.pk, {"what": "asked", "person": str(ada.pk)}),
        (ada.pk, {"what": "accepted", "person": str(ben.pk)}),
    ]


def test_operators_write_to_a_person(ada, ben, wants):
    wants(ada, "operator")
    people.message(user_id=ada.pk, by=Actor.of(ben, "A report."), text="Choose another name.")
    assert Cause.objects.get().payload == {"notice": str(ada.notices.get().pk)}


# The queue in the admin: what waits and what failed, once more by hand, and nobody's secrets.

LIST = "/admin/notifications/delivery/"


@pytest.fixture
def delivery(ada):
    url = "https://example.org/a-secret-path"
    endpoints.create(user=ada, url=url, kinds=["friend"])
    owe(ada.pk, "friend", "friend:1", {"what": "a-secret-word"})
    delivering.route()
    Delivery.objects.update(state="failed", next_at=None, status=500, attempts=8)
    return Delivery.objects.get()


def staff(role):
    user = User.objects.create_user(role, is_staff=True)
    user.groups.set(Group.objects.filter(name=role))
    return client_of(user)


def press(client, *rows):
    chosen = {"action": "retry", "_selected_action": [str(row.pk) for row in rows]}
    return client.post(LIST, chosen)


def test_what_failed_is_tried_again_and_logged(delivery):
    assert press(staff("referee"), delivery).status_code == 302
    row = Delivery.objects.get()
    assert (row.state, row.attempts) == ("waiting", 0)
    assert Entry.objects.get().action == "retry_delivery"


def test_what_was_sent_is_not_sent_again(delivery):
    Delivery.objects.update(state="sent")
    press(staff("referee"), delivery)
    assert Delivery.objects.get().state == "sent"


def test_who_may_only_look_cannot(delivery):
    press(staff("viewer"), delivery)
    assert Delivery.objects.get().state == "failed"


def test_no_page_tells_what_a_person_was_told_or_the_path_of_a_webhook(delivery):
    client, cause = staff("viewer"), Cause.objects.get()
    for path in (
        *(LIST, f"{LIST}{delivery.pk}/change/", "/admin/notifications/cause/"),
        f"/admin/notifications/cause/{cause.pk}/change/",
        *("/admin/notifications/endpoint/",),
        f"/admin/notifications/endpoint/{delivery.endpoint_id}/change/",
    ):
        text = client.get(path).content.decode()
        assert "a-secret" not in text, path


def test_the_figures_say_what_is_due_and_what_failed(delivery):
    values = {figure.name: figure.value for figure in outbox.queue_figures()}
    assert values["cardroom_deliveries_failed"] == 1
    assert values["cardroom_delivery_overdue_seconds"] == 0
    endpoints.again(delivery)
    values = {figure.name: figure.value for figure in outbox.queue_figures()}
    assert values["cardroom_deliveries_due"] == 1
    assert values["cardroom_delivery_overdue_seconds"] > 0

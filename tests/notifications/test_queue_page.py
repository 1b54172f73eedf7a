"""The queue in the admin: what waits and what failed, once more by hand, and nobody's secrets."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.audit.models import Entry
from accounts.models import User
from accounts.notifications import delivering, endpoints, outbox
from accounts.notifications.models import Cause, Delivery
from accounts.notifications.outbox import owe

pytestmark = pytest.mark.django_db
LIST = "/admin/notifications/delivery/"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


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
    client = Client()
    client.force_login(user, BACKEND)
    return client


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

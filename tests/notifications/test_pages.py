"""The page of choices and that of a webhook, by forms alone."""

import re

import pytest

from accounts.notifications import delivering, endpoints
from accounts.notifications.choices import choices_of
from accounts.notifications.models import Delivery, Endpoint, Subscription
from accounts.notifications.outbox import owe
from tests.conftest import BACKEND

pytestmark = pytest.mark.django_db
HERE = "/accounts/notifications/"
TIMES = {"time_zone": "Europe/Prague", "quiet_from": "22:00", "quiet_until": "07:00"}


@pytest.fixture
def page(client, ada, settings):
    settings.MAIL_IS_SET_UP, settings.VAPID_PRIVATE_KEY = True, "0" * 42 + "E"
    ada.email = "ada@example.org"
    ada.save()
    client.force_login(ada, BACKEND)
    return client


def chosen(**more):
    mail = dict.fromkeys([f"mail_{kind}" for kind in _kinds()], "off")
    return mail | TIMES | more


def _kinds():
    from accounts.notifications.models import KINDS

    return KINDS


def test_what_is_chosen_is_kept_and_shown(page, ada):
    sent = chosen(mail_your_turn="mail", mail_result="daily", push_friend="on")
    assert page.post(HERE, sent).status_code == 302
    row = choices_of(ada.pk)
    assert (row.mail, row.daily, row.push) == (["your_turn"], ["result"], ["friend"])
    text = page.get(HERE).content.decode()
    assert 'value="22:00"' in text
    assert 'value="Europe/Prague"' in text
    assert "ada@example.org" in text  # it has yet to be confirmed


def test_a_fault_is_said_and_nothing_kept(page, ada):
    answer = page.post(HERE, chosen(time_zone="Mars/Olympus", mail_result="mail"))
    assert answer.status_code == 422
    assert "There is no such time zone." in answer.content.decode()
    assert choices_of(ada.pk).mail == []


def test_channels_that_are_not_set_up_are_not_offered(client, ada, settings):
    settings.MAIL_IS_SET_UP, settings.VAPID_PRIVATE_KEY = False, ""
    client.force_login(ada, BACKEND)
    text = client.get(HERE).content.decode()
    assert "mail_result" not in text
    assert "push_result" not in text
    assert 'id="subscribe"' not in text
    assert client.post(HERE, TIMES).status_code == 302


def test_the_secret_of_a_webhook_is_shown_once(page, ada):
    new = {"url": "https://example.org/", "kinds": ["result"], "name": "Mine"}
    answer = page.post(f"{HERE}webhooks/", new)
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    assert len(re.findall(r"whsec_[\w+/=]+", answer.content.decode())) == 1
    hook = Endpoint.objects.get()
    for path in (HERE, f"{HERE}webhooks/{hook.pk}/"):
        assert "whsec_" not in page.get(path).content.decode()
    renewed = page.post(f"{HERE}webhooks/{hook.pk}/secret/")
    assert "whsec_" in renewed.content.decode()


def test_an_address_inside_is_refused_in_words(page):
    answer = page.post(f"{HERE}webhooks/", {"url": "https://127.0.0.1/", "kinds": ["result"]})
    assert answer.status_code == 422
    assert "The address belongs to a private network." in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_webhook_is_watched_sent_again_turned_off_and_deleted(page, ada, hook, receiver):
    owe(ada.pk, "result", "result:1", {})
    delivering.deliver()
    here, delivery = f"{HERE}webhooks/{hook.pk}/", Delivery.objects.get()
    assert "200, " in page.get(here).content.decode()
    page.post(f"{here}ping/")
    delivering.deliver()
    assert receiver.bodies[-1]["type"] == "ping"
    text = page.get(here).content.decode()
    assert "A test call" in text
    assert "&quot;type&quot;:&quot;ping&quot;" in text
    Delivery.objects.filter(cause__kind="ping").delete()
    page.post(f"{here}deliveries/{delivery.pk}/")
    assert Delivery.objects.get().state == "waiting"
    page.post(f"{here}change/")
    assert Endpoint.objects.get().disabled == "owner"
    page.post(f"{here}deliveries/{delivery.pk}/")
    assert Delivery.objects.get().state == "skipped"
    page.post(f"{here}change/", {"enabled": "on"})
    assert Endpoint.objects.get().disabled == ""
    page.post(f"{here}delete/")
    assert not Endpoint.objects.exists()


def test_another_persons_webhook_is_not_there(page, ben, inside):
    hook = endpoints.create(user=ben, url="https://example.org/", kinds=["result"])
    here = f"{HERE}webhooks/{hook.pk}/"
    assert page.get(here).status_code == 404
    for act in ("change/", "secret/", "ping/", "delete/", f"deliveries/{hook.pk}/"):
        assert page.post(f"{here}{act}").status_code == 404
    assert Endpoint.objects.get().account == ben


def test_another_persons_browser_stays(page, ben):
    endpoint = "https://push.example.org/ben"
    row = Subscription.objects.create(account=ben, endpoint=endpoint, p256dh="x", auth="x")
    page.post(f"{HERE}browsers/{row.pk}/remove/")
    assert Subscription.objects.exists()

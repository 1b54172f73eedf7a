"""Messages to browsers: encrypted for one, signed by the service, forgotten when it is gone."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import call_command
from py_vapid import Vapid02

from accounts.notifications import delivering, endpoints
from accounts.notifications.models import Choices, Delivery, Subscription
from accounts.notifications.outbox import owe
from accounts.notifications.refusals import (
    BadSubscription,
    ChannelIsOff,
    ForbiddenAddress,
    TooManyBrowsers,
)

pytestmark = pytest.mark.django_db(transaction=True)


def text(content):
    return urlsafe_b64encode(content).rstrip(b"=").decode()


class Browser:
    """A browser's keys of a subscription."""

    def __init__(self, endpoint):
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), b"sixteen letters!"
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.given = {"endpoint": endpoint, "p256dh": text(point), "auth": text(self.secret)}

    def read(self, body):
        plain = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        return json.loads(plain)


@pytest.fixture
def key(settings, capsys):
    call_command("push_keys")
    lines = dict(line.split("=", 1) for line in capsys.readouterr().out.split() if "=" in line)
    settings.VAPID_PRIVATE_KEY = lines["VAPID_PRIVATE_KEY"]
    return settings.VAPID_PRIVATE_KEY


@pytest.fixture
def browser(receiver, ada, key):
    browser = Browser(receiver.url)
    endpoints.subscribe_browser(user=ada, **browser.given)
    Choices.objects.create(account=ada, push=["friend"])
    return browser


def friend(user, other, number=1):
    owe(user.pk, "friend", f"friend:{number}", {"what": "asked", "person": str(other.pk)})


def test_a_browser_alone_can_read_it(ada, ben, browser, receiver):
    friend(ada, ben)
    delivering.deliver()
    ((headers, body),) = receiver.calls
    shown = browser.read(body)
    assert shown.keys() == {"title", "body", "url", "tag"}
    assert shown["title"] == "Ben wants to be your friend"
    assert b"Ben" not in body
    assert headers["content-encoding"] == "aes128gcm"
    assert len(headers["topic"]) == 32
    assert headers["Authorization"].startswith("vapid t=")
    assert Delivery.objects.get().state == "sent"


def test_the_service_signs_with_its_key(ada, ben, browser, receiver, key, settings):
    friend(ada, ben)
    delivering.deliver()
    ((headers, _),) = receiver.calls
    assert Vapid02.verify(headers["Authorization"])
    token = headers["Authorization"].split("t=")[1].split(",")[0]
    claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
    assert claims["sub"] == settings.VAPID_CONTACT
    assert endpoints.push_key() in headers["Authorization"]


@pytest.mark.parametrize("status", [404, 410])
def test_one_that_is_gone_is_forgotten(ada, ben, browser, receiver, status):
    receiver.status = status
    friend(ada, ben)
    delivering.deliver()
    assert not Subscription.objects.exists()
    assert delivering.deliver() == 0


def test_one_that_fails_for_now_is_tried_again(ada, ben, browser, receiver):
    receiver.status = 429
    friend(ada, ben)
    delivering.deliver()
    assert Delivery.objects.get().state == "waiting"


def test_a_shared_browser_is_the_last_persons(ada, ben, browser, receiver):
    endpoints.subscribe_browser(user=ben, **browser.given)
    friend(ada, ben)
    delivering.deliver()
    assert receiver.calls == []


def test_without_a_key_there_is_none(ada, settings, receiver):
    settings.VAPID_PRIVATE_KEY = ""
    assert endpoints.push_key() == ""
    with pytest.raises(ChannelIsOff):
        endpoints.subscribe_browser(user=ada, **Browser(receiver.url).given)


def test_an_address_inside_is_refused(ada, key, settings):
    with pytest.raises(ForbiddenAddress):
        endpoints.subscribe_browser(user=ada, **Browser("https://127.0.0.1/push").given)


@pytest.mark.parametrize("wrong", [{"p256dh": "x"}, {"auth": "x"}, {"p256dh": "é"}, {"auth": ""}])
def test_what_cannot_be_encrypted_for_is_refused(ada, key, receiver, wrong):
    with pytest.raises(BadSubscription):
        endpoints.subscribe_browser(user=ada, **(Browser(receiver.url).given | wrong))


def test_as_many_as_the_limit(ada, browser, receiver, settings):
    settings.LIMITS = settings.LIMITS | {"browsers": 1}
    endpoints.subscribe_browser(user=ada, **browser.given)
    with pytest.raises(TooManyBrowsers):
        endpoints.subscribe_browser(user=ada, **Browser(receiver.url + "2").given)

"""Mail over a real socket: a mail server of this process gets what Django sends."""

import email
from email import policy
from urllib.parse import urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from django.test import Client

from accounts.notifications import delivering
from accounts.notifications.models import Attempt, Choices, Delivery
from accounts.notifications.outbox import owe
from tests.served import free_port

pytestmark = pytest.mark.django_db(transaction=True)


class Kept(Message):
    """Answers as a server does; keeps each mail as a reader's program sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.mails = []
        self.refuses = ""

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if self.refuses:
            return self.refuses
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def prepare_message(self, session, envelope):
        return email.message_from_bytes(envelope.content, policy=policy.default)

    def handle_message(self, message):
        self.mails.append(message)


@pytest.fixture
def server(settings):
    kept = Kept()
    controller = Controller(kept, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = controller.hostname, controller.port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.DEFAULT_FROM_EMAIL = "Cardroom <cards@example.org>"
    yield kept
    controller.stop()


@pytest.fixture
def friend(ada, ben, mailed):
    ben.display_name = "Çiğdem Ş."
    ben.save()
    mailed(ada)

    def owed(number=1):
        owe(ada.pk, "friend", f"friend:{number}", {"what": "asked", "person": str(ben.pk)})
        delivering.deliver()

    return owed


def test_what_arrives_has_both_parts_and_the_names_of_its_kind(server, friend, settings):
    friend()
    (mail,) = server.mails
    assert mail["To"] == "ada@example.org"
    assert mail["From"] == "Cardroom <cards@example.org>"
    assert mail["Subject"] == "Çiğdem Ş. wants to be your friend"
    delivery = Delivery.objects.get()
    assert mail["Message-ID"] == f"<{delivery.pk}@{urlsplit(settings.SITE_URL).hostname}>"
    assert mail["Auto-Submitted"] == "auto-generated"
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert "Çiğdem Ş. wants to be your friend" in plain.get_content()
    assert '<html lang="en">' in html.get_content()
    assert max(len(line) for line in bytes(mail).splitlines()) < 998  # RFC 5322
    assert (delivery.state, delivery.status) == ("sent", 250)


def test_one_click_ends_it_without_a_session(server, friend, settings):
    """As mail programs do it (RFC 8058): a POST from elsewhere, with no cookie and no token."""
    friend()
    (mail,) = server.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip(" <>")
    assert address.startswith(f"{settings.SITE_URL}/")
    program = Client(enforce_csrf_checks=True)
    answer = program.post(urlsplit(address).path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert Choices.objects.get().mail == []
    friend(2)
    assert len(server.mails) == 1


@pytest.mark.parametrize(
    ("answer", "state"), [("550 No such person", "failed"), ("451 Come back later", "waiting")]
)
def test_a_server_that_refuses_is_believed(server, friend, answer, state):
    server.refuses = answer
    friend()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.why) == (state, int(answer[:3]), "refused")
    assert Attempt.objects.get().status == int(answer[:3])


def test_a_server_that_is_away_is_asked_again(server, friend, settings):
    settings.EMAIL_PORT = 1
    friend()
    assert Delivery.objects.get().why == "no_connection"
    assert Delivery.objects.get().state == "waiting"

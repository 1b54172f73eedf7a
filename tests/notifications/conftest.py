"""Webhooks to this machine, and mail that is kept."""

import pytest

from accounts.notifications import endpoints
from accounts.notifications.models import KINDS, Choices
from tests.notifications.receiver import Receiver


@pytest.fixture
def inside(settings):
    """As an operator sets it for programs of the own network."""
    settings.OUTWARD = {"private": True, "http": True, "ports": [], "refused": []}


@pytest.fixture
def receiver(inside):
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def hook(receiver, ada):
    """Ada's program is told of everything."""
    return endpoints.create(user=ada, url=receiver.url, kinds=KINDS)


@pytest.fixture
def mailed(settings):
    """A person who has confirmed the address and wants mail of everything at once."""
    settings.MAIL_IS_SET_UP = True

    def choose(user, **more):
        user.email = f"{user.username.lower()}@example.org"
        user.save()
        chosen = {"mail": list(KINDS), "mail_address": user.email} | more
        return Choices.objects.update_or_create(account=user, defaults=chosen)[0]

    return choose

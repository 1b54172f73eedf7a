"""Decks of ten, and somebody who owns them."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from decks import services
from decks.models import Deck
from tests.conftest import client_of

PLUSES = ("P1", "P1", "P2", "P2", "P3", "P3", "P4", "P4", "P5", "P5")
MIXED = ("PM1", "PM2", "PM3", "PM4", "M5", "M6", "PM12", "F24", "D", "T")


@pytest.fixture
def deck(ada: User) -> Deck:
    return services.create_deck(owner=ada.pk, name="Pluses", cards=PLUSES)


@pytest.fixture
def browser() -> Client:
    """Somebody who has not signed in, and runs no scripts."""
    return Client()


@pytest.fixture
def browsing() -> Callable[[User], Client]:
    def client(user: User) -> Client:
        return client_of(user)

    return client


@pytest.fixture
def operator(db: None) -> Client:
    browser = Client()
    browser.force_login(User.objects.create_superuser("root", password="a long and quiet evening"))
    return browser

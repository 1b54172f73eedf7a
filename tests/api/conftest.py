"""Programs of the people in a scene."""

import pytest
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from rest_framework.test import APIClient

from accounts import services
from config.api.scopes import SCOPES
from tests.api.roads import Roads


@pytest.fixture
def one_transaction(db):
    """A request's end must not close the connection that the scene is rolled back on."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def stranger(cleo, keyed) -> APIClient:
    """Cleo's program; she has no seat anywhere."""
    return keyed(cleo)


@pytest.fixture
def key(ada) -> str:
    return services.issue_key(user=ada, scopes=SCOPES).secret


@pytest.fixture
def roads(transactional_db):
    for cache in ("default", "memory"):
        caches[cache].clear()
    found = Roads()
    yield found
    found.close()

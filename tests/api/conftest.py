"""Programs of the people in a scene."""

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from rest_framework.test import APIClient


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

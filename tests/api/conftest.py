"""Programs of the people in a scene."""

import pytest
from rest_framework.test import APIClient


@pytest.fixture
def stranger(cleo, keyed) -> APIClient:
    """Cleo's program; she has no seat anywhere."""
    return keyed(cleo)

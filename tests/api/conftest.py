"""Programs of the people in a scene."""

import pytest
from rest_framework.test import APIClient


@pytest.fixture
def first(ada, keyed) -> APIClient:
    """Ada's program."""
    return keyed(ada)


@pytest.fixture
def second(ben, keyed) -> APIClient:
    """Ben's program."""
    return keyed(ben)


@pytest.fixture
def stranger(cleo, keyed) -> APIClient:
    """Cleo's program; she has no seat anywhere."""
    return keyed(cleo)

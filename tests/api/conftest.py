"""Programs of the people in a scene."""

import pytest
from rest_framework.settings import api_settings
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


@pytest.fixture
def rates(monkeypatch):
    """Sets throttles for one scene: `rates(moves="3/min")`."""

    def set_rates(**rates: str) -> None:
        known = {**api_settings.DEFAULT_THROTTLE_RATES, **rates}
        monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", known)

    return set_rates

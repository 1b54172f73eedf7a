"""People at browsers without JavaScript."""

import pytest

from tests.web.browsing import Browser, signed_in


@pytest.fixture
def stranger(db) -> Browser:
    return Browser()


@pytest.fixture
def at_home(ada) -> Browser:
    """Ada's browser."""
    return signed_in(ada)

"""Nobody has asked for anything yet when an account's scene begins."""

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    for cache in ("default", "memory"):
        caches[cache].clear()

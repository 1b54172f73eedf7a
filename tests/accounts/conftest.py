"""Every scene of an account begins with empty counts of requests."""

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    for cache in ("default", "memory"):
        caches[cache].clear()

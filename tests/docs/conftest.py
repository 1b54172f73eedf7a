"""The site as `make docs` builds it, once for all that look at it; the service of the examples."""

from pathlib import Path

import pytest

from docs.building import build
from tests.clients.conftest import sessions, url  # noqa: F401


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documentation") / "site"
    build(folder)
    return folder

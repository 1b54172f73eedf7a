import pytest

from config import health


@pytest.mark.django_db
def test_database_up():
    assert health.check()["database"] == "up"

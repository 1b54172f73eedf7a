"""Users whom the whole suite knows, programs that hold their keys, and the count of tests."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.services import keys, people
from tests.counting import Counting

PASSWORD = "a long and quiet evening"


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counting())


@pytest.fixture
def ada(db: None) -> User:
    return people.register(username="Ada", password=PASSWORD)


@pytest.fixture
def ben(db: None) -> User:
    return people.register(username="Ben", password=PASSWORD)


@pytest.fixture
def cleo(db: None) -> User:
    return people.register(username="Cleo", password=PASSWORD)


@pytest.fixture
def guest(db: None) -> User:
    return people.open_guest()


@pytest.fixture
def api() -> APIClient:
    return APIClient()


@pytest.fixture
def holding() -> Callable[[str], APIClient]:
    """A program that sends this key."""

    def client(secret: str) -> APIClient:
        program = APIClient()
        program.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
        return program

    return client


@pytest.fixture
def keyed(holding: Callable[[str], APIClient]) -> Callable[[User], APIClient]:
    """A program with a new key of this user's."""
    return lambda user: holding(keys.issue(user=user).secret)

"""Settings as an administrator makes them."""

import pytest

from config import club


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


@pytest.fixture
def put(committed):
    """Sets something as an administrator would."""

    def put(name, given):
        with committed():
            club.change(name=name, given=given, by="somebody")

    return put

"""Clients of streams. Streams read in a thread of their own, so scenes are really written."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.api.calls import get
from tests.live.listening import Heard

LINES = "application/x-ndjson"


@pytest.fixture
def listen(transactional_db: None) -> Iterator[Callable[..., Heard]]:
    """`listen(client, "stream")`, closed at the end."""
    opened: list[Heard] = []

    def hear(client: APIClient, path: str, query: Any = None, **headers: str) -> Heard:
        opened.append(Heard(get(client, path, query, **headers)))
        return opened[-1]

    yield hear
    for heard in opened:
        heard.close()


@pytest.fixture
def hear(listen: None) -> Iterator[Callable[..., Heard]]:
    """The page's stream of a browser."""
    opened: list[Heard] = []

    def begin(client: Client, query: str = "") -> Heard:
        opened.append(Heard(client.get(f"/stream?{query}")))
        return opened[-1]

    yield begin
    for heard in opened:
        heard.close()

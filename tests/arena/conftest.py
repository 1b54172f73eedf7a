import pytest

from games.rules import catalog
from tests.arena.toy import TOY


@pytest.fixture
def toy(monkeypatch):
    """The toy game, played by the house for the length of a test."""
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, TOY))
    return TOY

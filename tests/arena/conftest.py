import pytest

from cardroom.arena import ranking
from cardroom.rules import catalog
from tests.arena.toy import TOY


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    """Tables are as wide as in a file, however wide the window is that runs the tests."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def few_resamples(monkeypatch):
    """Intervals of ratings that nobody looks at closely."""
    monkeypatch.setattr(ranking, "RESAMPLES", 20)


@pytest.fixture
def toy(monkeypatch):
    """The toy game, played by the house for the length of a test."""
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, TOY))
    return TOY

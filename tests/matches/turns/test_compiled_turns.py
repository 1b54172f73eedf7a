"""A worker's process has the compiled searches before the first player needs them."""

import pytest

from cardroom.arena import compiled_code
from cardroom.fast import kernel
from cardroom.rules import catalog
from games import compiled_turns
from tests.patience import wait_until


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """A cache folder of its own; what is noted there is taken for compiled, and runs as Python."""
    monkeypatch.setattr(compiled_code, "installed", lambda: True)
    monkeypatch.setattr(kernel, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(kernel, "_loaded", set())
    return lambda slug: (tmp_path / f"{slug}.searches.warm").touch()


@pytest.fixture
def nothing_asked(monkeypatch):
    monkeypatch.setattr(compiled_turns, "_loading", set())
    monkeypatch.setattr(compiled_turns, "_ready", set())
    monkeypatch.setattr(compiled_turns, "PAUSE", 0.01)


def searching(slug):
    """A bot of this game that searches."""
    game = catalog.find(slug)
    return game, next(bot for bot in game.bots if compiled_code.has_search(game, bot))


def test_what_is_compiled_is_loaded_and_nothing_else(compiled):
    assert not compiled_code.load_searches("pazaak")
    compiled("pazaak")
    assert compiled_code.load_searches("pazaak")
    assert not compiled_code.load_searches("pisti")
    assert kernel._loaded == {"pazaak.searches"}


def test_the_first_turn_of_a_bot_that_searches_has_its_game_loaded(compiled, nothing_asked):
    """By the rules it plays meanwhile, also while its form is still being compiled."""
    game, bot = searching("pazaak")
    assert compiled_turns.quick_if_loaded(game, bot) is bot
    assert compiled_turns._loading == {"pazaak"}
    compiled("pazaak")
    wait_until(lambda: compiled_turns._ready)
    assert compiled_turns.quick_if_loaded(game, bot) is not bot
    assert kernel._loaded == {"pazaak.searches"}


def test_a_bot_that_does_not_search_has_nothing_loaded(compiled, nothing_asked, monkeypatch):
    """Nor where kernels are off: a process that needs no compiler imports none."""
    game = catalog.find("pisti")
    assert compiled_turns.quick_if_loaded(game, game.bot("greedy")) == game.bot("greedy")
    monkeypatch.setattr(compiled_code, "installed", lambda: False)
    compiled_turns.quick_if_loaded(*searching_by_rules())
    assert compiled_turns._loading == set()


def searching_by_rules():
    game = catalog.find("pazaak")
    return game, next(bot for bot in game.bots if compiled_code.searches(bot))

"""A worker's process has the compiled searches before the first player needs them."""

from threading import Event

import pytest

from games import compiled_turns
from games.arena import compiled_code
from games.fast import warming
from tests.patience import PATIENCE

SEARCHING = ("pazaak", "pisti", "shithead")


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """A cache folder of its own; what is noted there is taken for compiled, and runs as Python."""
    monkeypatch.setattr(compiled_code, "installed", lambda: True)
    monkeypatch.setattr(warming, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warming, "_loaded", set())
    return lambda slug: (tmp_path / f"{slug}.searches.warm").touch()


def test_what_is_compiled_is_loaded_and_nothing_else(compiled):
    assert not compiled_code.load_searches()
    compiled("pazaak")
    assert not compiled_code.load_searches()  # one is left
    assert warming._loaded == {"pazaak.searches"}
    for slug in SEARCHING:
        compiled(slug)
    assert compiled_code.load_searches()
    assert warming._loaded == {f"{slug}.searches" for slug in SEARCHING}


def test_a_process_of_a_worker_loads_them_by_itself(compiled, monkeypatch):
    monkeypatch.setattr(compiled_turns, "FIRST", 0)
    monkeypatch.setattr(compiled_turns, "PAUSE", 0.01)
    monkeypatch.setattr(compiled_turns, "quicker_forms", [])
    done, load = Event(), compiled_turns.load_searches
    monkeypatch.setattr(compiled_turns, "load_searches", lambda: [load(), done.set()])
    compiled_turns.use_compiled_searches()
    for slug in SEARCHING:
        compiled(slug)  # compiled while it waits
    assert done.wait(PATIENCE)
    assert warming._loaded == {f"{slug}.searches" for slug in SEARCHING}


def test_where_kernels_are_off_there_is_nothing_to_load():
    assert compiled_code.load_searches()

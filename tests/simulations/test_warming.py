"""Kernels are compiled when a worker for simulations starts, in a process of their own."""

from types import SimpleNamespace

import pytest

from games.arena import compiled_code
from games.simulations import warming


@pytest.mark.parametrize(
    ("worker", "installed", "compiles"),
    [("batch", True, True), ("interactive", True, False), ("batch", False, False)],
)
def test_only_the_worker_for_simulations_compiles(monkeypatch, worker, installed, compiles):
    started = []
    monkeypatch.setattr(compiled_code, "installed", lambda: installed)
    monkeypatch.setattr(warming.subprocess, "Popen", lambda words, **_: started.append(words[1:]))
    warming.compile_kernels(SimpleNamespace(hostname=f"{worker}@here"))
    assert started == ([["-m", "games.fast.warming"]] if compiles else [])

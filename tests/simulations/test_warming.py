"""Kernels are compiled when a worker for simulations starts, in a process of their own."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from cardroom.arena import compiled_code
from games.simulations import warming


@pytest.mark.parametrize(
    ("worker", "installed", "compiles"),
    [("batch", True, True), ("interactive", True, False), ("batch", False, False)],
)
def test_only_the_worker_for_simulations_compiles(
    monkeypatch, settings, tmp_path, worker, installed, compiles
):
    """Once: a later start finds what it noted, until a source has changed."""
    settings.STATE, started = tmp_path, []
    monkeypatch.setattr(compiled_code, "installed", lambda: installed)
    monkeypatch.setattr(warming.subprocess, "Popen", lambda words, **_: started.append(words[1:]))
    warming.compile_kernels(SimpleNamespace(hostname=f"{worker}@here"))
    assert [words[:2] for words in started] == (
        [["-m", "cardroom.fast.warming"]] if compiles else []
    )
    for _, _, note, sources in started:
        Path(note).write_text(sources)
    warming.compile_kernels(SimpleNamespace(hostname=f"{worker}@here"))
    assert len(started) == compiles

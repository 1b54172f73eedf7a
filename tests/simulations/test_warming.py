"""Kernels are compiled when a worker for simulations starts, in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardroom.arena import compiled_code
from cardroom.fast import compiling
from cardroom.rules.pisti import rules
from games.simulations import work


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
    monkeypatch.setattr(work.subprocess, "Popen", lambda words, **_: started.append(words[1:]))
    work.compile_kernels(SimpleNamespace(hostname=f"{worker}@here"))
    assert [words[:2] for words in started] == (
        [["-m", "cardroom.fast.kernel"]] if compiles else []
    )
    for _, _, note, sources in started:
        Path(note).write_text(sources)
    work.compile_kernels(SimpleNamespace(hostname=f"{worker}@here"))
    assert len(started) == compiles


def test_what_is_compiled_is_looked_at_for_changes():
    looked_at = set(work.files())
    assert {Path(compiling.__file__), Path(rules.__file__)} <= looked_at
    assert any(path.suffix == ".table" for path in looked_at)


COMPILE = """
from cardroom.fast.compiling import outer
import cardroom.fast.pisti
@outer
def twice(number):
    return 2 * number
assert twice(21) == 42
"""


def test_compiled_code_lies_in_the_state_and_not_in_the_package_or_at_home(tmp_path):
    """`serve` names that folder; without it a command uses the user's cache."""
    (tmp_path / "compile.py").write_text(COMPILE)
    state, home = tmp_path / "kernels", tmp_path / "home"
    named = {"CARDROOM_KERNEL_CACHE": str(state), "HOME": str(home), "CARDROOM_KERNELS": "compiled"}
    named |= {"PYTHONPATH": str(work.LIBRARY.parent)}
    kept = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"}
    subprocess.run([sys.executable, tmp_path / "compile.py"], env=kept | named, check=True)
    assert [file.suffix for file in state.rglob("*.nb?") if file.suffix == ".nbi"] == [".nbi"]
    assert not home.exists()
    assert not list(work.LIBRARY.rglob("*.nb?"))

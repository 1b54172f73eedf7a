"""The contract is tried by authors who have the rules and nothing of the service."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

TREE = Path(__file__).parents[2]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The rules, the contract's tests and one game, in a folder where Django cannot be imported."""
    (tmp_path / "cardroom").mkdir()
    shutil.copy(TREE / "cardroom/__init__.py", tmp_path / "cardroom")
    for part in ("cardroom/rules", "cardroom/contract"):
        shutil.copytree(TREE / part, tmp_path / part)
    shutil.copytree(TREE / "tests/fifth_game", tmp_path / "tests/fifth_game")
    for absent in ("django", "rest_framework", "numpy", "celery"):
        (tmp_path / f"{absent}.py").write_text("raise ImportError('It is not installed here.')\n")
    leaky = "from tests.fifth_game import GAME as HONEST\nfrom dataclasses import replace\n"
    leaky += "def tells(state, seat, move, shuffle):\n"
    leaky += "    raise RuntimeError('no play today')\n"
    leaky += "GAME = replace(HONEST, play=tells)\n"
    (tmp_path / "broken_game.py").write_text(leaky)
    return tmp_path


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    variables = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    variables |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    program = [sys.executable, "-m", *arguments]
    return subprocess.run(
        program,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_command_prints_a_line_for_each_check_and_ends_with_a_status(elsewhere: Path) -> None:
    kept = run(elsewhere, "cardroom.contract", "tests.fifth_game:GAME", "--times", "1")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    lines = kept.stdout.splitlines()
    assert len(lines) > 25
    assert all(line.startswith("ok ") for line in lines)
    broken = run(elsewhere, "cardroom.contract", "broken_game", "--only", "cards_are_conserved")
    assert broken.returncode == 1
    head, _, rule, *fault = broken.stdout.splitlines()
    assert head.startswith("BROKEN")
    assert rule == "No card is lost, doubled or made up. [cards_are_conserved]"
    assert "RuntimeError: no play today" in fault
    assert any(line.startswith("High Card, seed ") for line in fault)
    unknown = run(elsewhere, "cardroom.contract", "no_such_game:GAME")
    assert unknown.returncode == 2
    assert unknown.stdout.startswith("no_such_game:GAME cannot be imported: No module named")


@pytest.mark.sweep
def test_pytest_runs_the_same_checks(elsewhere: Path) -> None:
    named = ("--pyargs", "cardroom.contract", "-q", "--times", "1", "-p", "no:cacheprovider")
    kept = run(elsewhere, "pytest", *named, "--game", "tests.fifth_game:GAME")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert " passed" in kept.stdout
    broken = run(elsewhere, "pytest", *named, "--game", "broken_game", "-k", "cards_are_conserved")
    assert broken.returncode == 1
    assert "No card is lost, doubled or made up." in broken.stdout
    assert "Falsifying example" in broken.stdout or "Failing test case" in broken.stdout
    nobody = run(elsewhere, "pytest", *named)
    assert nobody.returncode != 0
    assert "Name a game to be checked: --game my_game:GAME" in nobody.stdout + nobody.stderr

"""Scopa, the game in ``examples/scopa``: written by the road of the documentation, kept by it.

Here it goes through what a game may break: its rules, its words and its pages. What a service does
with any game from outside is tried with a new one (``test_newgame.py``); ``make fuzz`` and ``make
game GAME=./examples/scopa`` leave nothing out.
"""

import subprocess
import sys
from pathlib import Path

from games.rules import catalog
from games.rules import import_check as imports
from tests.outside.process import ROOT, tried
from tests.rules.playing import FUZZING

FOLDER = ROOT / "examples" / "scopa"
BIN = Path(sys.executable).parent
ROOMS = ("tests/research", "tests/rules", "tests/web")


def test_it_passes_what_a_game_of_the_house_passes():
    rooms = ("",) if FUZZING else ROOMS
    done = tried(
        FOLDER, "-p", "no:cacheprovider", long=bool(FUZZING), rooms=rooms, capture_output=True
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(done.stdout.rsplit(" passed", 1)[0].split()[-1]) > 130


def test_it_is_typed():
    done = subprocess.run(
        [BIN / "mypy", "--strict", "--config-file=", "--exclude", "/table.py", "scopa_cardroom"],
        cwd=FOLDER,
        env={"PATH": str(BIN), "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_it_keeps_the_contracts_of_imports(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    assert list(imports.faults("scopa_cardroom")) == []


def test_it_is_no_game_of_the_house():
    assert "scopa" not in catalog.slugs()

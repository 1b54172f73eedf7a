"""Checks of every game of ``examples``, each in a test file of its own."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from cardroom.rules.game import AnyGame
from tests.outside.process import ROOT, tried
from tests.rules.playing import FUZZING

EXAMPLES = ROOT / "examples"
ROOMS = ("tests/research", "tests/rules", "tests/web")  # where a game itself may break something


def game_of(module: str) -> AnyGame:
    game: AnyGame = import_module(module).GAME
    return game


def passes(folder: Path, rooms: Sequence[str] = ROOMS) -> int:
    """How many tests there were; all of the suite that know games where we fuzz."""
    done = tried(
        folder,
        *("-p", "no:cacheprovider", "-m", "not browser"),
        long=bool(FUZZING),
        rooms=("",) if FUZZING else rooms,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return int(done.stdout.rsplit(" passed", 1)[0].split()[-1])

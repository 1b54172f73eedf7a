"""A process of its own for tests: there an outside game is in the catalogue before anything is
collected, so it goes through whatever is parametrised by game."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from games.newgame.announcing import announce
from games.rules import outside

# They look at every game at once, so no slug is in their names.
OF_ALL_GAMES = (
    *("test_no_game_is_left_out", "test_the_reasons_name_games_of_the_catalogue"),
    *(
        "test_every_bot_is_of_the_house",
        "test_a_known_bot_plays_the_games_that_have_it",
        "test_fifth_game.py",
    ),
)
ANOTHERS = ("PYTEST_", "TEST_DATABASE")  # it has a database of its own
ROOT = Path(__file__).resolve().parent.parent.parent


def environment(folder: Path, beside: Path) -> tuple[dict[str, str], list[str]]:
    """The variables under which the games of a folder are installed, and their slugs."""
    slugs = announce(folder, beside)
    path = os.pathsep.join([str(beside), str(folder.resolve())])
    ours = {name: value for name, value in os.environ.items() if not name.startswith(ANOTHERS)}
    own = {"PYTHONPATH": path, outside.SWITCH: "1", "VALKEY_DATABASE_OF": "a process of its own"}
    return ours | own, slugs


def tried(folder: Path, *more: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs the game's own tests and those of the suite that name its slug."""
    with TemporaryDirectory() as beside:
        known, slugs = environment(folder, Path(beside))
        own = [str(path) for path in sorted(folder.resolve().glob("*/tests"))]
        chosen = " or ".join([*slugs, *OF_ALL_GAMES])
        command = [sys.executable, "-m", "pytest", "-q", "tests", *own, "-k", chosen, *more]
        return subprocess.run(command, cwd=ROOT, env=known, text=True, check=False, **options)

"""A process of its own for tests: there an outside game is in the catalogue before anything is
collected, so it goes through whatever is parametrised by game."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cardroom.rules import outside
from games.newgame.scaffold import announce

# They look at every game at once, so no slug is in their names.
OF_ALL_GAMES = (
    *("test_no_game_is_left_out", "test_the_reasons_name_games_of_the_catalogue"),
    *(
        "test_every_bot_is_of_the_house",
        "test_a_known_bot_plays_the_games_that_have_it",
        "test_fifth_game.py",
    ),
)
# Each does in one long test what others do one by one, or makes what no game changes anew:
# `make sweeps` leaves them out for games from outside, `make game` and `make soak` do not.
LONG_FILES = (
    "tests/api/test_generated_client.py",
    "tests/api/test_strict_document.py",
    "tests/matches/test_service_machine.py",
    "tests/security/test_secrets_of_running_matches.py",
)
LONG = ("test_one_of_each", "test_reads_the_deck_in_the_pages_of_a_child_called_off")
ANOTHERS = ("PYTEST_", "TEST_DATABASE")  # it has a database of its own
IF_NOT_A_WORKERS = ("MIGRATED_DATABASE",)  # which is there as long as that worker
BY_GAME = re.compile(r"every_game|\bGAMES\b|catalog\.slugs|OF_THE_HOUSE")
ROOT = Path(__file__).resolve().parent.parent.parent


def environment(folder: Path, beside: Path) -> tuple[dict[str, str], list[str]]:
    """The variables under which the games of a folder are installed, and their slugs."""
    slugs = announce(folder, beside)
    path = os.pathsep.join([str(beside), str(folder.resolve())])
    left = ANOTHERS if "PYTEST_XDIST_WORKER" in os.environ else (*ANOTHERS, *IF_NOT_A_WORKERS)
    ours = {name: value for name, value in os.environ.items() if not name.startswith(left)}
    own = {"PYTHONPATH": path, outside.SWITCH: "1", "VALKEY_DATABASE_OF": "a process of its own"}
    return ours | own, slugs


def files() -> list[str]:
    """Where tests are parametrised by game. To collect all others would take seconds."""
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    chosen = (path for path in tests if BY_GAME.search(path.read_text("utf-8")))
    return [path.relative_to(ROOT).as_posix() for path in chosen if "e2e" not in path.parts]


def tried(
    folder: Path, *more: str, long: bool = True, rooms: Sequence[str] = ("",), **options: Any
) -> subprocess.CompletedProcess[str]:
    """Runs the game's own tests and those of the suite that name its slug.

    ``rooms`` are the folders of tests to which that is limited.
    """
    with TemporaryDirectory() as beside:
        known, slugs = environment(folder, Path(beside))
        own = [str(path) for path in sorted(folder.resolve().glob("*/tests"))]
        chosen = " or ".join([*slugs, *OF_ALL_GAMES])
        everything = ["-m", "not browser"] if long else []  # sweeps, too
        where = [name for name in files() if name.startswith(tuple(rooms))]
        if not long:
            chosen = f"({chosen}) and not ({' or '.join(LONG)})"
            where = [name for name in where if name not in LONG_FILES]
        command = [sys.executable, "-m", "pytest", "-q", *where, *own, "-k", chosen]
        command += ["-p", "no:schemathesis", *everything, *more]
        return subprocess.run(command, cwd=ROOT, env=known, text=True, check=False, **options)

"""The library without Django: built from this tree, installed, and played."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import call_command

from cardroom.rules import outside
from cardroom.rules.outside import CONTRACT

ROOT = Path(__file__).resolve().parent.parent.parent
UV = Path(sys.executable).with_name("uv")

A_MATCH = """
import sys
from random import Random
from cardroom.rules import catalog, record
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup

for game in catalog.GAMES:
    options, rng = game.options(), Random(7)
    setups = [game.complete_setup(options, Setup(name)) for name in "ABCD"[: game.seats(options)]]
    state = game.start(options, setups, seeded(rng)).state
    for _ in range(200_000):
        if game.outcome(state) is not None:
            break
        seat = game.to_act(state)[0]
        move = rng.choice(game.legal_moves(state, seat))
        state = game.play(state, seat, move, seeded(rng)).state
    print(game.slug, game.outcome(state) is not None)
assert record.FORMAT
print(sorted({name.split(".")[0] for name in sys.modules} & {"django", "celery", "config"}))
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an empty environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run(["make", "packages", f"PACKAGES={folder}/built"], cwd=ROOT, check=True)
    (wheel,) = (folder / "built" / "dist").glob("cardroom-*.whl")
    python = folder / "venv" / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    install = [UV, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel]
    subprocess.run(install, check=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    ours = find_spec("msgspec")  # the one library that it needs, without a registry
    shutil.copytree(Path(str(ours.origin)).parent, site / "msgspec")
    return python


def test_a_match_of_every_game_is_played_without_django(alone, tmp_path):
    played = subprocess.run(
        [alone, "-c", A_MATCH], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    *games, libraries = played.stdout.splitlines()
    assert games == ["pisti True", "pazaak True", "shithead True", "pyanitsa True"]
    assert libraries == "[]"


def test_a_side_deck_is_examined_without_django(alone, tmp_path):
    command = [alone, "-m", "cardroom", "doctor", "climber", "--field", "daredevil"]
    done = subprocess.run(
        [*command, "--deals", "20"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "in plain Python" in done.stdout
    assert "The Daredevil" in done.stdout


def test_its_version_begins_with_that_of_the_contract():
    text = (ROOT / "cardroom/pyproject.toml").read_text("utf-8")
    version = tomllib.loads(text)["project"]["version"]
    assert tuple(map(int, version.split(".")[:2])) == CONTRACT


def test_its_contract_is_run_by_pytest_from_anywhere(alone, tmp_path):
    """The option ``--game`` is there because the wheel announces it: no folder of ours is near."""
    (site,) = alone.parent.parent.glob("lib/python*/site-packages")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--times", "1"]
    command += ["--pyargs", "cardroom.contract", "-k", "cards_are_conserved"]
    done = subprocess.run(
        [*command, "--game", "cardroom.rules.pisti:GAME"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


OF_THE_PACKAGE = """
from cardroom.rules import catalog
(one,) = catalog.INSTALLED
print(one.entry.written, one.game.slug, one.game.max_seats, (one.folder / "RULES.md").exists())
"""


def test_a_game_is_installed_beside_the_rules_as_make_run_does(alone, tmp_path):
    call_command("newgame", "tapers", folder=tmp_path / "tapers")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (flags,) = re.findall(r"--overrides \S+ --constraints \S+", makefile)
    install = [UV, "pip", "install", "--quiet", "--offline", "--python", alone, *flags.split()]
    subprocess.run([*install, tmp_path / "tapers"], cwd=ROOT, check=True)
    told = subprocess.run(
        [alone, "-c", OF_THE_PACKAGE],
        cwd=tmp_path,
        env={outside.SWITCH: "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout == "tapers-cardroom 0.1.0 tapers 5 True\n"

"""One strategy against each level of its game (issue 61, point 5)."""

import subprocess
import sys

import pytest

from cardroom.arena.gauntlet import gauntlet, main
from docs.building import ROOT

MINE = """
def clever(view, events, rng):
    return max(view.legal_moves, key=int)

def helper(one, other):
    return one
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "gauntlet_bot.py"
    path.write_text(MINE, "utf-8")
    monkeypatch.delitem(sys.modules, "gauntlet_bot", raising=False)
    return path


def test_a_file_is_played_against_each_level(toy, file, capsys):
    usual = ["--game", "toy", "--matches", "20", "--jobs", "1"]
    assert main([str(file), *usual]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split()[:3] == ["level", "computer", "score"]
    opponents = [line.split()[1] for line in lines]
    assert "gauntlet_bot" not in str(opponents)
    assert len(opponents) == len(set(opponents)) > 1
    assert [int(line.split()[0]) for line in lines] == sorted(
        int(line.split()[0]) for line in lines
    )
    for one in gauntlet("toy", "gauntlet_bot:clever", matches=20):
        assert one.score.low <= one.score.value <= one.score.high
        assert (one.matches, one.bot in opponents) == (20, True)


def test_the_same_seed_plays_the_same_matches(toy):
    one, other = (list(gauntlet("toy", "high", matches=7, seed=3)) for _ in range(2))
    assert one == other
    assert {rung.matches for rung in one} == {8}  # whole sequences of two seats
    low = next(rung for rung in one if rung.bot == "low")
    assert low.verdict == "beaten"
    assert "high" not in {rung.bot for rung in one}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.py", "--game", "toy"], "There is no file missing.py"),
        (["high", "--game", "nothing"], "There is no game 'nothing'"),
        (["nobody", "--game", "toy"], "has no bot 'nobody'"),
        (["high", "--game", "toy", "--option", "colour=green"], "colour"),
    ],
)
def test_what_cannot_be_played_is_said(toy, capsys, arguments, said):
    assert main([*arguments, "--jobs", "1"]) == 2
    assert said in capsys.readouterr().err


def test_of_several_strategies_one_is_named(toy, file, capsys):
    file.write_text(MINE + MINE.replace("clever", "bold"), "utf-8")
    assert main([str(file), "--game", "toy"]) == 2
    assert "clever, bold" in capsys.readouterr().err
    usual = ["--game", "toy", "--matches", "4", "--jobs", "1"]
    assert main([str(file), *usual, "--function", "bold"]) == 0


def test_it_is_a_command_of_the_library():
    done = subprocess.run(
        [sys.executable, "-m", "cardroom"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "gauntlet" in done.stderr

"""A command that was stopped goes on, and prints and writes what it would have at once."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.management.commands.arena import Command as Arena
from games.management.terminal import JOURNAL_NAME, Journal

BOTS = ("low", "random", "high")
STOPS = {"after": None}
pytestmark = pytest.mark.usefixtures("few_resamples")


def run(folder, *more):
    out = StringIO()
    call_command(
        Arena(), "toy", *BOTS, "--matches", "30", "--seed", "4", "--jobs", "1", "--out",
        str(folder), *more, stdout=out, stderr=StringIO(),
    )  # fmt: skip
    return out.getvalue()


def files(folder: Path):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != JOURNAL_NAME}


@pytest.fixture
def played(monkeypatch):
    """The parts that were played, not read."""
    parts, noted = [], Journal.note

    def note(self, part, result):
        if len(parts) == STOPS.get("after"):
            raise KeyboardInterrupt
        parts.append(part)
        noted(self, part, result)

    monkeypatch.setattr(Journal, "note", note)
    monkeypatch.setitem(STOPS, "after", None)
    return parts


def stopped(folder, after, monkeypatch):
    """A command that was interrupted once so many parts were played."""
    monkeypatch.setitem(STOPS, "after", after)
    with pytest.raises(CommandError, match="Stopped"):
        run(folder)
    monkeypatch.setitem(STOPS, "after", None)


def test_a_tournament_goes_on_with_the_parts_that_are_left(toy, tmp_path, played, monkeypatch):
    run(tmp_path / "whole")
    whole, count = files(tmp_path / "whole"), len(played)
    played.clear()
    half = tmp_path / "half"
    stopped(half, 37, monkeypatch)
    with (half / JOURNAL_NAME).open("ab") as file:
        file.write(b'["cut off in the mid')  # as a kill leaves it
    run(half, "--resume")
    assert len(played) == count
    assert files(half) == whole
    assert not (half / JOURNAL_NAME).exists()


def test_without_resume_a_command_begins_anew(toy, tmp_path, played, monkeypatch):
    stopped(tmp_path, 5, monkeypatch)
    played.clear()
    run(tmp_path)
    anew = len(played)
    run(tmp_path)
    assert len(played) == 2 * anew


def test_another_contest_of_the_same_folder_is_not_taken_for_this_one(
    toy, tmp_path, played, monkeypatch
):
    stopped(tmp_path, 5, monkeypatch)
    played.clear()
    call_command(
        Arena(), "toy", "high", "low", "--matches", "30", "--seed", "5", "--jobs", "1", "--out",
        str(tmp_path), "--resume", stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    assert sum(part.games for part in played) == 30


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--resume",), "--resume goes with the --out and the --seed"),
        (("--resume", "--out", "."), "--resume goes with the --out and the --seed"),
    ],
)
def test_what_resuming_needs_is_said(toy, more, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command(Arena(), "toy", "high", "low", "--matches", "2", *more, stdout=StringIO())


def test_a_folder_without_a_journal_cannot_go_on(toy, tmp_path):
    with pytest.raises(CommandError, match=f"There is no {JOURNAL_NAME} in"):
        run(tmp_path, "--resume")


def test_a_line_that_is_no_part_is_named(toy, tmp_path):
    (tmp_path / JOURNAL_NAME).write_text("[1, 2]\n")
    with pytest.raises(CommandError, match="line 1, is no part"):
        run(tmp_path, "--resume")

"""Tables as wide as they are asked to be, with every name whole; pictures for the colour-blind."""

import os
import re
from io import StringIO
from pathlib import Path

import numpy
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from matplotlib import colormaps
from matplotlib.figure import Figure

from cardroom.arena import ranking
from cardroom.arena.ranking import RankingRow
from cardroom.arena.statistics import Interval
from games.management.commands.arena import Command as Arena
from games.management.commands.simulate import Command as Simulate
from games.management.terminal import JOURNAL_NAME, Journal
from tests.arena.test_commands import run
from tests.arena.toy import TOY

pytestmark = pytest.mark.usefixtures("few_resamples")


def widest(text):
    return max(len(line) for line in text.splitlines() if line[:1] in "┏┃┡│└╭╰├")


@pytest.mark.parametrize("columns", ["80", "100", "200"])
def test_tables_follow_columns_where_there_is_no_terminal(toy, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    text = run(Arena(), "toy", "high", "low", "--matches", "20", "--seed", "1", "--jobs", "1")
    assert widest(text) <= int(columns)
    assert "high" in text


@pytest.mark.parametrize("columns", ["10", "40", "nonsense", "0"])
def test_no_word_is_cut_however_narrow_it_is(toy, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    bots = [bot.slug for bot in TOY.bots]
    text = run(
        Arena(), "toy", *bots, "--matches", "8", "--seed", "1", "--jobs", "1", "--round-robin"
    )
    assert "…" not in text
    heading = text[text.index("Round robin") :].partition("┡")[0]
    for bot in bots:
        assert f"│ {bot} " in text
        assert bot in re.split(r"[\s┃]+", heading)  # against whom
    seats = run(Simulate(), "toy", "--games", "20", "--seed", "1", "--jobs", "1")
    assert "…" not in seats
    assert os.environ["COLUMNS"] == columns


def rows():
    even, ahead = Interval(0.5, 0.4, 0.6), Interval(0.9, 0.8, 1.0)
    behind = Interval(0.1, 0.0, 0.2)
    return [
        RankingRow("best", 0.9, {"middle": even, "last": ahead}),
        RankingRow("middle", 0.5, {"best": even, "last": even}),
        RankingRow("last", 0.1, {"best": behind, "middle": even}),
    ]


RATINGS = {
    "best": Interval(1710.0, 1650.0, 1790.0),
    "middle": Interval(1500.0, 1450.0, 1550.0),
    "last": Interval(1290.0, 1250.0, 1330.0),
}


@pytest.fixture
def sheets(monkeypatch):
    made = []

    class Kept(Figure):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

    monkeypatch.setattr(ranking, "sheet_type", lambda: Kept)
    return made


@pytest.mark.parametrize("even", [0.5, 0.25])
def test_even_is_the_middle_of_the_colours_and_of_the_ratings(sheets, tmp_path, even):
    ranking.draw(rows(), RATINGS, tmp_path / "table.png", even)
    scores, ratings = sheets[0].axes
    (image,) = scores.images
    assert float(image.norm(even)) == pytest.approx(0.5)
    assert (image.norm.vmin, image.norm.vmax) == (0, 1)
    low, high = ratings.get_xlim()
    assert (low + high) / 2 == pytest.approx(1500)
    assert low < 1250
    assert high > 1790
    assert any(list(line.get_xdata()) == [1500, 1500] for line in ratings.lines)


def test_better_and_worse_differ_for_the_colour_blind():
    colours = colormaps[ranking.COLOURS]
    # Confusion of red and green: what is left of a colour by Viénot, Brettel and Mollon (1999).
    seen = numpy.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]])
    worse, even, better = (seen @ numpy.array(colours(at)[:3]) for at in (0.1, 0.5, 0.9))
    for one, other in ((worse, even), (even, better), (worse, better)):
        assert numpy.abs(one - other).sum() > 0.4


def test_numbers_can_be_read_on_every_colour(sheets, tmp_path):
    ranking.draw(rows(), RATINGS, tmp_path / "table.png")
    scores = sheets[0].axes[0]
    (image,) = scores.images
    for text in scores.texts:
        along, across = text.get_position()
        share = image.get_array()[across][along]
        red, green, blue, _ = image.cmap(image.norm(share))
        light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
        ink = 1.0 if text.get_color() == "white" else 0.014
        high, low = max(light, ink), min(light, ink)
        assert (high + 0.05) / (low + 0.05) > 4.5, (share, text.get_color())


# A command that was stopped goes on, and prints and writes what it would have at once.

BOTS = ("low", "random", "high")
STOPS = {"after": None}


def resuming_run(folder, *more):
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
        resuming_run(folder)
    monkeypatch.setitem(STOPS, "after", None)


def test_a_tournament_goes_on_with_the_parts_that_are_left(toy, tmp_path, played, monkeypatch):
    resuming_run(tmp_path / "whole")
    whole, count = files(tmp_path / "whole"), len(played)
    played.clear()
    half = tmp_path / "half"
    stopped(half, 37, monkeypatch)
    with (half / JOURNAL_NAME).open("ab") as file:
        file.write(b'["cut off in the mid')  # as a kill leaves it
    resuming_run(half, "--resume")
    assert len(played) == count
    assert files(half) == whole
    assert not (half / JOURNAL_NAME).exists()


def test_without_resume_a_command_begins_anew(toy, tmp_path, played, monkeypatch):
    stopped(tmp_path, 5, monkeypatch)
    played.clear()
    resuming_run(tmp_path)
    anew = len(played)
    resuming_run(tmp_path)
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
        resuming_run(tmp_path, "--resume")


def test_a_line_that_is_no_part_is_named(toy, tmp_path):
    (tmp_path / JOURNAL_NAME).write_text("[1, 2]\n")
    with pytest.raises(CommandError, match="line 1, is no part"):
        resuming_run(tmp_path, "--resume")

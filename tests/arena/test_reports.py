import builtins
import csv
import json
import struct
import sys

import msgspec
import pytest

from cardroom.arena import reports
from cardroom.arena.reports import Report, summarize, write
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import PlotsMissing

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def report(toy):
    simulation = describe(
        "toy", values={"players": 3, "max_rounds": 5}, bots=["high", "random"], games=200, seed=1
    )
    figures = run_part(simulation, Part(0, 200))
    return Report(simulation, summarize(simulation, figures), figures)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_summary_says_what_the_figures_hold(report):
    summary, figures = report.summary, report.figures
    assert summary.matches == 200
    assert summary.length == "plies"
    assert list(summary.measures) == ["rounds", "plies"]
    assert summary.unfinished.value == figures.reasons["limit"] / 200
    assert [seat.bot for seat in summary.seats] == ["high", "random", "random"]
    assert [bot.bot for bot in summary.bots] == ["high", "random"]
    assert summary.seats[0].won == summary.bots[0].won == figures.seats[0].won
    assert summary.bots[1].points == pytest.approx(
        (figures.seats[1].points + figures.seats[2].points) / 400
    )
    assert summary.events["card_laid"] == pytest.approx(summary.measures["plies"].mean.value)


def test_seats_name_no_bot_where_the_bots_rotate():
    simulation = describe("toy", bots=["high", "low"], games=4, swap=True)
    summary = summarize(simulation, run_part(simulation, Part(0, 4)))
    assert [seat.bot for seat in summary.seats] == ["", ""]


def test_the_json_file_holds_everything(report, tmp_path):
    written = write(report, tmp_path / "new" / "folder")
    text = (tmp_path / "new" / "folder" / "simulation.json").read_bytes()
    assert msgspec.json.decode(text, type=Report) == report
    assert json.loads(text)["simulation"]["options"]["players"] == 3
    assert all(path.exists() for path in written)


def test_the_tables_beside_it_agree(report, tmp_path):
    write(report, tmp_path)
    lengths = rows(tmp_path / "lengths.csv")
    assert lengths[0] == ["plies", "matches", "share_longer"]
    assert lengths[1] == ["0", "0", "1.0"]
    assert sum(int(row[1]) for row in lengths[1:]) == 200
    assert float(lengths[-1][2]) == 0
    seats = rows(tmp_path / "seats.csv")
    assert [row[1] for row in seats] == ["bot", "high", "random", "random"]
    assert [int(row[3]) for row in seats[1:]] == [seat.won for seat in report.summary.seats]
    measures = rows(tmp_path / "measures.csv")
    assert [row[0] for row in measures] == ["measure", "rounds", "plies"]
    assert all(len(row) == len(measures[0]) for row in measures)


def test_the_pictures_are_drawn(report, tmp_path):
    drawn = reports.draw(report, tmp_path)
    assert [path.name for path in drawn] == ["length.png", "survival.png", "wins.png"]
    for path in drawn:
        head = path.read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", head[16:]) == (1080, 600)


def test_without_the_library_the_figures_are_there_and_the_error_says_what_to_install(
    report, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlotsMissing, match=r"pip install 'cardroom\[arena\]'"):
        reports.draw(report, tmp_path)


def test_the_plotting_library_is_imported_only_to_draw(monkeypatch):
    real_import = builtins.__import__

    def no_plots(name, *args, **kwargs):
        assert not name.startswith("matplotlib")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_plots)
    for module in [name for name in sys.modules if name.startswith("cardroom.arena.reports")]:
        monkeypatch.delitem(sys.modules, module)
    import cardroom.arena.reports  # noqa: F401

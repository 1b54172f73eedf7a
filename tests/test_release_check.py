"""A loss by the release check: more than 5 % in every round, and never a figure that swings."""

from types import SimpleNamespace

import pytest

from tests import release
from tests.bench.versions import CHECKED, ROWS


@pytest.mark.parametrize(
    ("row", "ours_theirs", "lost"),
    [
        (1, [(106, 100), (107, 100), (120, 100)], True),
        (1, [(106, 100), (104, 100), (120, 100)], False),
        (1, [(90, 100), (95, 100)], False),
        (3, [(900, 1000), (940, 1000)], True),
        (3, [(900, 1000), (960, 1000)], False),
        (3, [(1200, 1000), (1100, 1000)], False),
        (11, [(103, 100), (104, 100)], True),  # half of it is the person's move
        (11, [(102, 100), (104, 100)], False),
    ],
)
def test_a_loss_is_one_in_every_round(row, ours_theirs, lost):
    assert ROWS[row].is_lost(ours_theirs) is lost


def test_a_difference_too_small_to_matter_is_none():
    assert not ROWS[1].is_lost([(0.2, 0.1)], least=0.2)
    assert ROWS[1].is_lost([(0.5, 0.1)], least=0.2)


def test_each_checked_row_can_be_alternated():
    assert set(CHECKED) <= ROWS.keys()


def test_a_release_is_compared_as_a_check_which_can_refuse_it(monkeypatch, tmp_path):
    """Without --check the figures are printed, and no loss ends anything."""
    made = []
    options = SimpleNamespace(against="v0.1.0", only=None)
    monkeypatch.setattr(release, "_options", lambda: options)
    monkeypatch.setattr(release, "_faults", lambda: iter(()))
    monkeypatch.setattr(release, "_sections", lambda: {release.VERSION: ("", "news")})
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "OUT", tmp_path / "out")

    def run(words, **_):
        made.append(words)
        return SimpleNamespace(returncode=int(words[1] == "bench"))

    monkeypatch.setattr(release.subprocess, "run", run)
    assert release.main() == 1
    assert made[-1] == ["make", "bench", "BENCH=--check", "AGAINST=v0.1.0"]

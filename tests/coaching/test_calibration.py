"""The calibration of the coach: what it counts, and that it looks at matches as their seats did."""

import pytest

from tests.calibration.collecting import SETTINGS, Judged, collect, played
from tests.calibration.picture import draw
from tests.calibration.table import agreement, tenths


def one(chance, came, match=0, *, is_best=True, stays=None):
    return Judged(match, chance, came, is_best, stays)


def test_decisions_are_counted_by_tenths():
    low, high = tenths([one(0.05, 0.0), one(0.09, 1.0, 1), one(1.0, 1.0)])
    assert (low.tenth, low.decisions, low.matches) == (0, 2, 2)
    assert low.stated == pytest.approx(0.07)
    assert low.came == 0.5
    assert (high.tenth, high.came, high.error) == (9, 1.0, 0.0)


def test_decisions_of_one_match_count_as_one():
    """Ten decisions of two matches say no more than two."""
    alike = [one(0.5, float(match), match) for match in (0, 1) for _ in range(5)]
    apart = [one(0.5, float(n % 2), n) for n in range(10)]
    assert tenths(alike)[0].error == pytest.approx(5**0.5 * tenths(apart)[0].error)


def test_the_class_best_is_tried_where_it_was_judged_again():
    judged = [
        one(0.5, 1, stays=True),
        one(0.5, 1, stays=False),
        one(0.5, 1),
        one(0.5, 1, stays=True),
    ]
    found = agreement([*judged, one(0.5, 1, is_best=False, stays=False)])
    assert (found.tried, found.share) == (3, pytest.approx(2 / 3))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.game)
def test_a_match_is_read_as_its_seats_saw_it(setting):
    decisions, came = played(setting, seed=3, number=1)
    assert decisions
    assert all(len(each.view.legal_moves) > 1 for each in decisions)
    assert all(each.move in each.view.legal_moves for each in decisions)
    assert {each.view.seat for each in decisions} <= came.keys()
    again, _ = played(setting, seed=3, number=1)
    assert decisions == again


def test_a_few_decisions_are_judged(monkeypatch):
    monkeypatch.setattr("tests.calibration.collecting.PLAYOUTS", 16)
    pazaak = next(each for each in SETTINGS if each.game == "pazaak")
    judged = list(collect(pazaak, seed=3, seconds=0.5, deep_every=5))
    assert judged
    assert all(0 <= each.chance <= 1 and each.came in (0.0, 0.5, 1.0) for each in judged)
    picture = draw({"Pazaak": tenths(judged)})
    assert picture.startswith("<svg")
    assert "<circle" in picture

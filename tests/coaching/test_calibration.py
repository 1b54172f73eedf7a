"""The calibration of the coach: what it counts, and that it looks at matches as their seats did."""

from math import exp
from random import Random

import pytest

from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from cardroom.rules.state_fields import Line
from games.coaching import judging
from games.coaching.judging import judge_of
from tests.calibration import agreeing
from tests.calibration.agreeing import agreement
from tests.calibration.collecting import OTHER_WORLDS, Judged, drawn, judged
from tests.calibration.fitting import line, lines
from tests.calibration.picture import draw
from tests.calibration.settings import SETTINGS, Setting
from tests.calibration.table import column, table, tenths

PAZAAK = Setting("pazaak", "professor", {}, None, 0.3, 10)


def one(chance, came, match=0, stage="all"):
    return Judged(match, stage, chance, came)


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


def test_what_came_of_chances_finds_the_line_that_they_read_by():
    true, rng, drawn_ = Line(-0.5, 1.3), Random(3), []
    for match in range(20_000):
        chance = 1 / (1 + exp(-rng.gauss(0, 1.5)))
        drawn_.append(one(chance, float(rng.random() < true.read(chance)), match))
    found = line(drawn_)
    assert found.shift == pytest.approx(true.shift, abs=0.06)
    assert found.stretch == pytest.approx(true.stretch, abs=0.06)


def test_a_stage_with_few_decisions_has_no_line():
    rng = Random(1)
    many = [one(0.4 + 0.2 * (n % 2), float(rng.random() < 0.5), n, "many") for n in range(400)]
    assert list(lines([*many, one(0.5, 1.0, 1, "few"), one(1.0, 1.0, 2, "sure")])) == ["many"]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_match_is_read_as_its_seats_saw_it(setting):
    found = list(drawn(setting, 3, 0, 6))
    assert found
    assert {each.match for each in found} <= set(range(6))
    for each in found:
        decision = each.decision
        assert len(decision.view.legal_moves) > 1
        assert decision.move in decision.view.legal_moves
        assert decision.view.seat == decision.seat
        assert each.came in (0.0, 0.5, 1.0)
    later = [each for each in found if each.match >= 4]
    assert list(drawn(setting, 3, 4, 2)) == later


def test_every_stage_that_was_fitted_is_one_that_is_met():
    """And every stage that is met often reads by a line of its own."""
    for setting in (each for each in SETTINGS if each.game != "pisti"):
        reading = judge_of(catalog.find(setting.game)).search.reading
        stages = {reading.stage(each.decision.view) for each in drawn(setting, 3, 0, 12)}
        assert stages <= set(reading.by_stage), setting.name


def test_a_few_decisions_are_judged(monkeypatch):
    monkeypatch.setattr(judging, "PLAYOUTS", 16)
    found = [judged(PAZAAK, each) for each in drawn(PAZAAK, 3, 0, 10)]
    found = [each for each in found if each is not None]
    assert found
    assert all(0 <= each.chance <= 1 for each in found)
    counted = column("Pazaak", found)
    assert table([counted]).startswith("| Stated | Pazaak (")
    picture = draw({"Pazaak": counted.tenths})
    assert picture.startswith("<svg")
    assert "<circle" in picture


def test_best_is_tried_again_with_twenty_times_the_playouts(monkeypatch):
    tried, weigh = [], judging.weigh
    monkeypatch.setattr(judging, "PLAYOUTS", 16)

    def noted(judge, decision, playouts):
        tried.append((decision.version, playouts))
        return weigh(judge, decision, playouts)

    monkeypatch.setattr(judging, "weigh", noted)
    found = agreement(PAZAAK, drawn(PAZAAK, 3, 0, 10), 5)
    assert (found.tried, found.best.value) == (5, 1.0)  # nothing is sampled at Pazaak
    assert isinstance(found.fine, Interval)
    plain = {playouts for version, playouts in tried if version < OTHER_WORLDS}
    deep = [playouts for version, playouts in tried if version >= OTHER_WORLDS]
    assert plain == {16}
    assert deep == [16 * agreeing.TIMES] * 5

"""How near Pişti's searcher comes to what follows, as ``tests.strength.foresight`` finds it."""

import pytest

from cardroom.rules.pisti.bots.outlook import KINDS, estimated, points_to_come
from cardroom.rules.pisti.bots.world import BLOCK
from cardroom.rules.pisti.coaching import laid_out
from tests.rules.pisti.scene import scene
from tests.strength.foresight import End, end_of, ends_of, squares


def world():
    return laid_out(scene("7H", ("4C", "4D"), plays_made=2 * BLOCK), ["counter", "counter"])


@pytest.mark.parametrize("me", [0, 1])
def test_what_is_foreseen_and_what_came_are_of_one_seat(me):
    there = world()
    totals = (there.points[0] + 9, there.points[1] + 2)
    end = end_of(there, me, totals)
    sign = 1 if me == 0 else -1
    assert end.before == int(me != there.turn)
    assert end.came == 7 * sign
    assert end.tables == (1 if me == there.turn else -1) * points_to_come(there, there.turn)
    assert end.formula == estimated(there, me, 1 - me)


def test_a_mean_error_does_not_count():
    ends = [End(2, 0, 1.0, 0.0, 4.0), End(2, 0, 2.0, 0.0, 5.0), End(3, 0, 0.0, 0.0, 9.0)]
    assert squares(ends, "tables") == [0, 0, 0]
    assert squares(ends, "formula") == [0.25, 0.25, 0]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_deal_of_a_match_is_looked_at(kind):
    ends = ends_of(0, playouts=16, kind=kind)
    assert {end.block for end in ends} == set(range(1, kind.blocks + 1))
    assert len(ends) % kind.blocks == 0

"""What choices of Pişti are behind the best ones, as ``tests.strength.best_reply`` finds it."""

from random import Random

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.belief import believed
from cardroom.rules.shuffles import Stream
from tests.rules.pisti.scene import scene
from tests.strength.best_reply import Watched, behind, certain


@pytest.fixture
def view():
    """Seat 0 may take the seven for a pişti."""
    return PISTI.view(scene("7H", ("7C 3C KD", "4D 5S 8S"), plays_made=20), 0)


def missed(view, chosen):
    known = certain(believed(view, 0, (), exact=True), view)
    watched, rng = Watched(playouts=200, worlds=200, budgets=[200]), Random(1)
    return behind(watched.worths(view, known, rng), watched.worths(view, known, rng), chosen)


def test_the_best_card_misses_nothing_and_another_one_misses_a_chance(view):
    assert missed(view, "7C") == pytest.approx(0, abs=0.01)
    assert missed(view, "KD") > 0.05


def test_every_searcher_is_judged_in_the_same_places(view):
    watched = Watched(playouts=200, worlds=200, budgets=[200, 50])
    assert watched.choose(view, (), Stream(1)) == "7C"
    assert watched.missed == [[pytest.approx(0, abs=0.01)] * 2]

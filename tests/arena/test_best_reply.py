"""What choices of Pişti are behind the best ones, as ``tests.strength.best_reply`` finds it."""

from random import Random

import pytest

from games.rules.pisti import GAME as PISTI
from games.rules.pisti.bots.belief import believed
from tests.rules.pisti.scene import scene
from tests.strength.best_reply import Watched, certain


@pytest.fixture
def view():
    """Seat 0 may take the seven for a pişti."""
    return PISTI.view(scene("7H", ("7C 3C KD", "4D 5S 8S"), plays_made=20), 0)


def behind(view, chosen):
    known = certain(believed(view, 0, (), exact=True), view)
    return Watched(playouts=200, worlds=200, budget=200).behind(view, known, chosen, Random(1))


def test_the_best_card_misses_nothing_and_another_one_misses_a_chance(view):
    assert behind(view, "7C") == pytest.approx(0, abs=0.01)
    assert behind(view, "KD") > 0.05

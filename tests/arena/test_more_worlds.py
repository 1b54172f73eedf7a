"""What more worlds bring a plain search of Pişti, as ``tests.strength.more_worlds`` finds it."""

from random import Random

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.search import Candidate
from tests.rules.pisti.scene import scene
from tests.strength import more_worlds
from tests.strength.more_worlds import Compared, played


class Found:
    """A search that likes another card by more worlds, and finds what it likes worth 2 points."""

    def weigh(self, view, events, rng, samples):
        liked = {10: "3C", 50: "KD"}[samples]
        return [self.worth(move, move == liked) for move in ("7C", "3C", "KD")]

    def worth(self, move, liked):
        candidate = Candidate(move)
        candidate.total, candidate.worlds = 2.0 * liked, 1
        return candidate


def test_a_choice_gains_what_the_search_of_more_worlds_finds_it_better_by(monkeypatch):
    monkeypatch.setattr(more_worlds, "PLAIN", Found())
    view = PISTI.view(scene("7H", ("7C 3C KD", "4D 5S 8S"), plays_made=20), 0)
    compared = Compared(worlds=10, more=50)
    assert compared.choose(view, (), Random(1)) == "3C"
    assert compared.gained == [2.0]


@pytest.mark.parametrize("players", [2, 3])
def test_a_few_more_worlds_choose_otherwise_now_and_then(players):
    compared = Compared(worlds=2, more=8)
    played(0, PISTI.options(players=players, target_score=None), compared)
    assert len(compared.gained) > 20
    assert any(compared.gained)

"""The worked example learns; how well in ten minutes is printed by the example itself."""

import numpy
import pytest

from games.research.pisti.seat import FEATURES
from games.research.pisti.train import SCALE, Network, lessons, play_out, seated, train, wins


def test_the_network_learns_what_it_is_told():
    rng = numpy.random.default_rng(1)
    network, rows = Network(5, rng), rng.normal(size=(400, 5))
    targets = rows[:, 0] - rows[:, 1] / 2
    errors = [network.learn(rows, targets, 0.3) for _ in range(300)]
    assert errors[-1] < errors[0] / 20


def test_every_move_of_a_deal_is_a_lesson_with_its_margin():
    seats, rng = seated(7, "single", 2), numpy.random.default_rng(1)
    play_out(seats, Network(FEATURES, rng), rng, exploration=1.0)
    rows, targets = lessons(seats)
    assert rows.shape == (2 * 24, FEATURES)  # pisti R5: 24 cards a seat
    assert targets[0] == pytest.approx(seats[0].margin() / SCALE)


def test_training_and_judging_run_to_their_ends(monkeypatch):
    monkeypatch.setattr("games.research.pisti.train.TABLES", 4)
    network, progress = train(seed=1, seconds=0.1)
    assert progress[0][0] == 4
    share, error = wins(network, matches=2, seed=1)
    assert 0 <= share <= 1
    assert error >= 0

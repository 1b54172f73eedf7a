"""The second worked example: its features, its gradients, and that it goes on where it stopped."""

from random import Random

import numpy
import pytest

from cardroom.arena.players import find_bot
from cardroom.research import parallel
from cardroom.research.environment import RunningMatch, lineup
from cardroom.research.pisti import ppo
from cardroom.research.pisti.batch import PistiBatch
from cardroom.research.pisti.table import FEATURES, SHARED, Tables, table_of
from cardroom.rules.catalog import find

PISTI = find("pisti")


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(ppo, "DEALS", 8)
    monkeypatch.setattr(ppo, "ROWS", 64)


def test_a_batch_and_the_events_of_a_match_give_the_same_features():
    batch = PistiBatch(1, preset="single", seed=4, auto_reset=False)
    match, tables = RunningMatch(lineup("pisti", preset="single"), 4), Tables(1)
    tables.deal(batch.observations)
    chance = Random(1)
    for _ in range(48):  # pisti R5
        (seat,) = match.to_act
        remembered = table_of(match.seen_since(seat, 0)).features(
            numpy.array([match.observed(seat)])
        )
        for one, other in zip(tables.features(batch.observations), remembered, strict=True):
            assert one == pytest.approx(other)
        action = chance.choice(list(match.moves(seat)))
        tables.play(batch.observations.copy(), numpy.array([action]))
        batch.step([action])
        match.play(seat, match.moves(seat)[action])


def test_a_network_learns_by_its_true_gradient():
    rng = numpy.random.default_rng(1)
    network, rows = ppo.Network(5, rng), rng.normal(size=(300, 5)).astype(numpy.float32)
    targets = rows[:, 0] - rows[:, 1] / 2
    for _ in range(300):
        answers, way = network.forward(rows)
        network.learn(way, (answers - targets) / len(rows), 0.01)
    assert ((network(rows) - targets) ** 2).mean() < 0.01


def test_plays_that_were_better_than_expected_become_likelier(small):
    training = ppo.Training(3)
    block = ppo.play_block(training.policy, training.value, 7, training.rng)
    part = ppo.Block(*(array.reshape(-1, *array.shape[2:])[:64] for array in block))
    open_choice = (part.cards >= 0).sum(axis=1) > 1
    better = numpy.where(part.slots == part.slots[0], 1.0, -1.0)
    for _ in range(20):
        ppo._improve_policy(training.policy, part, better, 0.01)
    after = ppo.weigh(training.policy, part.cards, part.features)
    gained = after[numpy.arange(64), part.slots] - part.chances
    assert gained[(better > 0) & open_choice].mean() > 0
    assert gained[(better < 0) & open_choice].mean() < 0


def test_the_margin_of_a_deal_is_what_both_seats_are_paid(small):
    training = ppo.Training(3)
    block = ppo.play_block(training.policy, training.value, 7, training.rng)
    assert block.rewards.sum(axis=0) == pytest.approx(numpy.zeros(8), abs=1e-6)
    assert block.rewards[-1].any()
    assert not block.rewards[:-2].any()
    better, returns = ppo.advantages(block)
    assert returns[-1] == pytest.approx(block.rewards[-1], abs=1e-5)
    assert better.shape == (48, 8)


def test_training_goes_on_as_if_it_had_not_stopped_and_the_arena_plays_it(small, tmp_path):
    whole, part = ppo.Training(5), ppo.Training(5)
    for _ in range(3):
        whole.step(1.0)
    part.step(1.0)
    part.save(tmp_path / "training.npz")
    again = ppo.Training.load(tmp_path / "training.npz")
    for _ in range(2):
        again.step(1.0)
    for one, other in zip(again.policy.layers, whole.policy.layers, strict=True):
        assert one == pytest.approx(other, abs=1e-6)
    file = tmp_path / "policy.npz"
    parallel.save(file, PISTI, "ppo", again.policy.arrays("policy", whole=False))
    bot = find_bot(PISTI, f"trained:{file}", custom=True)
    match = RunningMatch(lineup("pisti", preset="single", bots={1: bot.slug}), 3)
    while match.to_act:
        match.play(0, next(iter(match.moves(0).values())))
    assert match.plies == 49
    assert (again.policy.layers[0].shape[0], again.value.layers[0].shape[0]) == (FEATURES, SHARED)

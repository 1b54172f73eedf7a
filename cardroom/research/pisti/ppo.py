"""Proximal policy optimisation with self-play at Pişti, with numpy alone: the second example.

    python -m cardroom.research.pisti.ppo --minutes 25 --out var/ppo
    python manage.py arena pisti trained:var/ppo/policy.npz counter --matches 300 --seed 1

Thousands of deals are played side by side on the compiled kernel (``cardroom.research.batch``).
Both seats are the learner. Every deal has 48 plays, so a batch of deals is one block of arrays:
plays by deals. A network gives each card in the hand a weight (the policy), another one predicts
the points that the deal will still bring (the value). After each block both take some steps; the
policy's are clipped, which is what the method is named for. ``--resume`` goes on with what
``--out`` holds. Minutes are of processor time. Read ``table`` first, then this from top to bottom.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy

from cardroom.arena import ranking
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import Interval
from cardroom.research import parallel
from cardroom.research.pisti.batch import PistiBatch
from cardroom.research.pisti.table import FEATURES, SHARED, Tables, table_of
from cardroom.rules.catalog import find
from cardroom.rules.pisti.encoding import observe
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move

PISTI: Final = find("pisti")
DEALS: Final = 1024  # side by side
HIDDEN: Final = 64
SCALE: Final = 10.0  # points of a deal per unit of reward
TRACE: Final = 0.95  # how far a reward is credited back (lambda of the advantages)
CLIP: Final = 0.2
EPOCHS: Final = 3
ROWS: Final = 4096  # of a step of gradient descent
RATE: Final = 1e-3
ENTROPY: Final = 0.01
KEEP_SECONDS: Final = 60.0

LAYERS: Final = ("w0", "b0", "w1", "b1", "w2", "b2")
REMEMBERS: Final = "round"
SHAPES: Final[Mapping[str, tuple[int | None, ...]]] = {
    "policy_w0": (FEATURES, None), "policy_b0": (None,), "policy_w1": (None, None),
    "policy_b1": (None,), "policy_w2": (None, 1), "policy_b2": (1,),
}  # fmt: skip


# 1. A network of two hidden layers, and Adam, which improves it.


class Network:
    """Rows of features to one number a row."""

    def __init__(self, inputs: int, rng: numpy.random.Generator) -> None:
        sizes = (inputs, HIDDEN, HIDDEN, 1)
        self.layers: list[Any] = []
        for before, after in pairwise(sizes):
            scale = before**-0.5 if after > 1 else 0.01
            self.layers.append(rng.normal(0, scale, (before, after)).astype(numpy.float32))
            self.layers.append(numpy.zeros(after, dtype=numpy.float32))
        self._means = [numpy.zeros_like(layer) for layer in self.layers]
        self._squares = [numpy.zeros_like(layer) for layer in self.layers]
        self.steps = 0

    def forward(self, rows: Any) -> tuple[Any, tuple[Any, Any, Any]]:
        """The answers, and what ``learn`` needs of the way to them."""
        w0, b0, w1, b1, w2, b2 = self.layers
        first = numpy.tanh(rows @ w0 + b0)
        second = numpy.tanh(first @ w1 + b1)
        return (second @ w2 + b2)[:, 0], (rows, first, second)

    def __call__(self, rows: Any) -> Any:
        return self.forward(rows)[0]

    def learn(self, way: tuple[Any, Any, Any], slopes: Any, rate: float) -> None:
        """One step against ``slopes``, the derivative of the loss by every answer."""
        rows, first, second = way
        w1, w2 = self.layers[2], self.layers[4]
        last = slopes[:, None].astype(numpy.float32)
        back = last @ w2.T * (1 - second * second)
        front = back @ w1.T * (1 - first * first)
        self._adam(
            [
                rows.T @ front,
                front.sum(0),
                first.T @ back,
                back.sum(0),
                second.T @ last,
                last.sum(0),
            ],
            rate,
        )

    def _adam(self, gradients: Sequence[Any], rate: float) -> None:
        self.steps += 1
        fair, spread = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for at, gradient in enumerate(gradients):
            self._means[at] += 0.1 * (gradient - self._means[at])
            self._squares[at] += 0.001 * (gradient * gradient - self._squares[at])
            step = self._means[at] / fair / (numpy.sqrt(self._squares[at] / spread) + 1e-8)
            self.layers[at] = self.layers[at] - numpy.float32(rate) * step

    def arrays(self, name: str, *, whole: bool = True) -> dict[str, Any]:
        """The layers by name; ``whole``: with all that learning on needs."""
        kept = {"": self.layers} | (
            {"_mean": self._means, "_square": self._squares} if whole else {}
        )
        return {
            f"{name}_{layer}{part}": array
            for part, arrays in kept.items()
            for layer, array in zip(LAYERS, arrays, strict=True)
        }

    def take(self, name: str, arrays: Mapping[str, Any]) -> None:
        self.layers = [arrays[f"{name}_{layer}"] for layer in LAYERS]
        self._means = [arrays.get(f"{name}_{layer}_mean", 0) for layer in LAYERS]
        self._squares = [arrays.get(f"{name}_{layer}_square", 0) for layer in LAYERS]


# 2. Playing a block of deals: what was seen and done, by play and deal.


class Block(NamedTuple):
    """Features of the cards in hand and of the table, the slot played and its chance, the value
    that was predicted, the reward of the seat that played. All by play and deal."""

    cards: Any
    features: Any
    shared: Any
    slots: Any
    chances: Any
    values: Any
    rewards: Any


def weigh(policy: Network, cards: Any, features: Any) -> Any:
    """The chance of every slot to be played; none where there is no card."""
    weights = policy(features.reshape(-1, FEATURES)).reshape(cards.shape)
    weights = numpy.where(cards < 0, -1e9, weights)
    raised = numpy.exp(weights - weights.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def play_block(policy: Network, value: Network, seed: int, rng: numpy.random.Generator) -> Block:
    """One deal on every table, both seats by the policy."""
    batch = PistiBatch(DEALS, preset="single", seed=seed, reward="margin", auto_reset=False)
    tables, rows = Tables(DEALS), numpy.arange(DEALS)
    tables.deal(batch.observations)
    plays: list[tuple[Any, ...]] = []
    given: Any = None
    for _ in range(PLAYS_PER_DEAL):
        seen = batch.observations.copy()
        cards, features, shared = tables.features(seen)
        chances = weigh(policy, cards, features)
        drawn = rng.random(DEALS, dtype=numpy.float32)[:, None] > chances.cumsum(axis=1)
        slots = numpy.minimum(drawn.sum(axis=1), (cards >= 0).sum(axis=1) - 1)
        chosen = cards[rows, slots]
        plays.append((cards, features, shared, slots, chances[rows, slots], value(shared)))
        tables.play(seen, chosen)
        given, _ = batch.step(chosen)
    # The deal is over, and its margin is the last reward of both seats: the one that did not play
    # the last card has it with the play before.
    rewards = numpy.zeros((PLAYS_PER_DEAL, DEALS), dtype=numpy.float32)
    rewards[-2:] = given.T / SCALE
    seen_and_done = [numpy.stack(each) for each in zip(*plays, strict=True)]
    return Block._make([*seen_and_done, rewards])


def advantages(block: Block) -> tuple[Any, Any]:
    """How much better each play did than the value had predicted, and what it did in all.

    The plays of a seat are every second one, so what follows a play is two further.
    """
    better = numpy.zeros_like(block.values)
    for at in range(PLAYS_PER_DEAL - 1, -1, -1):
        last = at + 2 >= PLAYS_PER_DEAL
        value_after = 0.0 if last else block.values[at + 2]
        better_after = 0.0 if last else better[at + 2]
        surprise = block.rewards[at] + value_after - block.values[at]
        better[at] = surprise + TRACE * better_after
    return better, better + block.values


# 3. Learning from a block.


def learn(
    policy: Network, value: Network, block: Block, rng: numpy.random.Generator, pace: float
) -> None:
    better, returns = (array.ravel() for array in advantages(block))
    better = (better - better.mean()) / (better.std() + 1e-8)
    flat = Block(*(array.reshape(-1, *array.shape[2:]) for array in block))
    for rows in _batches(len(better), rng):
        part = Block(*(array[rows] for array in flat))
        _improve_policy(policy, part, better[rows], RATE * pace)
        predicted, way = value.forward(part.shared)
        value.learn(way, (predicted - returns[rows]) / len(rows), RATE * pace)


def _batches(count: int, rng: numpy.random.Generator) -> Iterator[Any]:
    for _ in range(EPOCHS):
        order = rng.permutation(count)
        for first in range(0, count, ROWS):
            yield order[first : first + ROWS]


def _improve_policy(policy: Network, part: Block, better: Any, rate: float) -> None:
    """A step up the clipped objective, and a little up the entropy."""
    weights, way = policy.forward(part.features.reshape(-1, FEATURES))
    weights = numpy.where(part.cards < 0, -1e9, weights.reshape(part.cards.shape))
    raised = numpy.exp(weights - weights.max(axis=1, keepdims=True))
    chances = raised / raised.sum(axis=1, keepdims=True)
    rows = numpy.arange(len(better))
    ratio = chances[rows, part.slots] / part.chances
    # Where the ratio has left the clip in the direction that pays, the objective is flat.
    flat = ((better > 0) & (ratio > 1 + CLIP)) | ((better < 0) & (ratio < 1 - CLIP))
    pull = numpy.where(flat, 0.0, ratio * better)
    chosen = numpy.zeros_like(chances)
    chosen[rows, part.slots] = 1.0
    slopes = -pull[:, None] * (chosen - chances)
    logs = numpy.log(numpy.maximum(chances, 1e-12))
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    slopes += ENTROPY * chances * (logs + entropy)
    policy.learn(way, (slopes / len(better)).ravel(), rate)


# 4. A training that can be stopped and go on.


class Training:
    def __init__(self, seed: int) -> None:
        self.rng = numpy.random.default_rng(seed)
        self.policy, self.value = Network(FEATURES, self.rng), Network(SHARED, self.rng)
        self.spent, self.blocks = 0.0, 0

    def go_on(self, seconds: float, keep: Path | None = None) -> None:
        """Learns until it has spent so many seconds of processor time altogether."""
        began, kept = time.process_time() - self.spent, self.spent
        while self.spent < seconds:
            self.step(pace=max(0.1, 1.0 - self.spent / seconds))
            self.spent = time.process_time() - began
            if keep is not None and self.spent - kept > KEEP_SECONDS:
                self.save(keep)
                kept = self.spent
        if keep is not None:
            self.save(keep)

    def step(self, pace: float) -> None:
        block = play_block(self.policy, self.value, int(self.rng.integers(2**31)), self.rng)
        learn(self.policy, self.value, block, self.rng, pace)
        self.blocks += 1

    def save(self, path: Path) -> None:
        arrays = {**self.policy.arrays("policy"), **self.value.arrays("value")}
        notes = {
            "spent": self.spent, "blocks": self.blocks, "steps": self.policy.steps,
            "rng": json.dumps(self.rng.bit_generator.state),
        }  # fmt: skip
        parallel.save(path, PISTI, "ppo", arrays, **notes)

    @classmethod
    def load(cls, path: Path) -> "Training":
        header, arrays = parallel.load(path, PISTI)
        made, notes = cls(0), header.notes
        made.policy.take("policy", arrays)
        made.value.take("value", arrays)
        made.policy.steps = made.value.steps = int(notes["steps"])
        made.spent, made.blocks = float(notes["spent"]), int(notes["blocks"])
        made.rng.bit_generator.state = json.loads(notes["rng"])
        return made


# 5. Playing at a table: what the arena calls.


def player(arrays: Mapping[str, Any]) -> Any:
    """The card that weighs most, from the view and the events of the deal."""
    policy = Network(FEATURES, numpy.random.default_rng(0))
    policy.take("policy", arrays)

    def choose(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
        seen = numpy.frombuffer(observe(view), dtype=numpy.int16)[None, :]
        cards, features, _ = table_of(events).features(seen)
        card = int(cards[0, weigh(policy, cards, features)[0].argmax()])
        return PISTI.actions.among(view.legal_moves)[card]  # type: ignore[union-attr]

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--matches", type=int, default=300, help="matches to 151 to judge by")
    parser.add_argument("--rival", default="counter")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("var/ppo"))
    parser.add_argument("--resume", action="store_true", help="go on with what --out holds")
    options = parser.parse_args()
    kept, file = options.out / "training.npz", options.out / "policy.npz"
    training = Training.load(kept) if options.resume else Training(options.seed)
    training.go_on(options.minutes * 60, kept)
    parallel.save(file, PISTI, "ppo", training.policy.arrays("policy", whole=False))
    bots = [f"trained:{file}", options.rival]
    request = describe(
        "pisti", bots=bots, games=options.matches, seed=options.seed, swap=True, custom=True
    )
    score = ranking.score(run_part(request, Part(0, options.matches), custom=True), bots[0])
    print(_summary(training, score, options))  # noqa: T201


def _summary(training: Training, score: Interval, options: argparse.Namespace) -> str:
    return (
        f"{training.blocks * DEALS:,} deals in {training.spent / 60:.0f} minutes; "
        f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%}) of {options.matches} matches "
        f"against {options.rival}"
    )


if __name__ == "__main__":
    main()

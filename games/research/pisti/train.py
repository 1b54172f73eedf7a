"""Train a small network to play Pişti, with numpy alone: a worked example.

    python -m games.research.pisti.train --minutes 10 --processes 2 --out trained

plays deals of Pişti against the ``greedy`` bot in environments of ``games.research``, learns from
how they end, and prints how the learner does in matches to 151. ``--out`` keeps the network
(``policy.npz``) and the picture of its progress (``progress.png``). Minutes are of processor time.
Read ``seat`` first, which makes the features of a move, then this from top to bottom.
"""

import argparse
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy

from games.research.environment import environment
from games.research.pisti.seat import FEATURES, Seat

RIVAL: Final = "greedy"
TABLES: Final = 128  # deals played side by side, so that the network judges many moves at once
HIDDEN: Final = 48
EXPLORATION: Final = 0.08
RATE: Final = 0.02
SCALE: Final = 10.0  # points of a deal per unit of what the network predicts


# 1. The network: from a move's features to the points that the deal will end with.


class Judge(Protocol):
    """Predicts the points of a deal, in units of ``SCALE``, from the features of moves."""

    def judge(self, rows: Any) -> Any: ...


class Ensemble:
    """Several networks that vote by the mean of what they predict."""

    def __init__(self, networks: Sequence[Judge]) -> None:
        self._networks = networks

    def judge(self, rows: Any) -> Any:
        return numpy.mean([network.judge(rows) for network in self._networks], axis=0)


class Network:
    """One hidden layer; ``judge`` predicts, ``learn`` takes one step of gradient descent."""

    def __init__(self, inputs: int, rng: numpy.random.Generator) -> None:
        self.layers = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)),
            numpy.zeros(HIDDEN),
            rng.normal(0, HIDDEN**-0.5, HIDDEN) * 0.1,
            numpy.zeros(1),
        ]

    def judge(self, rows: Any) -> Any:
        first, bias, second, last = self.layers
        return numpy.tanh(rows @ first + bias) @ second + last

    def learn(self, rows: Any, targets: Any, rate: float) -> float:
        first, bias, second, last = self.layers
        inner = numpy.tanh(rows @ first + bias)
        error = inner @ second + last - targets
        back = numpy.outer(error, second) * (1 - inner * inner) / len(rows)
        self.layers = [
            first - rate * rows.T @ back,
            bias - rate * back.sum(0),
            second - rate * inner.T @ error / len(rows),
            last - rate * error.mean(),
        ]
        return float((error * error).mean())


# 2. Playing: every table of a batch moves at once, and what a deal ended with teaches every move.


def seated(seed: int, preset: str, count: int) -> list[Seat]:
    """Learners at ``count`` tables; two by two they have the same decks and the other seat."""
    return [
        Seat(environment("pisti", preset=preset, bots={number % 2: RIVAL}), seed + number // 2)
        for number in range(count)
    ]


def play_out(seats: Sequence[Seat], network: Judge, rng: Any, exploration: float) -> None:
    playing = [seat for seat in seats if not seat.over]
    while playing:
        candidates = [seat.candidates() for seat in playing]
        judged = network.judge(numpy.concatenate([rows for _, rows in candidates]))
        first = 0
        for seat, (actions, rows) in zip(playing, candidates, strict=True):
            best = int(judged[first : first + len(actions)].argmax())
            if rng.random() < exploration:
                best = int(rng.integers(len(actions)))
            seat.play(actions[best], rows[best])
            first += len(actions)
        playing = [seat for seat in playing if not seat.over]


def lessons(seats: Sequence[Seat]) -> tuple[Any, Any]:
    rows = numpy.concatenate([numpy.stack(seat.made) for seat in seats])
    targets = [seat.margin() / SCALE for seat in seats for _ in seat.made]
    return rows, numpy.array(targets)


def batches(rows: Any, targets: Any, rng: Any, size: int = 256) -> Iterator[tuple[Any, Any]]:
    order = rng.permutation(len(rows))
    for first in range(0, len(rows), size):
        chosen = order[first : first + size]
        yield rows[chosen], targets[chosen]


def train(seed: int, seconds: float) -> tuple[Network, list[tuple[float, float]]]:
    """The network after ``seconds`` of processor time, and its mean margin by deals played."""
    rng = numpy.random.default_rng(seed)
    network = Network(FEATURES, rng)
    progress: list[tuple[float, float]] = []
    deals, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        seats = seated(int(rng.integers(2**31)), "single", TABLES)
        play_out(seats, network, rng, EXPLORATION)
        for rows, targets in batches(*lessons(seats), rng):
            network.learn(rows, targets, RATE * (1.0 if spent < seconds / 2 else 0.2))
        deals += TABLES
        progress.append((deals, float(numpy.mean([seat.margin() for seat in seats]))))
    return network, progress


# 3. Judging: matches to 151 without exploration, every deal played from both seats.


def wins(network: Judge, matches: int, seed: int) -> tuple[float, float]:
    """The share of matches won and its standard error."""
    seats = seated(seed, "classic", matches)
    play_out(seats, network, numpy.random.default_rng(seed), exploration=0.0)
    won = numpy.array([seat.margin() > 0 for seat in seats], dtype=float)
    return float(won.mean()), float(won.std() / len(won) ** 0.5)


def draw(progress: Sequence[tuple[float, float]], path: Path) -> None:
    from matplotlib.figure import Figure

    deals, margins = numpy.array(progress).T
    window = max(1, len(margins) // 40)
    smooth = numpy.convolve(margins, numpy.ones(window) / window, mode="valid")
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.plot(deals[window - 1 :], smooth)
    axes.set(xlabel="deals played", ylabel=f"points a deal ahead of {RIVAL}", title="Pişti")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--matches", type=int, default=1000, help="matches to judge by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    jobs = [(options.seed + number, options.minutes * 60) for number in range(options.processes)]
    with multiprocessing.Pool(options.processes) as pool:
        trained = pool.starmap(train, jobs)
    network = Ensemble([network for network, _ in trained])
    share, error = wins(network, options.matches, seed=options.seed + 1_000)
    deals = sum(progress[-1][0] for _, progress in trained)
    print(f"{deals:,} deals; wins {share:.1%} ± {1.96 * error:.1%} of matches against {RIVAL}")  # noqa: T201
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        layers = [layer for network, _ in trained for layer in network.layers]
        numpy.savez(options.out / "policy.npz", *layers)
        draw(trained[0][1], options.out / "progress.png")


if __name__ == "__main__":
    main()

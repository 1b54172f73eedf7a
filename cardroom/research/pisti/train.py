"""Train a small network to play Pişti, with numpy alone: a worked example.

    python -m cardroom.research.pisti.train --minutes 10 --processes 2 --out trained
    python manage.py arena pisti trained:trained/policy.npz greedy --matches 300 --seed 1

plays deals of Pişti against the ``greedy`` bot in environments of ``cardroom.research``, learns
from how they end, and prints how the learner does in matches to 151. ``--out`` keeps the network
(``policy.npz``), the picture of its progress (``progress.png``) and, while it learns, how far each
process is (``process-0.npz`` …): with ``--resume`` it goes on there. Minutes are of processor time.
Read ``seat`` first, which makes the features of a move, then this from top to bottom.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import numpy

from cardroom.research import parallel
from cardroom.research.environment import environment
from cardroom.research.pisti.table import SEAT_FEATURES, Seat, Watcher
from cardroom.rules.catalog import find
from cardroom.rules.pisti.encoding import observe
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move

PISTI: Final = find("pisti")

RIVAL: Final = "greedy"
TABLES: Final = 128  # deals played side by side, so that the network judges many moves at once
HIDDEN: Final = 48
EXPLORATION: Final = 0.08
RATE: Final = 0.02
SCALE: Final = 10.0  # points of a deal per unit of what the network predicts
KEEP_SECONDS: Final = 30.0  # of processor time between two looks back

# The layers of a network in the file of a player (``cardroom.research.parallel``).
LAYERS: Final = ("first", "bias", "second", "last")
SHAPES: Final[Mapping[str, tuple[int | None, ...]]] = {
    "first_0": (SEAT_FEATURES, None), "bias_0": (None,), "second_0": (None,), "last_0": (1,),
}  # fmt: skip
REMEMBERS: Final = "round"


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

    @classmethod
    def of(cls, layers: Sequence[Any]) -> "Network":
        made = cls.__new__(cls)
        made.layers = list(layers)
        return made

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


class Training:
    """How far a process is: all that it takes to go on, which a file can hold."""

    def __init__(self, seed: int) -> None:
        self.rng = numpy.random.default_rng(seed)
        self.network = Network(SEAT_FEATURES, self.rng)
        self.progress: list[tuple[float, float]] = []  # the mean margin by deals played
        self.spent = 0.0  # seconds of processor time

    def go_on(self, seconds: float, keep: Path | None = None) -> None:
        """Learns until it has spent so many seconds altogether."""
        began = time.process_time() - self.spent
        kept = self.spent
        while self.spent < seconds:
            self._learn(1.0 if self.spent < seconds / 2 else 0.2)
            self.spent = time.process_time() - began
            if keep is not None and self.spent - kept > KEEP_SECONDS:
                self.save(keep)
                kept = self.spent
        if keep is not None:
            self.save(keep)

    def _learn(self, pace: float) -> None:
        seats = seated(int(self.rng.integers(2**31)), "single", TABLES)
        play_out(seats, self.network, self.rng, EXPLORATION)
        for rows, targets in batches(*lessons(seats), self.rng):
            self.network.learn(rows, targets, RATE * pace)
        deals = TABLES + (self.progress[-1][0] if self.progress else 0)
        self.progress.append((deals, float(numpy.mean([seat.margin() for seat in seats]))))

    def save(self, path: Path) -> None:
        arrays = {**named_layers([self.network]), "progress": numpy.array(self.progress)}
        state = json.dumps(self.rng.bit_generator.state)  # its numbers are longer than 64 bits
        parallel.save(path, PISTI, "train", arrays, spent=self.spent, rng=state)

    @classmethod
    def load(cls, path: Path) -> "Training":
        header, arrays = parallel.load(path, PISTI)
        made = cls(0)
        (made.network,) = networks_in(arrays)
        made.progress = [(float(deals), float(margin)) for deals, margin in arrays["progress"]]
        made.spent = float(header.notes["spent"])
        made.rng.bit_generator.state = json.loads(header.notes["rng"])
        return made


def train(seed: int, seconds: float, keep: Path | None = None, *, resume: bool = False) -> Training:
    """A training that has spent ``seconds`` of processor time; it goes on where it was kept."""
    going = resume and keep is not None and keep.exists()
    training = Training.load(keep) if going and keep is not None else Training(seed)
    training.go_on(seconds, keep)
    return training


def named_layers(networks: Sequence[Network]) -> dict[str, Any]:
    """The layers of all networks, each with the number of its network."""
    return {
        f"{name}_{number}": layer
        for number, network in enumerate(networks)
        for name, layer in zip(LAYERS, network.layers, strict=True)
    }


def networks_in(arrays: Mapping[str, Any]) -> list[Network]:
    count = sum(name.startswith(LAYERS[0]) for name in arrays)
    return [Network.of([arrays[f"{name}_{number}"] for name in LAYERS]) for number in range(count)]


# 3. Judging: matches to 151 without exploration, every deal played from both seats.


def wins(network: Judge, matches: int, seed: int) -> tuple[float, float]:
    """The share of matches won and its standard error."""
    seats = seated(seed, "classic", matches)
    play_out(seats, network, numpy.random.default_rng(seed), exploration=0.0)
    won = numpy.array([seat.margin() > 0 for seat in seats], dtype=float)
    return float(won.mean()), float(won.std() / len(won) ** 0.5)


# 4. Playing at a table: what the arena calls.


def player(arrays: Mapping[str, Any]) -> Any:
    """A choice from a view and the events of the deal, without exploration."""
    network = Ensemble(networks_in(arrays))

    def choose(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
        watcher = Watcher()
        watcher.listen(events)
        numbers = numpy.frombuffer(observe(view), dtype=numpy.int16)
        moves = PISTI.actions.among(view.legal_moves)  # type: ignore[union-attr]
        actions = sorted(moves)
        return moves[actions[int(network.judge(watcher.rows(numbers, actions)).argmax())]]

    return choose


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
    parser.add_argument("--resume", action="store_true", help="go on with what --out holds")
    options = parser.parse_args()
    keep = [
        None if options.out is None else options.out / f"process-{number}.npz"
        for number in range(options.processes)
    ]
    jobs = [
        (options.seed + number, options.minutes * 60, keep[number], options.resume)
        for number in range(options.processes)
    ]
    with multiprocessing.Pool(options.processes) as pool:
        done = pool.starmap(_train, jobs)
    networks = [training.network for training in done]
    share, error = wins(Ensemble(networks), options.matches, seed=options.seed + 1_000)
    deals = sum(training.progress[-1][0] for training in done)
    print(f"{deals:,.0f} deals; wins {share:.1%} ± {1.96 * error:.1%} of matches against {RIVAL}")  # noqa: T201
    if options.out is not None:
        parallel.save(options.out / "policy.npz", PISTI, "train", named_layers(networks))
        draw(done[0].progress, options.out / "progress.png")


def _train(seed: int, seconds: float, keep: Path | None, resume: bool) -> Training:  # noqa: FBT001
    return train(seed, seconds, keep, resume=resume)


if __name__ == "__main__":
    main()

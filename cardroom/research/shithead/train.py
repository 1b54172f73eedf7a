"""Learn the value network that Shithead's ``strong_searcher`` asks among four.

    python -m cardroom.research.shithead.train --games 28000 --notes var/noted.npz --jobs 2
    python -m cardroom.research.shithead.train --games 20000 --notes var/noted.npz --jobs 2 --judged

lets the search play, with few playouts, against three of ``keeper``. Before each of its choices it
notes what the network would see, and then how the game ended. In two of three games it moves at
random now and then, and forgets what it noted before. The network is fitted to all that and written
where the bot reads it, or to ``--out``. With ``--notes`` it learns from what that file has as well,
and adds to it. At first the search plays without a network; ``--judged`` lets it play with the one
that lies where the bot reads it.

The same seed gives the same games with any ``--jobs``; the fit is by numbers of single precision
and depends on the machine's arithmetic.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy

from cardroom.arena import compiled_code
from cardroom.arena.request import Part, run_parts
from cardroom.arena.series import generator
from cardroom.rules import values
from cardroom.rules.cards import TEXT
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import playouts, searcher
from cardroom.rules.shithead.bots.belief import open_cards
from cardroom.rules.shithead.bots.playouts import INPUTS, SCALE, UNITS, worth_of
from cardroom.rules.shithead.bots.world import ShitheadWorld, counts_of
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Setup, pick_seat

GAMES: Final = 28_000
LEAST_GAMES: Final = 1000
PLAYOUTS: Final = 500
EXPLORE: Final = 0.06  # of its moves are at random
AS_IT_PLAYS: Final = 3  # every third game has none of them
A_PART: Final = 100  # games that a process plays before it hands over what it noted
BLOCK: Final = 500  # positions, about those of 40 games
ROUNDS: Final = 8  # over all that was noted
AT_ONCE: Final = 1024
RATE, LAST_RATE = 2e-3, 5e-5
DECAY: Final = 2e-3  # of weights
FIRST, SECOND = 0.9, 0.999  # means of Adam


class Noted(NamedTuple):
    """``inputs``, shape ``(positions, INPUTS)``, and what the game came to, between 0 and 1."""

    inputs: Any
    worths: Any


class Searching(NamedTuple):
    """The settings of the search."""

    form: searcher.SearchForm
    care: searcher.Care


class Weights(NamedTuple):
    """Of shapes ``(INPUTS, UNITS)``, ``(INPUTS,)``, ``(UNITS,)``, ``(UNITS,)``, ``(1,)``."""

    to_units: Any
    straight: Any
    from_units: Any
    biases: Any
    bias: Any


def true_world(state: ShitheadState, seat: int) -> ShitheadWorld:
    """The position with all hands; hidden cards and the stock have no ranks."""
    world = open_cards(SHITHEAD.view(state, seat))
    for other, hand in enumerate(state.hands):
        world.hands[other] = counts_of(TEXT[card] for card in hand)
    return world


def play(seed: int, number: int, search: Searching) -> tuple[list[list[int]], float]:
    """The inputs before each choice of one game, and what it came to."""
    players, keeper = playouts.OPTIONS.players, SHITHEAD.bot("keeper")
    rng, shuffle = generator(seed, "bots", number), seeded(generator(seed, "decks", number))
    learner, noted = rng.randrange(players), list[list[int]]()
    step = SHITHEAD.start(playouts.OPTIONS, [Setup(f"seat {n}") for n in range(players)], shuffle)
    events = list(step.events)
    while acting := SHITHEAD.to_act(step.state):
        seat = pick_seat(acting, rng)
        view = SHITHEAD.view(step.state, seat)
        if seat != learner:
            move = keeper.choose(view, [], rng)
        elif view.phase == "exchange" or is_forced(view.legal_moves):
            move = choose(step.state, seat, events, rng, search)
        elif number % AS_IT_PLAYS and rng.random() < EXPLORE:
            move = rng.choice(view.legal_moves)
            noted.clear()
        else:
            inputs = [0] * INPUTS
            playouts.observe(true_world(step.state, seat), inputs)
            noted.append(inputs)
            move = choose(step.state, seat, events, rng, search)
        step = SHITHEAD.play(step.state, seat, move, shuffle)
        events += step.events
    shed = learner in step.state.last_shed
    return noted, 0.0 if shed else worth_of(true_world(step.state, learner))


def is_forced(moves: Sequence[Move]) -> bool:
    return len(moves) == 1 or moves[0].startswith("blind")


def choose(
    state: ShitheadState, seat: int, events: Sequence[Event], rng: Random, search: Searching
) -> Move:
    """The move of the search."""
    seen = SHITHEAD.recent_events([event.seen_by(seat) for event in events], "round")
    view = SHITHEAD.view(state, seat)
    return searcher.choose(view, seen, rng, PLAYOUTS, search.form, search.care)


def play_part(seed: int, judged: bool, part: Part) -> Noted:  # noqa: FBT001 - of a partial
    search = Searching(compiled_form(), searcher.CAREFUL._replace(judged=judged))
    inputs, worths = list[list[int]](), list[float]()
    for number in range(part.first, part.first + part.games):
        noted, worth = play(seed, number, search)
        inputs += noted
        worths += [worth] * len(noted)
    return Noted(
        numpy.array(inputs, dtype=numpy.uint8).reshape(-1, INPUTS),
        numpy.array(worths, dtype=numpy.float32),
    )


def compiled_form() -> searcher.SearchForm:
    if not compiled_code.installed():
        return searcher.PLAIN
    compiled_code.warm_searches("shithead")
    from cardroom.fast.shithead.search import FORM

    return FORM


def play_games(seed: int, games: int, jobs: int, *, judged: bool = False) -> Noted:
    """The notes of so many games, in their order."""
    parts = [Part(first, min(A_PART, games - first)) for first in range(0, games, A_PART)]
    done = dict[int, Noted]()
    for part, noted in run_parts(partial(play_part, seed, judged), parts, jobs):
        done[part.first] = noted
        print(f"\r{len(done) * A_PART:>10,} games", end="", flush=True)  # noqa: T201
    return joined([done[part.first] for part in parts])


def joined(noted: Sequence[Noted]) -> Noted:
    return Noted(*(numpy.concatenate(each) for each in zip(*noted, strict=True)))


def kept_in(file: Path) -> Noted:
    """The notes in a file. ``ValueError`` if it holds something else."""
    with numpy.load(file) as arrays:
        if set(arrays) != set(Noted._fields) or arrays["inputs"].shape[1:] != (INPUTS,):
            raise ValueError(f"{file} has no positions of this network")
        return Noted(**arrays)


def held_out(noted: Noted) -> tuple[Noted, Noted]:
    """Nine tenths to learn from, and every tenth block of positions."""
    out = numpy.arange(len(noted.worths)) // BLOCK % 10 == 9
    return Noted(*(each[~out] for each in noted)), Noted(*(each[out] for each in noted))


def fit(noted: Noted, seed: int) -> Weights:
    """The network whose worths are likeliest (Adam; Kingma and Ba 2015)."""
    rng = numpy.random.default_rng(seed)
    weights = first_weights(rng)
    means, squares = ([numpy.zeros_like(each) for each in weights] for _ in range(2))
    steps = ROUNDS * (len(noted.worths) // AT_ONCE)
    order = numpy.arange(len(noted.worths))
    for step in range(steps):
        begin = step * AT_ONCE % (len(order) - len(order) % AT_ONCE)
        if not begin:
            rng.shuffle(order)
        some = order[begin : begin + AT_ONCE]
        slopes = slopes_of(weights, noted.inputs[some], noted.worths[some])
        rate = LAST_RATE + (RATE - LAST_RATE) * (1 - step / steps)
        for at, slope in enumerate(slopes):
            means[at] += (1 - FIRST) * (slope - means[at])
            squares[at] += (1 - SECOND) * (slope * slope - squares[at])
            root = numpy.sqrt(squares[at] / (1 - SECOND ** (step + 1)))
            weights[at][...] -= rate * means[at] / (1 - FIRST ** (step + 1)) / (root + 1e-8)
    return weights


def first_weights(rng: numpy.random.Generator) -> Weights:
    return Weights(
        rng.normal(0, 0.15, (INPUTS, UNITS)).astype(numpy.float32),
        numpy.zeros(INPUTS, numpy.float32),
        rng.normal(0, 0.2, UNITS).astype(numpy.float32),
        numpy.zeros(UNITS, numpy.float32),
        numpy.full(1, 3, numpy.float32),
    )


def worths_of(weights: Weights, inputs: Any) -> tuple[Any, Any]:
    """The values of the hidden units and of the network for each of these inputs."""
    inputs = inputs.astype(numpy.float32)
    units = numpy.maximum(inputs @ weights.to_units + weights.biases, 0)
    odds = units @ weights.from_units + inputs @ weights.straight + weights.bias
    return units, 1 / (1 + numpy.exp(-odds))


def slopes_of(weights: Weights, inputs: Any, worths: Any) -> Weights:
    """The gradient of the loss by each weight."""
    units, outputs = worths_of(weights, inputs)
    inputs = inputs.astype(numpy.float32)
    wrong = (outputs - worths) / len(worths)
    of_units = numpy.outer(wrong, weights.from_units) * (units > 0)
    return Weights(
        inputs.T @ of_units + DECAY * weights.to_units,
        inputs.T @ wrong + DECAY * weights.straight,
        units.T @ wrong + DECAY * weights.from_units,
        of_units.sum(axis=0),
        wrong.sum(keepdims=True),
    )


def loss(weights: Weights, noted: Noted) -> float:
    """The mean cross entropy."""
    outputs = numpy.clip(worths_of(weights, noted.inputs)[1], 1e-6, 1 - 1e-6)
    worths = noted.worths
    return float(-numpy.mean(worths * numpy.log(outputs) + (1 - worths) * numpy.log(1 - outputs)))


def packed(weights: Weights) -> bytes:
    """The file of a network (``network.FILE``)."""
    flat = numpy.concatenate([each.ravel() for each in weights])
    return values.packed((flat * SCALE).tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn Shithead's value network.")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--judged", action="store_true")
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--out", type=Path, default=playouts.FILE)
    given = parser.parse_args()
    if given.games < LEAST_GAMES:
        parser.error(f"--games: at least {LEAST_GAMES}, or there is too little to learn from")
    before: list[Noted] = []
    if given.notes and given.notes.exists():
        try:
            before = [kept_in(given.notes)]
        except (OSError, ValueError) as fault:
            parser.error(f"--notes: {fault}")
    noted = joined([*before, play_games(given.seed, given.games, given.jobs, judged=given.judged)])
    if given.notes:
        numpy.savez_compressed(given.notes, **noted._asdict())
    learned, out = held_out(noted)
    weights = fit(learned, given.seed)
    for name, some in (("learned", learned), ("held out", out)):
        print(f"\n{len(some.worths):,} positions {name}: loss {loss(weights, some):.4f}", end="")  # noqa: T201
    given.out.write_bytes(packed(weights))
    print(f"\n{given.out}: {given.out.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()

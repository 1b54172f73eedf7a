"""The reference rules alone: random play through the contract, one core, processor time."""

import random
import time
from dataclasses import dataclass

from cardroom.rules import catalog
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup


@dataclass(frozen=True)
class Pace:
    """How quickly a game plays itself."""

    rounds_a_second: float
    microseconds_a_ply: float


def pace(slug: str, seconds: float) -> Pace:
    """Two seats with the default options; each move is any of the legal ones."""
    game = catalog.find(slug)
    options = game.choose_options()
    setups = [Setup(name=f"Seat {seat}") for seat in range(2)]
    rng = random.Random(1)
    shuffle, choice = seeded(rng), rng.choice
    rounds = plies = 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        step = game.start(options, setups, shuffle)
        while acting := game.to_act(step.state):
            seat = acting[0]
            move = choice(game.legal_moves(step.state, seat))
            step = game.play(step.state, seat, move, shuffle)
            plies += 1
            rounds += step.scores is not None
    spent = time.process_time() - begun
    return Pace(rounds / spent, spent / plies * 1e6)

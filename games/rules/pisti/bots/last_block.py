"""The last block of a deal between two, where the other hand is what is left: solved exactly.

Every line is looked at (expectimax). The seat that searches plays its best; the other one plays
each card as likely as its models say, and with each card one of the models fits it better.
"""

from random import Random

from games.rules.pisti.bots.models import counters_odds, greedys_odds
from games.rules.pisti.bots.outlook import chance_to_win
from games.rules.pisti.bots.playouts import Workspace, draw_models
from games.rules.pisti.bots.sampling import drawn
from games.rules.pisti.bots.world import PistiWorld, finish, put


def solve_worlds(
    rng: Random, worlds: int, moves: list[int], totals: list[float], workspace: Workspace
) -> None:
    """As ``playouts.play_worlds``; all worlds of the pool have the same hands."""
    for _ in range(worlds):
        sampled = workspace.pool.worlds[drawn(rng, workspace.pool.weights)]
        draw_models(rng, sampled)
        counting = sampled.counting[1 - sampled.me]
        for nth, move in enumerate(moves):
            totals[nth] += expected(_after(sampled, workspace.places[move]), counting)


def expected(world: PistiWorld, counting: float) -> float:
    """The chance to win the match; ``counting`` is that of the rival to count.

    A world without cards left is finished by it; any other stays as it is.
    """
    cards = world.sizes[world.turn]
    if not cards:
        finish(world)
        return chance_to_win(world, world.me)
    if world.turn == world.me:
        return max(expected(_after(world, at), counting) for at in range(cards))
    counters, greedys, worth = _odds(world), _odds(world, greedy=True), 0.0
    for at in range(cards):
        by_counter, by_greedy = counting * counters[at], (1 - counting) * greedys[at]
        likely = by_counter + by_greedy
        worth += likely * expected(_after(world, at), by_counter / likely)
    return worth


def _odds(world: PistiWorld, *, greedy: bool = False) -> list[float]:
    (greedys_odds if greedy else counters_odds)(world)
    return world.odds[: world.sizes[world.turn]]


def _after(world: PistiWorld, at: int) -> PistiWorld:
    twin = world.copy()
    put(twin, at)
    return twin

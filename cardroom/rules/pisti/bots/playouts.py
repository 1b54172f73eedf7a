"""The choices of a seat played to the end of the block, each in the same worlds."""

from random import Random
from typing import NamedTuple

from cardroom.rules.flat import chance, copy_into
from cardroom.rules.pisti.bots.models import GREEDY, models_place
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.plan import Plan, after_card, learn, planned_place, row_of, slot_of
from cardroom.rules.pisti.bots.sampling import Pool, drawn
from cardroom.rules.pisti.bots.world import RANKS_OF, PistiWorld, finish, put
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL


class Workspace(NamedTuple):
    """What playouts need: places in the hand, one a move; worlds, a plan, and a world to play."""

    places: list[int]
    pool: Pool
    plan: Plan
    playing: list[PistiWorld]


def play_worlds(
    rng: Random, worlds: int, moves: list[int], totals: list[float], workspace: Workspace
) -> None:
    """Plays each of these moves in so many worlds of the pool; ``totals`` grow by their worth."""
    for _ in range(worlds):
        sampled = workspace.pool.worlds[drawn(rng, workspace.pool.weights)]
        draw_models(rng, sampled)
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, sampled)
            place = workspace.places[moves[nth]]
            totals[nth] += worth_of(workspace.playing[0], place, workspace.plan)


def draw_models(rng: Random, world: PistiWorld) -> None:
    """A model for each other seat, as likely as what it played says."""
    for seat in range(world.players):
        if seat != world.me:
            world.counts[seat] = 0 if chance(rng) < world.beliefs[seat][GREEDY] else 1


def worth_of(world: PistiWorld, place: int, plan: Plan) -> float:
    """Plays this card, then the block to its end; the chance to win the match from there."""
    path = after_card(0, RANKS_OF[world.hands[world.me][place]])
    put(world, place)
    passed = play_block(world, plan, path)
    if world.plays == PLAYS_PER_DEAL:
        finish(world)
    worth = chance_to_win(world, world.me % world.sides)
    learn(plan, passed, worth)
    return worth


def play_block(world: PistiWorld, plan: Plan, path: int) -> int:
    """Every seat plays its hand out; how many nodes of the plan were passed."""
    passed = 0
    while world.sizes[world.turn]:
        seat, place = world.turn, 0
        hand = world.hands[seat]
        if world.sizes[seat] > 1:
            if seat == world.me:
                place = planned_place(world, plan, path)
                plan.passed[passed] = slot_of(plan, row_of(plan, path), hand[place])
                passed += 1
            else:
                place = models_place(world)
        path = after_card(path, RANKS_OF[hand[place]])
        put(world, place)
    return passed

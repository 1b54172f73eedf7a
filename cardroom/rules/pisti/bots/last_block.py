"""The last block of a deal between two, where the other hand is what is left: solved exactly.

Every line is looked at (expectimax). The seat that searches plays its best; the other one plays
each card as likely as its models say, and with each card one of the models fits it better.

No function calls itself: compiled code that does cannot be kept on the disk.
"""

from random import Random
from typing import Annotated, NamedTuple

from cardroom.rules.flat import Flat, copy_into
from cardroom.rules.pisti.bots.models import weigh_models
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.sampling import Pool, drawn, made_whole
from cardroom.rules.pisti.bots.world import HAND, MODELS, PistiWorld, finish, put


class Node(Flat):
    """A position of a line: what is known of its worth, the chance to win the match.

    ``beliefs`` are the chances of the rival to play by each model, ``tried`` how many of the cards
    of the seat to play were played on. ``worth`` is the best of them for the seat that searches;
    for the other one it is the mean so far. Of its cards ``likely`` are their odds, ``after`` the
    beliefs if it plays them.
    """

    beliefs: Annotated[list[float], MODELS]
    tried: int
    worth: float
    likely: Annotated[list[float], HAND]
    after: Annotated[list[list[float]], HAND, MODELS]


class Solving(NamedTuple):
    """Places in the hand, one a move; the pool, in which all worlds have the same hands; and room
    for the positions of a line, after 0 to ``BLOCK`` cards."""

    places: list[int]
    pool: Pool
    nodes: list[Node]
    playing: list[PistiWorld]


def solve_worlds(
    rng: Random, worlds: int, moves: list[int], totals: list[float], workspace: Solving
) -> None:
    """As ``playouts.play_worlds``."""
    nodes, playing = workspace.nodes, workspace.playing
    for _ in range(worlds):
        sampled = workspace.pool.worlds[drawn(rng, workspace.pool.weights)]
        for nth in range(len(moves)):
            copy_into(playing, 0, sampled)
            put(playing[0], workspace.places[moves[nth]])
            for model in range(MODELS):
                nodes[0].beliefs[model] = sampled.beliefs[1 - sampled.me][model]
            totals[nth] += solve(nodes, playing)


def solve(nodes: list[Node], playing: list[PistiWorld]) -> float:
    """The worth of the first position; its node has ``beliefs``."""
    nth = 0
    begin(nodes[0], playing[0])
    while True:
        node, world = nodes[nth], playing[nth]
        if node.tried < world.sizes[world.turn]:
            copy_into(playing, nth + 1, world)
            put(playing[nth + 1], node.tried)
            for model in range(MODELS):
                nodes[nth + 1].beliefs[model] = node.after[node.tried][model]
            nth += 1
            begin(nodes[nth], playing[nth])
        elif nth:
            nth -= 1
            note(nodes[nth], playing[nth], node.worth)
        else:
            return node.worth


def begin(node: Node, world: PistiWorld) -> None:
    """Nothing is tried yet; the end of the deal has its worth at once."""
    node.tried, node.worth = 0, 0.0
    cards = world.sizes[world.turn]
    if not cards:
        finish(world)
        node.worth = chance_to_win(world, world.me)
    elif world.turn == world.me:
        for at in range(cards):
            for model in range(MODELS):
                node.after[at][model] = node.beliefs[model]
    else:
        weigh_models(world)
        for at in range(cards):
            for model in range(MODELS):
                node.after[at][model] = node.beliefs[model] * world.odds[model][at]
            node.likely[at] = made_whole(node.after[at])


def note(node: Node, world: PistiWorld, worth: float) -> None:
    """The card that was tried came to so much."""
    if world.turn == world.me:
        node.worth = max(node.worth, worth)
    else:
        node.worth += node.likely[node.tried] * worth
    node.tried += 1

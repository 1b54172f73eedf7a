"""The choices of a seat played to the end of the round or the match, each in the same worlds."""

from random import Random
from typing import NamedTuple

from games.rules.flat import copy_into, rewind
from games.rules.pazaak.bots.rounds import play
from games.rules.pazaak.bots.six_rule import choice
from games.rules.pazaak.bots.world import OVER, PazaakWorld, is_decided
from games.rules.stream import Stream
from tests.strength.opponents.second_professor.prospects import chance_to_win
from tests.strength.opponents.second_professor.sampling import Known, Sampled, sample


class Workspace(NamedTuple):
    """What playouts need: the choices; a sampled world; one to play, its stream and a deck."""

    choices: list[list[int]]
    sampled: Sampled
    playing: list[PazaakWorld]
    later: Stream
    pack: list[int]


def play_worlds(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    workspace: Workspace,
) -> None:
    """Plays each of these moves in so many worlds; ``totals`` grow by what they are worth."""
    for _ in range(worlds):
        sample(rng, known, workspace.sampled)
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, workspace.sampled.worlds[0])
            rewind(workspace.later, workspace.sampled.later)
            world, chosen = workspace.playing[0], workspace.choices[moves[nth]]
            play(world, chosen[0], chosen[1], workspace.later, workspace.pack)
            play_out(world, workspace.later, workspace.pack)
            totals[nth] += worth_of(world)


def play_out(world: PazaakWorld, later: Random, pack: list[int]) -> None:
    """Both seats play by the rule until the world is over."""
    while world.phase != OVER:
        card, amount = choice(world)
        play(world, card, amount, later, pack)


def worth_of(world: PazaakWorld) -> float:
    """The chance to win the match: 1 if it is won, 0 if it is lost, the middle for a draw."""
    if world.modelled and not is_decided(world):
        return chance_to_win(world, world.me)
    mine, theirs = world.wins[world.me], world.wins[1 - world.me]
    if mine == theirs:
        return 0.5
    return 1.0 if mine > theirs else 0.0

"""Choices of the seat to play, each played to the end by ``keeper`` in the same worlds.

A tree tries a choice the more often the better it looks, so what it found of the others is little
and too low. Here all of them are played equally often.
"""

from random import Random
from typing import Final, NamedTuple

from cardroom.rules.flat import copy_into
from cardroom.rules.shithead.bots.choices import make
from cardroom.rules.shithead.bots.playouts import LONGEST, play_on, worth_of
from cardroom.rules.shithead.bots.sampling import Known, deal_unknown
from cardroom.rules.shithead.bots.world import ShitheadWorld

SAMPLED: Final = 0
PLAYING: Final = 1


class Compared(NamedTuple):
    """The choices (``choices.choice``), and room for a sampled world and one to play."""

    choices: list[int]
    worlds: list[ShitheadWorld]


def play_choices(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    compared: Compared,
) -> None:
    """Plays each of these choices in so many worlds; ``totals`` grow by what they are worth."""
    for _ in range(worlds):
        copy_into(compared.worlds, SAMPLED, known.worlds[0])
        deal_unknown(rng, known, compared.worlds[SAMPLED])
        for nth in range(len(moves)):
            copy_into(compared.worlds, PLAYING, compared.worlds[SAMPLED])
            world = compared.worlds[PLAYING]
            make(world, compared.choices[moves[nth]])
            play_on(world, LONGEST - 1)
            totals[nth] += worth_at_last(world)


def worth_at_last(world: ShitheadWorld) -> float:
    """Players who turn in circles come out of them some time, each as likely as the others."""
    if world.active > 1 and not world.places[world.me]:
        return 1 - 1 / world.active
    return worth_of(world)

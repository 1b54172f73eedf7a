"""Shares and margins with the error that mirrored matches really have.

With swapped seats every sequence of decks is played once with every rotation, so the matches of
one sequence are not independent: good cards help one bot first and the other one then. The error
is therefore taken from the spread of whole sequences. Draws count half.
"""

from collections.abc import Mapping

import msgspec

from cardroom.arena.figures import Figures, Tally
from cardroom.arena.statistics import (
    Interval,
    deviation,
    mean_interval,
    score_interval,
    sequences_interval,
    size,
    student95,
)


def score(figures: Figures, entrant: str) -> Interval:
    """The share of matches won, draws counted half, with its 95 % interval."""
    tally = figures.bots[entrant]
    share = (tally.won + tally.shared / 2) / tally.matches
    if entrant not in figures.mirrored:
        return score_interval(share, tally.matches)
    scores = figures.mirrored[entrant].scores
    return _of_sequences(share, scores, _rotations(figures, scores))


def margin(figures: Figures, entrant: str) -> Interval | None:
    """The points of a seat of this entrant less those of another seat: the mean of a match.

    Only where seats were swapped, at least two sequences of decks.
    """
    margins = figures.mirrored[entrant].margins if entrant in figures.mirrored else {}
    sequences = size(margins)
    if sequences < 2:
        return None
    tally = figures.bots[entrant]
    scale = _scale(tally, len(figures.seats)) * _rotations(figures, margins)
    of_sequences = mean_interval(margins)
    return Interval(*(bound / scale for bound in msgspec.structs.astuple(of_sequences)))


def luck(figures: Figures, entrant: str) -> float | None:
    """The share of how much matches vary that is due to decks and seats, from 0 to 1.

    A sequence of decks that every rotation has played gives everybody the same cards once. So what
    matches of one sequence have in common beyond that is play; the rest of the spread is luck of
    the cards. The moves of a bot that chooses at random count as play.
    """
    tally = figures.bots[entrant]
    if entrant not in figures.mirrored or size(figures.mirrored[entrant].scores) < 2:
        return None
    share = (tally.won + tally.shared / 2) / tally.matches
    spread = (tally.won + tally.shared / 4) / tally.matches - share * share
    scores = figures.mirrored[entrant].scores
    rotations = _rotations(figures, scores)
    if spread <= 0:
        return None
    of_sequences = (deviation(scores) / (2 * rotations)) ** 2
    return min(1.0, max(0.0, 1 - rotations * of_sequences / spread))


def _of_sequences(share: float, scores: Mapping[int, int], rotations: int) -> Interval:
    sequences = size(scores)
    if sequences < 2 or share in (0, 1):
        return score_interval(share, sequences * rotations)
    spread = deviation(scores) / (2 * rotations)
    return sequences_interval(share, spread, sequences, rotations, student95(sequences - 1))


def _rotations(figures: Figures, sequences: Mapping[int, int]) -> int:
    """How many matches each whole sequence of decks has."""
    unpaired = sum(part.played for part in figures.unpaired.values())
    return (figures.matches - unpaired) // size(sequences)


def _scale(tally: Tally, seats: int) -> int:
    """What ``Mirrored.margins`` are multiplied by."""
    mine = tally.seats // tally.matches
    return mine * (seats - mine)

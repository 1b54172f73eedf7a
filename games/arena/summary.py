"""Figures as people read them: shares with their error, distributions, means a match."""

from collections.abc import Mapping, Sequence

import msgspec

from games.arena.figures import Figures, Standing
from games.arena.measures import length_of, measure_names
from games.arena.names import find_game
from games.arena.request import SimulationRequest
from games.arena.statistics import (
    Distribution,
    Interval,
    Survival,
    describe,
    survival,
    wilson,
)


class Result(msgspec.Struct, frozen=True):
    """How a seat or a bot did: 95 % Wilson intervals of the shares of its matches."""

    bot: str
    matches: int
    won: int
    wins: Interval
    draws: Interval
    last: Interval
    points: float  # mean a seat and match


class Summary(msgspec.Struct, frozen=True):
    """What a simulation found.

    ``length`` names the measure that players mean by the length of a match; ``survival`` is its
    curve. ``seats`` are in seat order. ``events`` are means a match.
    """

    matches: int
    unfinished: Interval
    reasons: dict[str, int]
    length: str
    measures: dict[str, Distribution]
    survival: tuple[Survival, ...]
    seats: tuple[Result, ...]
    bots: tuple[Result, ...]
    events: dict[str, float]


def summarize(simulation: SimulationRequest, figures: Figures) -> Summary:
    """The figures of a whole simulation, or of as much of it as was played (at least one)."""
    game = find_game(simulation.game)
    length = length_of(game)
    return Summary(
        matches=figures.matches,
        unfinished=wilson(figures.unfinished, figures.matches),
        reasons=figures.reasons,
        length=length,
        measures={name: describe(figures.measures[name]) for name in measure_names(game)},
        survival=survival(figures.measures[length]),
        seats=tuple(
            _result("" if simulation.swap else bot, standing)
            for bot, standing in zip(simulation.bots, figures.seats, strict=True)
        ),
        bots=_results(simulation.bots, figures.bots),
        events={name: times / figures.matches for name, times in figures.events.items()},
    )


def _results(order: Sequence[str], standings: Mapping[str, Standing]) -> tuple[Result, ...]:
    return tuple(_result(bot, standings[bot]) for bot in dict.fromkeys(order))


def _result(bot: str, standing: Standing) -> Result:
    matches = standing.matches
    return Result(
        bot=bot,
        matches=matches,
        won=standing.won,
        wins=wilson(standing.won, matches),
        draws=wilson(standing.shared, matches),
        last=wilson(standing.last, matches),
        points=standing.points / standing.seats,
    )

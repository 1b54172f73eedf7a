"""Figures as people read them: shares with their error, distributions, means a match."""

import msgspec

from cardroom.arena import engine
from cardroom.arena.figures import Figures, Tally
from cardroom.arena.measures import measure_names
from cardroom.arena.players.names import find_game
from cardroom.arena.request import SimulationRequest, names_of
from cardroom.arena.statistics import (
    Distribution,
    Interval,
    Survival,
    describe,
    survival,
    wilson,
)


class EntrantResult(msgspec.Struct, frozen=True):
    """How a seat or an entrant did: 95 % Wilson intervals of the shares of its matches."""

    bot: str  # the entrant's name; none for a seat that all entrants take in turn
    matches: int
    won: int
    wins: Interval
    draws: Interval
    last: Interval
    points: float  # mean a seat and match


class Summary(msgspec.Struct, frozen=True):
    """What a simulation found.

    ``length`` names the measure that players mean by the length of a match; ``survival`` is its
    curve. ``seats`` are in seat order, ``bots`` (the entrants) in that of the request. ``events``
    are means a match. ``engine`` is what played: ``kernels``, ``rules``, or ``kernels and rules``.
    """

    matches: int
    unfinished: Interval
    reasons: dict[str, int]
    length: str
    measures: dict[str, Distribution]
    survival: tuple[Survival, ...]
    seats: tuple[EntrantResult, ...]
    bots: tuple[EntrantResult, ...]
    events: dict[str, float]
    engine: str = engine.RULES


def summarize(request: SimulationRequest, figures: Figures) -> Summary:
    """The figures of a whole simulation, or of as much of it as was played (at least one)."""
    game, names = find_game(request.game), names_of(request)
    return Summary(
        matches=figures.matches,
        unfinished=wilson(figures.unfinished, figures.matches),
        reasons=figures.reasons,
        length=game.length,
        measures={name: describe(figures.measures[name]) for name in measure_names(game)},
        survival=survival(figures.measures[game.length]),
        seats=tuple(
            _result("" if request.swap else bot, tally)
            for bot, tally in zip(names, figures.seats, strict=True)
        ),
        bots=tuple(_result(name, figures.bots[name]) for name in dict.fromkeys(names)),
        events={name: times / figures.matches for name, times in figures.events.items()},
        engine=_engine(figures),
    )


def _engine(figures: Figures) -> str:
    if not figures.by_kernels:
        return engine.RULES
    if figures.by_kernels == figures.matches:
        return engine.KERNELS
    return f"{engine.KERNELS} and {engine.RULES}"


def _result(bot: str, tally: Tally) -> EntrantResult:
    matches = tally.matches
    return EntrantResult(
        bot=bot,
        matches=matches,
        won=tally.won,
        wins=wilson(tally.won, matches),
        draws=wilson(tally.shared, matches),
        last=wilson(tally.last, matches),
        points=tally.points / tally.seats,
    )

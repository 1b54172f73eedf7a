"""A request to play many matches: described, split, run in parts, merged.

Commands and background tasks call exactly these functions. A ``Simulation`` is plain JSON with
everything a part depends on, so a part can be run by any process, again after a crash, and gives
the same figures each time; ``merge`` takes the parts in any order. Figures of one seed do not
depend on how the matches were split.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from games.arena.errors import BadRequest
from games.arena.figures import Figures, merge
from games.arena.names import choose_options, find_bot, find_game, seat_names
from games.arena.series import Clock, Series

__all__ = ["Part", "SimulationRequest", "chunks", "describe", "merge", "run_part", "run_timed"]

MOST_GAMES: Final = 10_000_000
MOST_IN_A_CHUNK: Final = 250
LARGEST_SEED: Final = 2**53 - 1  # what every JSON reader keeps exactly


class SimulationRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to play: every option written out, a bot's name for every seat.

    ``swap`` plays the same decks with every rotation of the bots round the table.
    """

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    games: Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)]
    swap: bool = False


class Part(NamedTuple):
    """Part of a simulation: the matches ``first`` … ``first + games - 1``."""

    first: int
    games: int


def describe(
    game: str,
    *,
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    bots: Sequence[str] = (),
    games: int = 1000,
    seed: int = 0,
    swap: bool = False,
    custom: bool = False,
) -> SimulationRequest:
    """A checked request; ``BadRequest`` says what is wrong and what is allowed.

    The last bot named takes the seats that are left (in teams a name stands for a side); without
    names the game's stand-in plays all.
    ``custom`` lets dotted paths be imported: for a command line, never for the web.
    """
    rules = find_game(game)
    options = choose_options(rules, values or {}, preset)
    names = seat_names(tuple(bots) or (rules.stand_in,), rules.sides_of(options))
    for name in names:
        find_bot(rules, name, custom=custom)
    _within("games", games, 1, MOST_GAMES)
    _within("seed", seed, 0, LARGEST_SEED)
    return SimulationRequest(
        game=game,
        options=msgspec.to_builtins(options),
        bots=names,
        games=games,
        seed=seed,
        swap=swap,
    )


def chunks(simulation: SimulationRequest, size: int | None = None) -> tuple[Part, ...]:
    """The parts to run, each of ``size`` matches: by default a hundredth, at most 250."""
    each = size or max(1, min(MOST_IN_A_CHUNK, -(-simulation.games // 100)))
    return tuple(
        Part(first, min(each, simulation.games - first))
        for first in range(0, simulation.games, each)
    )


def run_part(simulation: SimulationRequest, chunk: Part, *, custom: bool = False) -> Figures:
    """Plays one part. Pure: the same part gives the same figures anywhere."""
    return series(simulation, custom=custom).figures(_numbers(chunk))


def run_timed(
    simulation: SimulationRequest, chunk: Part, *, custom: bool = False
) -> tuple[Figures, dict[str, Clock]]:
    """The same with a stopwatch on every bot (which costs some speed)."""
    clocks = {name: Clock() for name in simulation.bots}
    return series(simulation, custom=custom).figures(_numbers(chunk), clocks), clocks


def series(simulation: SimulationRequest, *, custom: bool = False) -> Series:
    """The matches behind a request, to play or look at one by one."""
    game = find_game(simulation.game)
    return Series(
        game=game,
        options=choose_options(game, simulation.options),
        bots=tuple(find_bot(game, name, custom=custom) for name in simulation.bots),
        seed=simulation.seed,
        swap=simulation.swap,
    )


def _numbers(chunk: Part) -> range:
    return range(chunk.first, chunk.first + chunk.games)


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadRequest(f"{name} must be {low:,} to {high:,}, not {value:,}.")

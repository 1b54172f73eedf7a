"""Whether compiled matches and searches equal the rules: variants of options, checks.

The rules and a kernel side by side: the same streams, every state before every ply.

A kernel must agree with the rules; the first match in which they differ is named with the ply and
both states.

A bot's search by the rules and its compiled form side by side: the same views, events, streams.

Both must choose the same move, and leave the stream where the other does: then they drew the same
numbers. The first choice in which they differ is named.

Named variants over which kernels are checked against the rules: every option is in one of them.

Each game's kernel lists its own (``VARIANTS``): a name and options with bots, ``players`` included.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

from cardroom.arena import compiled_code, engine
from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.request import Part, SimulationRequest, describe, series
from cardroom.arena.series import Series, generator
from cardroom.arena.statistics import BadRequest
from cardroom.rules.bot import Bot
from cardroom.rules.shuffles import Stream, seeded
from cardroom.rules.values import Event, Move, View

if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel

AT_ONCE: Final = 16  # matches that a kernel traces by one call


@dataclass(frozen=True)
class Difference:
    """The first difference between a kernel and the rules."""

    game: str
    number: int
    ply: int
    rules: list[int]
    kernel: list[int]

    def __str__(self) -> str:
        return (
            f"{self.game}: the kernel differs from the rules in match {self.number} before ply "
            f"{self.ply + 1}: the rules have {self.rules}, the kernel {self.kernel}."
        )


@dataclass(frozen=True)
class Checked:
    """How many states of a part were compared, and the first difference found if there is one."""

    states: int
    difference: Difference | None = None


def check(request: SimulationRequest, part: Part) -> Checked:
    """Plays the matches of a part by both engines, up to the first in which they part."""
    matches = series(request)
    kernel = compiled_code.kernel_of_game(request.game)
    if kernel is None:
        raise BadRequest(f"{matches.game.name} has no kernel.")
    if why := engine.uncovered(matches, kernel):
        raise BadRequest(f"The kernel cannot play this: {why}.")
    states, end = 0, part.first + part.games
    for first in range(part.first, end, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, end))
        traced = _traced(matches, kernel, numbers)
        for number in numbers:
            expected, plies = _played(matches, kernel, number)
            states += plies + 1
            if expected != traced[number]:
                return Checked(states, _difference(matches, number, expected, traced[number]))
    return Checked(states)


def _traced(matches: Series, kernel: "Kernel", numbers: range) -> Mapping[int, list[int]]:
    """The states of these matches by the kernel, as ``Kernel.traces`` has them."""
    from cardroom.fast.kernel import seeds_of

    traced: dict[int, list[int]] = {}
    rotations = len(matches.seatings)
    for rotation, seating in enumerate(matches.seatings):
        chosen = [number for number in numbers if number % rotations == rotation]
        if chosen:
            seeds = seeds_of(matches.seed, [number // rotations for number in chosen], chosen)
            policies = [kernel.policies[entrant.bot.slug] for entrant in seating]
            setups = matches.setups[rotation]
            traces = kernel.traces(seeds, matches.options, setups, policies)
            traced.update(zip(chosen, traces, strict=True))
    return traced


def _played(matches: Series, kernel: "Kernel", number: int) -> tuple[list[int], int]:
    """The states of a match by the rules, as ``Kernel.traces`` has them, and its plies."""
    deal, rotation = divmod(number, len(matches.seatings))
    bots = tuple(entrant.bot for entrant in matches.seatings[rotation])
    chance = seeded(generator(matches.seed, "decks", deal))
    match = MatchInPlay(matches.game, bots, chance, generator(matches.seed, "bots", number))
    states: list[int] = []
    row_of, plies = kernel.row, -1

    def note() -> bool:
        nonlocal plies
        row = row_of(match.state)
        states.append(len(row))
        states.extend(row)
        plies += 1
        return False

    match.begin(matches.options, matches.setups[rotation])
    note()
    match.play(note)
    return states, plies


def _difference(
    matches: Series, number: int, expected: Sequence[int], actual: Sequence[int]
) -> Difference:
    rules, kernel = _states(expected), _states(actual)
    ply = next(
        ply
        for ply in range(max(len(rules), len(kernel)))
        if rules[ply : ply + 1] != kernel[ply : ply + 1]
    )
    either = [states[ply] if ply < len(states) else [] for states in (rules, kernel)]
    return Difference(matches.game.slug, number, ply, *either)


def _states(numbers: Sequence[int]) -> list[list[int]]:
    """The states one by one, without the lengths that lead them."""
    states, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        states.append(list(numbers[at + 1 : end]))
        at = end
    return states


if TYPE_CHECKING:
    from cardroom.fast.binding import CompiledSearch

PLAYOUTS: Final = 24


@dataclass(frozen=True)
class SearchDifference:
    """The first difference between a compiled search and that of the rules."""

    game: str
    bot: str
    number: int
    choice: int
    rules: Move
    compiled: Move

    def __str__(self) -> str:
        return (
            f"{self.game}: the compiled search of {self.bot} differs from the rules in match "
            f"{self.number}, choice {self.choice + 1}: the rules choose {self.rules}, it chooses "
            f"{self.compiled}, or they drew different numbers."
        )


def search_differences(
    request: SimulationRequest, first: int, count: int, playouts: int = PLAYOUTS
) -> Iterator[SearchDifference | None]:
    """For each compiled search and match None, or where the two forms part in its course.

    The bot that searches sits in place of one of the bots asked for, in each match of another. Of
    bots that have one search with other budgets, the first stands for all.
    """
    matches = series(request)
    distinct: dict[Any, tuple[str, CompiledSearch]] = {}
    for slug, compiled in compiled_code.searches_of_game(request.game).items():
        distinct.setdefault(compiled.choose, (slug, compiled))
    for slug, compiled in distinct.values():
        for number in range(first, first + count):
            checker = _Checker(matches.game.bot(slug), compiled, playouts)
            yield checker.difference(matches, number)


class _Checker:
    """Plays a bot by both forms of its search."""

    def __init__(self, bot: Bot[Any], compiled: "CompiledSearch", playouts: int) -> None:
        self._bot, self._compiled, self._playouts = bot, compiled, playouts
        self._choices: list[tuple[Move, Move, bool]] = []

    def difference(self, matches: Series, number: int) -> SearchDifference | None:
        bots, seat = list(matches.bots), number % len(matches.bots)
        bots[seat] = replace(self._bot, choose=self._choose, search=None)
        replace(matches, bots=tuple(bots)).play(number)
        for choice, (rules, compiled, alike) in enumerate(self._choices):
            if not alike:
                names = matches.game.slug, self._bot.slug
                return SearchDifference(*names, number, choice, rules, compiled)
        return None

    def _choose(self, view: View, events: Sequence[Event], rng: Random) -> Move:
        word = rng.getrandbits(64)
        streams = Stream(word), Stream(word)
        assert self._bot.search is not None  # noqa: S101
        forms = self._bot.search.choose, self._compiled.choose
        rules, compiled = (
            choose(view, events, stream, self._playouts)
            for choose, stream in zip(forms, streams, strict=True)
        )
        alike = rules == compiled and streams[0].getstate() == streams[1].getstate()
        self._choices.append((rules, compiled, alike))
        return rules


@dataclass(frozen=True)
class Variant:
    game: str
    name: str
    bots: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    def request(self, *, games: int, seed: int) -> SimulationRequest:
        return describe(self.game, values=self.values, bots=self.bots, games=games, seed=seed)


def variants() -> Iterator[Variant]:
    for slug, kernel in compiled_code.covered_games().items():
        for name, (bots, values) in kernel.variants.items():
            yield Variant(slug, f"{slug}/{name}", bots, values)


def chosen(game: str | None, name: str | None) -> list[Variant]:
    """The variants of a game or of a name; ``BadRequest`` if there is none."""
    matching = [
        each for each in variants() if game in (None, each.game) and name in (None, each.name)
    ]
    if not matching:
        known = ", ".join(each.name for each in variants())
        raise BadRequest(f"There is no such variant; there are: {known}.")
    return matching

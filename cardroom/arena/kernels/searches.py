"""A bot's search by the rules and its compiled form side by side: the same views, events, streams.

Both must choose the same move, and leave the stream where the other does: then they drew the same
numbers. The first choice in which they part is named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

from cardroom.arena import compiled_code
from cardroom.arena.request import SimulationRequest, series
from cardroom.arena.series import Series
from cardroom.rules.bot import Bot
from cardroom.rules.stream import Stream
from cardroom.rules.values import Event, Move, View

if TYPE_CHECKING:
    from cardroom.fast.searching import CompiledSearch

PLAYOUTS: Final = 24


@dataclass(frozen=True)
class SearchDifference:
    """Where a compiled search and that of the rules part for the first time."""

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

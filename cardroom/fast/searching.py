"""What compiled searches have in common.

``cardroom/fast/<game>/search.py`` has ``SEARCHES``, compiled searches by the slugs of the bots.
Python prepares what the seat knows, as the bot of the rules does, and halves the moves
(``cardroom.rules.search.best_by``); the sampling of worlds, the playouts and their worth are
compiled. With the same generator the choice is that of the rules, move for move.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy

from cardroom.fast.stream import WORDS
from cardroom.rules import search
from cardroom.rules.bot import Weigh
from cardroom.rules.search import Compare
from cardroom.rules.stream import Stream
from cardroom.rules.values import Event, Move


@dataclass(frozen=True)
class CompiledSearch:
    """``choose`` is that of a ``cardroom.rules.bot.Search``, a function of a module; its generator
    is a ``Stream``. ``load`` compiles what it calls, or loads it from the disk. ``weigh`` is that
    of the search too.
    """

    choose: Callable[[Any, Sequence[Event], Random, int], Move]
    load: Callable[[], None]
    weigh: Weigh[Any] | None = None


@contextmanager
def drawing_from(rng: Random) -> Iterator[Any]:
    """The generator as ``words[0]``; what compiled code draws there, the generator has drawn."""
    if not isinstance(rng, Stream):
        raise TypeError("a compiled search draws from a Stream")
    words = numpy.zeros(WORDS, dtype=numpy.uint64)
    words[0], gauss = rng.getstate()
    yield words
    rng.setstate((int(words[0]), gauss))


def comparison(play_worlds: Callable[..., None], rng: Random, *workspace: Any) -> Compare:
    """The comparison that a compiled function makes, for ``cardroom.rules.search.best_by``.

    ``play_worlds(words, worlds, moves, totals, *workspace)`` samples ``worlds`` worlds from the
    stream in ``words[0]``, plays each of the moves in each, and adds what they are worth to
    ``totals``.
    """

    def play(worlds: int, moves: list[int], totals: list[float]) -> None:
        counted = numpy.array(totals)
        with drawing_from(rng) as words:
            play_worlds(words, worlds, numpy.array(moves, dtype=numpy.int64), counted, *workspace)
        totals[:] = counted.tolist()

    return search.comparison(play)

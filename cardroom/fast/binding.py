"""The compiled form of a search: the functions of the rules, bound to records and compiled helpers.

A search is written once, on flat values (``rules.search``). ``bound`` copies a function and
all that it calls: the same code with other globals, in which functions are compiled, tables are
arrays and random numbers come from a stream in an array (``words[0]``). ``records`` makes records
with the fields of a flat class. Numbers, lists of numbers and such records stand where the plain
form has values of that class; what belongs together is a named tuple in both forms.

Common parts of compiled searches.

``cardroom/fast/<game>/search.py`` has ``SEARCHES``, compiled searches by the slugs of the bots.
Python prepares what the seat knows, as the bot of the rules does, and halves the moves
(``cardroom.rules.search.best_by``); the sampling of worlds, the playouts and their worth are
compiled. With the same generator the choice is that of the rules, move for move.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dis import get_instructions
from functools import cache
from random import Random
from types import FunctionType, MappingProxyType
from typing import Any, Final

import numpy

from cardroom.fast.compiling import (
    COMPILED,
    WORDS,
    below,
    chance,
    count_bits,
    inner,
    next_word,
    outer,
    shuffle,
)
from cardroom.rules import search
from cardroom.rules.bot import Weigh
from cardroom.rules.search import Compare, Flat
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move


@inner
def _chance(words: Any) -> float:
    return chance(words, 0)


@inner
def _below(words: Any, bound: int) -> int:
    return below(words, bound, 0)


@inner
def _shuffle(words: Any, cards: Any, count: int) -> None:
    shuffle(words, cards, 0, count, 0)


@inner
def _fork(words: Any, other: Any) -> None:
    other[0] = next_word(words, 0)


@inner
def _rewind(words: Any, start: Any) -> None:
    words[0] = start[0]


@inner
def _lowest_bit(number: int) -> int:
    return count_bits((number & -number) - 1) if number else -1


@inner
def _copy_into(places: Any, at: int, value: Any) -> None:
    places[at] = value


_REPLACED: Final[dict[Any, Any]] = {
    search.chance: _chance,
    search.below: _below,
    search.copy_into: _copy_into,
    search.lowest_bit: _lowest_bit,
    search.shuffle: _shuffle,
    search.fork: _fork,
    search.rewind: _rewind,
}


def bound(function: Callable[..., Any], **hooks: Callable[..., Any]) -> Any:
    """A compiled function that Python calls, from one of the rules.

    ``hooks`` are functions of a game that it names. It must be given a record of this game: by the
    types of what it is given alone its code is told apart on the disk from that of other games.
    """
    return outer(_copied(function, hooks))


@cache
def _inside(function: Any) -> Any:
    return inner(_copied(function))


def _copied(function: Any, hooks: Mapping[str, Any] = MappingProxyType({})) -> Any:
    known = {**function.__globals__, **hooks}
    space = {name: _value(known[name]) for name in _names(function) if name in known}
    space["__builtins__"] = function.__globals__["__builtins__"]
    space["__name__"] = function.__module__
    copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
    copy.__module__ = function.__module__
    return copy


def _names(function: Any) -> list[str]:
    """The globals that a function reads."""
    read = [each.argval for each in get_instructions(function) if each.opname == "LOAD_GLOBAL"]
    return list(dict.fromkeys(read))


def _value(value: Any) -> Any:
    """The value in compiled code that stands for one of the rules."""
    if isinstance(value, FunctionType):
        return _REPLACED.get(value) or _inside(value)
    return numpy.array(value) if isinstance(value, list | tuple) else value


@cache
def record_type(kind: type[Flat]) -> Any:
    """The record with the fields of a flat class."""
    numbers = {int: numpy.int64, float: numpy.float64}
    fields = [(name, numbers[each.kind], each.shape) for name, each in kind.FIELDS.items()]
    return numpy.dtype(fields, align=True)


def empty_records(count: int, kind: type[Flat]) -> Any:
    """So many records, every number 0."""
    empty = numpy.zeros(count, dtype=record_type(kind))
    return empty if COMPILED else empty.view(numpy.recarray)


def records(values: Sequence[Flat], kind: type[Flat]) -> Any:
    """A record for each of these values."""
    filled = empty_records(len(values), kind)
    for at, value in enumerate(values):
        filled[at] = tuple(getattr(value, name) for name in kind.FIELDS)
    return filled


def ints(values: Sequence[int]) -> Any:
    return numpy.array(values, dtype=numpy.int64)


def floats(values: Sequence[float]) -> Any:
    return numpy.array(values, dtype=numpy.float64)


def int_zeros(count: int) -> Any:
    return numpy.zeros(count, dtype=numpy.int64)


def float_zeros(count: int) -> Any:
    return numpy.zeros(count)


def stream_words() -> Any:
    """A stream for compiled code, with room for a shuffle."""
    return numpy.zeros(WORDS, dtype=numpy.uint64)


def int_rows(rows: Sequence[Sequence[int]], width: int) -> Any:
    """Rows of numbers, filled up with zeros."""
    padded = numpy.zeros((len(rows), width), dtype=numpy.int64)
    for at, row in enumerate(rows):
        padded[at, : len(row)] = row
    return padded


@dataclass(frozen=True)
class CompiledSearch:
    """``choose`` is that of a ``cardroom.rules.bot.Search``, which can be pickled; its generator is
    a ``Stream``. ``load`` compiles what it calls, or loads it from the disk. ``weigh`` is that of
    the search too.
    """

    choose: Callable[[Any, Sequence[Event], Random, int], Move]
    load: Callable[[], None]
    weigh: Weigh[Any] | None = None


@dataclass(frozen=True)
class CompiledPart:
    """Something else of a game, in its compiled form; ``load`` as that of a search."""

    form: Any
    load: Callable[[], None]


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

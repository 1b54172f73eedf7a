"""The compiled form of a search: the functions of the rules, bound to records and compiled helpers.

A search is written once, on flat values (``cardroom.rules.flat``). ``bound`` copies a function and
all that it calls: the same code with other globals, in which functions are compiled, tables are
arrays and random numbers come from a stream in an array (``words[0]``). ``records`` makes records
with the fields of a flat class. Numbers, lists of numbers and such records stand where the plain
form has values of that class; what belongs together is a named tuple in both forms.
"""

from collections.abc import Callable, Sequence
from dis import get_instructions
from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy

from cardroom.fast.bits import count_bits
from cardroom.fast.compiling import COMPILED, inner, outer
from cardroom.fast.stream import WORDS, below, chance, next_word, shuffle
from cardroom.rules import flat
from cardroom.rules.flat import Flat


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
    flat.chance: _chance,
    flat.below: _below,
    flat.copy_into: _copy_into,
    flat.lowest_bit: _lowest_bit,
    flat.shuffle: _shuffle,
    flat.fork: _fork,
    flat.rewind: _rewind,
}


def bound(function: Callable[..., Any]) -> Any:
    """A compiled function that Python calls, from one of the rules."""
    return outer(_copied(function))


@cache
def _inside(function: Any) -> Any:
    return inner(_copied(function))


def _copied(function: Any) -> Any:
    space = {name: _value(function.__globals__[name]) for name in _names(function)}
    space["__builtins__"] = function.__globals__["__builtins__"]
    space["__name__"] = function.__module__
    copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
    copy.__module__ = function.__module__
    return copy


def _names(function: Any) -> list[str]:
    """The globals that a function reads, built-in ones aside."""
    read = {each.argval for each in get_instructions(function) if each.opname == "LOAD_GLOBAL"}
    return [name for name in function.__globals__ if name in read]


def _value(value: Any) -> Any:
    """What a name of the rules is in compiled code."""
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

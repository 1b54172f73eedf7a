"""Moves and views as numbers, for programs that learn.

Every game of the catalogue numbers its moves once and for all (``Game.actions``) and writes a view
as small whole numbers of a fixed length (``Game.observe``), whatever the options and the number of
seats. ``Game.observation`` says what stands where. Seats are counted from the observing one on,
which is 0; sides likewise. An observation holds nothing but what the view says.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import msgspec

from cardroom.rules.state_fields import choices, fields_of
from cardroom.rules.values import Move, Options

MOST: Final = 32_767  # the largest number in an observation; larger ones are cut to it


class Feature(NamedTuple):
    """``size`` numbers of an observation, each from ``least`` to ``most``."""

    name: str
    size: int
    meaning: str
    most: int = 1
    least: int = 0


class Layout:
    """The features of an observation, one after the other."""

    def __init__(self, *features: Feature) -> None:
        self.features: Final = features
        self.starts: Final[Mapping[str, int]] = dict(_starts(features))
        self.size: Final = sum(feature.size for feature in features)
        self._blank = array("h", bytes(2 * self.size))

    def blank(self) -> "array[int]":
        """An observation of nothing: zeros."""
        return self._blank[:]

    def bounds(self) -> tuple[list[int], list[int]]:
        """The least and the most that every number of an observation can be."""
        least = [feature.least for feature in self.features for _ in range(feature.size)]
        most = [feature.most for feature in self.features for _ in range(feature.size)]
        return least, most


def _starts(features: Iterable[Feature]) -> Iterable[tuple[str, int]]:
    at = 0
    for feature in features:
        yield feature.name, at
        at += feature.size


@dataclass(frozen=True)
class Actions:
    """``texts`` say what every action is, by its number; ``among`` finds those that are legal.

    ``among`` maps each action number to the move to be played, for the legal moves of a view. An
    action may stand for a move that is not listed, where a listed one represents others.
    """

    texts: tuple[str, ...]
    among: Callable[[Sequence[Move]], Mapping[int, Move]]


def numbered(texts: Sequence[Move]) -> Actions:
    """The actions of a game whose every move is listed: each has the number of its place."""
    numbers = {text: number for number, text in enumerate(texts)}
    return Actions(tuple(texts), lambda legal: {numbers[move]: move for move in legal})


def option_features(options: type[Options]) -> tuple[Feature, ...]:
    """A number for every option: a number as it is, a word as its place in the alphabetical order
    of the words that the option may be; 0 for none."""
    return tuple(
        Feature(f"options.{name}", 1, f"the option {name}", most=MOST)
        for name in fields_of(options)
    )


@cache
def option_numbers(options: Options) -> "array[int]":
    """The numbers that ``option_features`` describes."""
    kinds = fields_of(type(options)).items()
    return array("h", [_number(getattr(options, name), kind) for name, kind in kinds])


def _number(value: object, kind: msgspec.inspect.Type) -> int:
    if value is None or isinstance(value, int):
        return capped(int(value or 0))
    return choices(kind).index(str(value))


def capped(number: int) -> int:
    return min(number, MOST)

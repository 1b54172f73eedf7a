"""Checks and the messages of their failures.

The fields in which two values differ, so that a failing test names them.

A check: one sentence of the contract, the function that tries it, and the text of a failure.

Games by the names that people write: ``module:GAME``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from typing import Any, Final, Protocol

import msgspec

from cardroom.contract.playing import Dice, Luck, Sitting
from cardroom.rules.game import AnyGame, Game


def differences(one: Any, other: Any, at: str = "") -> list[str]:
    """``hands[1][0]: 7 is not 8``, a line for each field; none when the values are equal."""
    one, other = msgspec.to_builtins(one), msgspec.to_builtins(other)
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(f"{at}.{name}".lstrip("."), name) for name in one | other]
        parts = [differences(one.get(name), other.get(name), path) for path, name in pairs]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        longer = zip_longest(one, other)
        parts = [differences(*pair, f"{at}[{n}]") for n, pair in enumerate(longer)]
    else:
        parts = [[] if one == other else [f"{at}: {one!r} is not {other!r}".lstrip(": ")]]
    return [line for lines in parts for line in lines]


MOST_LINES: Final = 12  # of the differences that a failure lists


class Broken(AssertionError):
    """The game does not keep the contract; the text says where and which sentence of it."""


class Trial(Protocol):
    def __call__(self, game: AnyGame, luck: Luck, /) -> None: ...


def of_any(_game: AnyGame) -> bool:
    return True


@dataclass(frozen=True)
class Check:
    """``examples`` is how many a known game is tried with; 1: it draws nothing.

    ``shrinks`` is false where looking for a simpler failure would take too long.
    """

    name: str
    rule: str
    trial: Trial
    examples: int = 1
    applies: Callable[[AnyGame], bool] = of_any
    shrinks: bool = True

    def __call__(self, game: AnyGame, luck: Luck | None = None) -> None:
        """Raises ``Broken`` with the sentence, the fault, the match and the position."""
        Sitting.latest = None
        try:
            self.trial(game, luck or Dice(self.name))
        except Exception as fault:
            raise Broken(self._message(game, fault)) from fault

    def _message(self, game: AnyGame, fault: Exception) -> str:
        text = str(fault) if isinstance(fault, Broken) else f"{type(fault).__name__}: {fault}"
        at = Sitting.latest
        where = at.where() if at is not None and at.game is game else game.name
        return f"{self.rule} [{self.name}]\n{text}\n{where}"


def check(rule: str, **facts: Any) -> Callable[[Trial], Check]:
    """Makes a check of a function; its name is the function's."""
    return lambda trial: Check(getattr(trial, "__name__", ""), rule, trial, **facts)


def require(holds: object, fault: str) -> None:
    if not holds:
        raise Broken(fault)


def same(one: Any, other: Any, what: str) -> None:
    """Fails with the fields in which two values differ."""
    lines = differences(one, other, what)
    if lines:
        more = len(lines) - MOST_LINES
        raise Broken("\n".join([*lines[:MOST_LINES], *([f"… and {more} more"] * (more > 0))]))


def find(name: str) -> AnyGame:
    """The game that ``module:NAME`` names; ``LookupError`` says what is wrong."""
    module, _, attribute = name.partition(":")
    try:
        game = getattr(import_module(module), attribute or "GAME")
    except (ImportError, AttributeError, SyntaxError) as fault:
        raise LookupError(f"{name} cannot be imported: {fault}.") from fault
    if not isinstance(game, Game):
        raise LookupError(f"{name} is no game but a {type(game).__name__}.")
    return game

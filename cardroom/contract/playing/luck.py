"""What a check draws: seeds, choices, options. A seeded generator here, Hypothesis in pytest."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, Protocol, TypeVar

from msgspec import inspect
from msgspec.structs import asdict

from cardroom.rules.errors import BadOptions
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options

T = TypeVar("T")
LARGEST_SEED: Final = 2**32
RANGE: Final = 160  # of the numbers that an option without an upper bound is given
BOLD: Final = (1, 2, 4)  # quarters of the options that are drawn and not the default
TRIES: Final = 30  # for options that do not contradict themselves


class Luck(Protocol):
    """Draws of one example. ``reach`` says how many times as long as usual its matches may be."""

    reach: int

    def number(self, least: int, most: int) -> int: ...

    def one_of(self, items: Sequence[T]) -> T: ...


class Dice:
    """The luck of one seed."""

    def __init__(self, seed: object, reach: int = 1) -> None:
        self._rng = Random(str(seed))
        self.reach = reach

    def number(self, least: int, most: int) -> int:
        return self._rng.randint(least, most)

    def one_of(self, items: Sequence[T]) -> T:
        return self._rng.choice(items)


def seed(luck: Luck) -> int:
    return luck.number(0, LARGEST_SEED)


def any_options(game: AnyGame, luck: Luck, **fixed: Any) -> Options:
    """Any options that the game's check lets pass, drawn from the types of their fields."""
    fields = [field for field in _fields(game) if field.name not in fixed]
    for _ in range(TRIES):
        bold = luck.one_of(BOLD)
        values = {field.name: _value(field, luck, bold) for field in fields}
        try:
            return _chosen(game, values | fixed)
        except BadOptions:
            continue
    usual = luck.one_of([game.options(), *game.presets.values()])
    return _chosen(game, asdict(usual) | fixed)


def _chosen(game: AnyGame, values: dict[str, Any]) -> Options:
    options: Options = game.choose_options(values)
    return options


def _fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - options are a struct
    return info.fields


def _value(field: inspect.Field, luck: Luck, bold: int) -> Any:
    """The default, unless the draw is ``bold``; faults hide where two rare values meet."""
    return _of_type(field.type, luck) if luck.number(1, 4) <= bold else field.default


def _of_type(kind: inspect.Type, luck: Luck) -> Any:
    match kind:
        case inspect.Metadata():
            return _of_type(kind.type, luck)
        case inspect.BoolType():
            return luck.one_of((False, True))
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return luck.one_of(kind.values)
        case inspect.UnionType():
            return _of_type(luck.one_of(kind.types), luck)
        case inspect.IntType():
            least = kind.ge if kind.ge is not None else 0
            most = kind.le if kind.le is not None else least + RANGE
            return luck.number(least, min(most, least + RANGE))
    raise TypeError(f"The contract cannot draw an option of type {kind}.")

"""What a check draws: seeds, choices, options. A seeded generator here, Hypothesis in pytest."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
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
SEATS: Final = "players"  # the option that says how many there are, where there is one
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


def options_that_meet(game: AnyGame) -> Iterator[Options]:
    """Options under which every two choices of two fields meet, in as few as a greedy search finds.

    Fewest and most seats are choices; other numbers stand at their ends one at a time.
    """
    choices = {field.name: _choices(field) for field in _fields(game)}
    bases = [asdict(usual) for usual in (game.options(), *game.presets.values())]
    values = [(name, value) for name in choices for value in choices[name]]
    unmet = dict.fromkeys(
        frozenset({one, other})
        for one, other in combinations_with_replacement(values, 2)
        if one == other or one[0] != other[0]
    )
    while unmet:
        pair = next(iter(unmet))
        more: list[dict[str, Any]] = [{}, *({name: value} for name, value in values)]
        tried = (base | other | dict(pair) for other in more for base in bases)
        row = next((one for one in tried if _is_allowed(game, one)), None)
        if row is None:  # they exclude each other
            del unmet[pair]
            continue
        decided = dict(pair)
        for name in [name for name in choices if name not in decided]:
            ranked = sorted(choices[name], key=lambda value: -_news(unmet, decided, name, value))
            fits = (value for value in ranked if _is_allowed(game, row | {name: value}))
            row[name] = decided[name] = next(fits, row[name])
        for met in combinations_with_replacement(decided.items(), 2):
            unmet.pop(frozenset(met), None)
        yield _chosen(game, row)
    for field in _fields(game):
        for end in _ends(field):
            if _is_allowed(game, bases[0] | {field.name: end}):
                yield _chosen(game, bases[0] | {field.name: end})


def _news(unmet: Mapping[Any, None], decided: Mapping[str, Any], name: str, value: Any) -> int:
    """How many pairs meet for the first time with this value."""
    return sum(frozenset({(name, value), one}) in unmet for one in decided.items())


def _is_allowed(game: AnyGame, values: dict[str, Any]) -> bool:
    try:
        _chosen(game, values)
    except BadOptions:
        return False
    return True


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
            return luck.number(*_range(kind))
    raise TypeError(f"The contract cannot draw an option of type {kind}.")


def _choices(field: inspect.Field) -> list[Any]:
    """What an option may be, of a number its default; of seats the fewest and the most."""
    values: list[Any] = []
    for kind in _kinds(field.type):
        match kind:
            case inspect.BoolType():
                values += [False, True]
            case inspect.NoneType():
                values.append(None)
            case inspect.LiteralType():
                values += kind.values
            case inspect.IntType() if field.name == SEATS:
                values += dict.fromkeys(_range(kind))
            case _ if field.default is not None:
                values.append(field.default)
    return values


def _ends(field: inspect.Field) -> list[int]:
    kinds = [kind for kind in _kinds(field.type) if isinstance(kind, inspect.IntType)]
    return [end for kind in kinds if field.name != SEATS for end in _range(kind)]


def _kinds(kind: inspect.Type) -> list[inspect.Type]:
    """The types of which a value may be, without what is noted of them."""
    match kind:
        case inspect.Metadata():
            return _kinds(kind.type)
        case inspect.UnionType():
            return [one for inner in kind.types for one in _kinds(inner)]
    return [kind]


def _range(kind: inspect.IntType) -> tuple[int, int]:
    least = kind.ge if kind.ge is not None else 0
    most = kind.le if kind.le is not None else least + RANGE
    return least, min(most, least + RANGE)

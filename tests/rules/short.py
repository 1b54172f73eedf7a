"""Options under which a match of any game is soon over, but not at once."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from cardroom.rules.game import AnyGame
from cardroom.rules.values import BadOptions, Options
from tests.rules.playing import Sitting

FEWEST = 20  # plies that a match has still
WORTH = 0.9  # of the plies before, or a smaller number gains nothing
MATCHES = 3  # random ones that each choice of options is judged by


@cache
def short_options(game: AnyGame) -> dict[str, Any]:
    """The values that differ from the defaults; found by making one option smaller at a time."""
    best = game.options()
    fewest = plies(game, best, 10**6)
    for values in candidates(game):
        try:
            options = game.choose_options(msgspec.to_builtins(best) | values)
        except BadOptions:
            continue
        needed = plies(game, options, fewest)
        if FEWEST <= needed < WORTH * fewest:
            best, fewest = options, needed
    chosen, usual = msgspec.to_builtins(best), msgspec.to_builtins(game.options())
    return {name: value for name, value in chosen.items() if value != usual[name]}


def candidates(game: AnyGame) -> Iterator[dict[str, Any]]:
    """For each option but the number of seats: nothing, and ever smaller numbers."""
    for field in inspect.type_info(game.options).fields:
        if field.name != "players":
            yield from ({field.name: value} for value in small(field.type))


def small(kind: inspect.Type) -> Iterator[int | None]:
    match kind:
        case inspect.Metadata():
            yield from small(kind.type)
        case inspect.UnionType():
            for member in kind.types:
                yield from small(member)
        case inspect.NoneType():
            yield None
        case inspect.IntType():
            least = kind.ge or 0
            yield from (least + more for more in (31, 15, 7, 3, 1, 0))


def plies(game: AnyGame, options: Options, most: int) -> int:
    """The plies of the longest of a few random matches, ``most`` if it is no shorter."""
    sittings = (Sitting.begun(game, options, number) for number in range(MATCHES))
    return max(sitting.play_on(Random(1), most).version for sitting in sittings)

"""Any options of a game, drawn from the types of their fields."""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import assume
from hypothesis import strategies as st

from games.rules.errors import BadOptions
from games.rules.game import AnyGame
from games.rules.values import Options


def options_of(game: AnyGame, **fixed: Any) -> st.SearchStrategy[Options]:
    """Any options of a game that its ``check`` lets pass, small numbers preferred."""
    fields = {
        one.name: st.just(fixed[one.name]) if one.name in fixed else _values(one)
        for one in msgspec.inspect.type_info(game.options).fields
    }
    return st.fixed_dictionaries(fields).map(_chosen_by(game))


def _chosen_by(game: AnyGame) -> Callable[[dict[str, Any]], Options]:
    def choose(values: dict[str, Any]) -> Options:
        try:
            return game.choose_options(values)
        except BadOptions:
            assume(False)
            raise

    return choose


def _values(one: Any) -> st.SearchStrategy[Any]:
    default = st.just(one.default)
    return default | _of_type(one.type)


def _of_type(kind: Any) -> st.SearchStrategy[Any]:
    match kind:
        case msgspec.inspect.Metadata():
            return _of_type(kind.type)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.LiteralType():
            return st.sampled_from(kind.values)
        case msgspec.inspect.UnionType():
            return st.one_of(*map(_of_type, kind.types))
        case msgspec.inspect.IntType():
            least = kind.ge if kind.ge is not None else 0
            most = kind.le if kind.le is not None else least + 160
            return st.integers(least, min(most, least + 160))
    raise AssertionError(f"no strategy for an option of type {kind}")

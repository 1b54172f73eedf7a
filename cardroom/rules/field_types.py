"""What the types of a struct's fields say of their values: which are seats, which are choices."""

from functools import cache
from typing import Final

import msgspec
from msgspec import inspect

ANY: Final = inspect.AnyType()


@cache
def fields_of(struct: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - a struct has this info
    return {field.name: field.type for field in info.fields}


@cache
def texts_of(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields that may hold a text, such as a card's: read off their types once."""
    return tuple(name for name, kind in fields_of(struct).items() if _may_be_text(kind))


def _may_be_text(kind: inspect.Type) -> bool:
    match kind:
        case inspect.Metadata(type=inner):
            return _may_be_text(inner)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return _may_be_text(item)
        case inspect.FrozenSetType(item_type=item):
            return _may_be_text(item)
        case inspect.TupleType(item_types=kinds) | inspect.UnionType(types=kinds):
            return any(map(_may_be_text, kinds))
    return not isinstance(
        kind, inspect.IntType | inspect.FloatType | inspect.BoolType | inspect.NoneType
    )


def is_seat(kind: inspect.Type) -> bool:
    """Typed ``Seat`` of ``values``, alone or optional."""
    if isinstance(kind, inspect.UnionType):
        return any(map(is_seat, kind.types))
    return isinstance(kind, inspect.Metadata) and (kind.extra or {}).get("seat") is True


def choices(kind: inspect.Type) -> list[str]:
    """The words that a field may hold, in alphabetical order; none where it is no choice."""
    match kind:
        case inspect.Metadata(type=inner):
            return choices(inner)
        case inspect.LiteralType(values=values):
            return sorted(str(value) for value in values)
        case inspect.UnionType(types=types):
            return [choice for of in types for choice in choices(of)]
    return []


def item_type(kind: inspect.Type, at: int) -> inspect.Type:
    """The type of an item of a list, or of a pair of a mapping; ``ANY`` where there is none."""
    match kind:
        case inspect.Metadata(type=inner):
            return item_type(inner, at)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return item
        case inspect.TupleType(item_types=items) if at < len(items):
            return items[at]
        case inspect.DictType(key_type=key, value_type=value):
            return inspect.TupleType((key, value))
        case inspect.UnionType(types=types):
            of_each = (item_type(one, at) for one in types)
            return next((of_one for of_one in of_each if of_one != ANY), ANY)
    return ANY

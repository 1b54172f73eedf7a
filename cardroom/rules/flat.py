"""Flat worlds: what a search keeps of a position, for plain Python and for compiled code alike.

A class of flat values declares its fields as annotations: numbers, and lists of a fixed length.
The functions of a search name these fields (``world.top``, ``world.sizes[seat]``) and change them
in place. Plain Python runs them on this class. ``cardroom.fast.binding`` makes a record of the same
fields and compiles the same functions for it, so both forms choose the same move.

Such functions call others by their names, not as methods or through a module. For copies,
lowest bits and random numbers they call the functions at the end of this module.
"""

from random import Random
from typing import Annotated, Any, ClassVar, NamedTuple, Self, get_args, get_origin

from cardroom.rules.stream import Stream


class Field(NamedTuple):
    """``shape`` is empty for a number; else the length of a list, or of lists in a list."""

    kind: type
    shape: tuple[int, ...]


class _FlatType(type):
    """Gives a class slots for its fields, and methods that make and copy its values."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> "_FlatType":
        kinds = space.get("__annotations__", {}).items()
        fields = {key: _field(kind) for key, kind in kinds if get_origin(kind) is not ClassVar}
        space |= {"FIELDS": fields, "__slots__": tuple(fields)}
        if fields:
            exec(_methods(fields), space)  # noqa: S102 - as dataclasses do; a loop is far slower
            del space["__builtins__"]
        return super().__new__(mcs, name, bases, space)


def _field(kind: Any) -> Field:
    """Of ``int``, ``float``, ``Annotated[list[int], 4]``, ``Annotated[list[list[int]], 4, 13]``."""
    if get_origin(kind) is not Annotated:
        return Field(kind, ())
    number, *shape = get_args(kind)
    while get_origin(number) is list:
        (number,) = get_args(number)
    return Field(number, tuple(shape))


def _methods(fields: dict[str, Field]) -> str:
    lines = ["def __init__(self):"]
    lines += [f"    self.{name} = {_zeros(field)}" for name, field in fields.items()]
    lines += ["def copy_to(self, twin):"]
    lines += [f"    {_copying(name, field)}" for name, field in fields.items()]
    return "\n".join(lines)


def _zeros(field: Field) -> str:
    text = repr(field.kind())
    for nested, length in enumerate(reversed(field.shape)):
        text = f"[{text} for _ in range({length})]" if nested else f"[{text}] * {length}"
    return text


def _copying(name: str, field: Field) -> str:
    if not field.shape:
        return f"twin.{name} = self.{name}"
    rows = [f"[{row}]" for row in range(field.shape[0])] if len(field.shape) > 1 else [""]
    return "; ".join(f"twin.{name}{row}[:] = self.{name}{row}" for row in rows)


class Flat(metaclass=_FlatType):
    """The base of these classes; every number is 0 at first."""

    FIELDS: ClassVar[dict[str, Field]]

    def copy_to(self, twin: Self) -> None:
        """Makes another value equal to this one."""

    def copy(self) -> Self:
        twin = type(self)()
        self.copy_to(twin)
        return twin


def copy_into(places: "list[Any]", at: int, value: Flat) -> None:
    """Makes the value at this place equal to another one."""
    value.copy_to(places[at])


def lowest_bit(number: int) -> int:
    """The place of its lowest bit that is set; -1 of 0."""
    return (number & -number).bit_length() - 1


def chance(rng: Random) -> float:
    """In [0, 1)."""
    return rng.random()


def below(rng: Random, bound: int) -> int:
    """A whole number below ``bound``, which is 128 at most."""
    return rng.randrange(bound)


def shuffle(rng: Random, cards: list[int], count: int) -> None:
    """Shuffles the first ``count`` cards."""
    shuffled = cards[:count]
    rng.shuffle(shuffled)
    cards[:count] = shuffled


def fork(rng: Random, other: Stream) -> None:
    """``other`` begins where the next word of ``rng`` says."""
    other.seed(rng.getrandbits(64))


def rewind(stream: Stream, start: Stream) -> None:
    """``stream`` goes on as ``start`` would."""
    stream.setstate(start.getstate())

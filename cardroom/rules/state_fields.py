"""The cards of a state, found by the types of its fields: listed, or exchanged for other cards.

The types name them: ``Card`` and ``CardSet`` of ``values``, alone, optional, in tuples of any depth
and in structs.

The meaning of a struct's fields by their types: which are seats, which are choices.

The calibration of the chances that a search weighs (``make calibration``).

A search plays on with models of the players, or looks up what weaker ones have taught it. Its
chances are corrected by a shift and a stretch of the log-odds, which keep the order of moves. They
differ by the stage of a match, because what a search does not know is largely still to come.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from math import exp, log
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from cardroom.rules.values import State, View

S = TypeVar("S", bound=State)
Exchange = Mapping[Any, Any]  # old card -> new card


class Cards(NamedTuple):
    """Operations on the cards in the values of one type."""

    of: type  # the type as ``isinstance`` knows it
    listed: Callable[[Any], Iterator[int]]
    exchanged: Callable[[Any, Exchange], Any]


@cache
def cards_in(state: type[State]) -> Cards | None:
    """``None`` when no field of the state says that it holds cards."""
    return cards_of_type(inspect.type_info(state))


def exchange(state: S, new: Exchange) -> S:
    """The state with other cards in the place of those that ``new`` names."""
    cards = cards_in(type(state))
    return cards.exchanged(state, new) if cards else state


def cards_of_type(kind: inspect.Type) -> Cards | None:
    match kind:
        case inspect.Metadata(extra={"card": True}):
            return Cards(int, lambda card: iter((card,)), lambda card, new: new.get(card, card))
        case inspect.Metadata(extra={"card_set": True}):
            return Cards(int, _bits, _exchanged_bits)
        case inspect.Metadata():
            return cards_of_type(kind.type)
        case inspect.VarTupleType():
            return _in_tuples(kind)
        case inspect.TupleType():
            return _in_places(kind)
        case inspect.UnionType():
            return _in_members(kind)
        case inspect.StructType():
            return _in_fields(kind)
    return None


def _bits(cards: int) -> Iterator[int]:
    return (card for card in range(cards.bit_length()) if cards >> card & 1)


def _exchanged_bits(cards: int, new: Exchange) -> int:
    return sum(1 << new.get(card, card) for card in _bits(cards))


def _in_tuples(kind: inspect.VarTupleType) -> Cards | None:
    if isinstance(kind.item_type, inspect.Metadata) and (kind.item_type.extra or {}).get("card"):
        return Cards(tuple, iter, lambda cards, new: tuple([new.get(card, card) for card in cards]))
    item = cards_of_type(kind.item_type)
    return item and Cards(
        tuple,
        lambda items: chain.from_iterable(map(item.listed, items)),
        lambda items, new: tuple([item.exchanged(one, new) for one in items]),
    )


def _in_places(kind: inspect.TupleType) -> Cards | None:
    """A tuple of a fixed length, a type for each place."""
    places = dict(enumerate(map(cards_of_type, kind.item_types)))
    with_cards = {at: cards for at, cards in places.items() if cards}
    return (with_cards or None) and Cards(
        tuple,
        lambda items: chain.from_iterable(with_cards[at].listed(items[at]) for at in with_cards),
        lambda items, new: tuple(
            [
                with_cards[at].exchanged(one, new) if at in with_cards else one
                for at, one in enumerate(items)
            ]
        ),
    )


def _in_members(kind: inspect.UnionType) -> Cards | None:
    members = [cards for cards in map(cards_of_type, kind.types) if cards]

    def member(value: Any) -> Cards | None:
        return next((one for one in members if isinstance(value, one.of)), None)

    def listed(value: Any) -> Iterator[int]:
        of_cards = member(value)
        return of_cards.listed(value) if of_cards else iter(())

    def exchanged(value: Any, new: Exchange) -> Any:
        of_cards = member(value)
        return of_cards.exchanged(value, new) if of_cards else value

    return Cards(object, listed, exchanged) if members else None


def _in_fields(kind: inspect.StructType) -> Cards | None:
    fields = {field.name: cards_of_type(field.type) for field in kind.fields}
    with_cards = {name: cards for name, cards in fields.items() if cards}
    return (with_cards or None) and Cards(
        kind.cls,
        lambda value: chain.from_iterable(
            cards.listed(getattr(value, name)) for name, cards in with_cards.items()
        ),
        lambda value, new: replace(
            value,
            **{
                name: cards.exchanged(getattr(value, name), new)
                for name, cards in with_cards.items()
            },
        ),
    )


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


V = TypeVar("V", bound=View)


class Line(NamedTuple):
    """A correction of log-odds: multiplied by ``stretch``, then ``shift`` is added."""

    shift: float = 0.0
    stretch: float = 1.0

    def read(self, chance: float) -> float:
        """The corrected chance; 0 and 1 stay as they are."""
        if not 0 < chance < 1 or self == Line():
            return chance
        return 1 / (1 + exp(-self.shift - self.stretch * log(chance / (1 - chance))))


def one_stage(_view: Any) -> str:
    return "all"


@dataclass(frozen=True, eq=False)
class Reading(Generic[V]):
    """``stage`` names the stage of a view; one that is not in ``by_stage`` reads as it is."""

    stage: Callable[[V], str] = one_stage
    by_stage: Mapping[str, Line] = field(default_factory=dict)

    def of(self, view: V) -> Line:
        return self.at(self.stage(view))

    def at(self, stage: str) -> Line:
        return self.by_stage.get(stage, Line())


AS_WEIGHED: Final[Reading[Any]] = Reading()

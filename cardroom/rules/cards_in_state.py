"""The cards of a state, found by the types of its fields: listed, or exchanged for other cards.

The types name them: ``Card`` and ``CardSet`` of ``values``, alone, optional, in tuples of any depth
and in structs.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from msgspec import inspect
from msgspec.structs import replace

from cardroom.rules.values import State

S = TypeVar("S", bound=State)
Exchange = Mapping[Any, Any]  # old card -> new card


class Cards(NamedTuple):
    """What can be done with the cards in the values of one type."""

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

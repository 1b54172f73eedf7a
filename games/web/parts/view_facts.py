"""The values of any view as facts to draw: cards as cards, seats by name, other values in words.

What a value is follows from its type (``Seat``) and its look (``7H`` is a card).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext
from msgspec import inspect

from cardroom.rules.field_types import fields_of, is_seat, item_type

_CARD = re.compile(r"(?:[2-9TJQKA][CDHS]|X[12])\Z")


@dataclass(frozen=True)
class Item:
    """A word, or a card; a ``card`` without a code is a place where no card is to be seen."""

    text: str = ""
    card: str | None = None


@dataclass(frozen=True)
class Fact:
    """``text`` where words say it; else ``groups`` of items with cards among them."""

    name: str
    text: str = ""
    groups: tuple[tuple[Item, ...], ...] | None = None


def fact(name: str, value: Any, kind: inspect.Type, seats: Sequence[str]) -> Fact | None:
    """``seats`` are the names by seat. ``None`` for what says nothing: null, false, no seats."""
    if value is None or value is False:
        return None
    if value is True:
        return Fact(name, text=gettext("yes"))
    groups = tuple(filter(None, _groups(value, kind, seats)))
    if not groups:
        return Fact(name, groups=()) if _may_hold_cards(kind) else None
    if any(item.card is not None for group in groups for item in group):
        return Fact(name, groups=groups)
    return Fact(name, text=", ".join(" ".join(item.text for item in group) for group in groups))


def is_card(value: Any) -> bool:
    return isinstance(value, str) and _CARD.match(value) is not None


def are_cards(value: Any) -> bool:
    """Cards, with or without places where none is to be seen; nothing at all is cards, too."""
    if not isinstance(value, list | tuple):
        return False
    return not value or (any(map(is_card, value)) and all(x is None or is_card(x) for x in value))


def is_by_seat(value: Any, kind: inspect.Type, seats: int) -> bool:
    """One item for each seat, and not simply so many cards, other texts or seats."""
    if not isinstance(value, list | tuple) or len(value) != seats or are_cards(value):
        return False
    items = [item_type(kind, at) for at in range(seats)]
    return not any(is_seat(item) or isinstance(item, inspect.StrType) for item in items)


def _may_hold_cards(kind: inspect.Type) -> bool:
    return isinstance(item_type(kind, 0), inspect.StrType)


def _groups(value: Any, kind: inspect.Type, seats: Sequence[str]) -> list[tuple[Item, ...]]:
    """Cards are one group; of anything else each item is one."""
    if not _is_nested(value) or are_cards(value):
        return [tuple(_items(value, kind, seats))]
    return [tuple(_items(inner, of, seats)) for inner, of in _parts(value, kind)]


def _items(value: Any, kind: inspect.Type, seats: Sequence[str]) -> Iterator[Item]:
    if _is_nested(value):
        cards = are_cards(value)
        for inner, of in _parts(value, kind):
            yield from [Item(card="")] if cards and inner is None else _items(inner, of, seats)
    elif is_card(value):
        yield Item(card=value)
    elif is_seat(kind) and isinstance(value, int):
        yield Item(seats[value])
    elif value is not None and not isinstance(value, bool):
        yield Item(gettext(str(value).replace("_", " ")))


def _parts(value: Any, kind: inspect.Type) -> Iterator[tuple[Any, inspect.Type]]:
    """The items of a list, pairs of a mapping or fields of a struct, each with its type."""
    if isinstance(value, msgspec.Struct):
        yield from ((getattr(value, name), of) for name, of in fields_of(type(value)).items())
        return
    items = value.items() if isinstance(value, dict) else value
    yield from ((item, item_type(kind, at)) for at, item in enumerate(items))


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | tuple | dict | msgspec.Struct)

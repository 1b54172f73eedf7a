"""The table of a game that has no template: its view as facts, its hand and moves as buttons."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from django.utils.translation import gettext
from msgspec import inspect

from cardroom.rules.state_fields import fields_of, is_seat, item_type
from cardroom.rules.values import Event, View
from games.web.parts.table_page import MoveButton, SeatPanel, TablePage

# A game's scene seat by seat.

S = TypeVar("S")


@dataclass(frozen=True)
class SeatedScene(ABC, Generic[S]):
    page: TablePage

    @cached_property
    def others(self) -> list[S]:
        """In turn order, the seat after the viewer's first."""
        return [self._seat(panel) for panel in self.page.others]

    @cached_property
    def you(self) -> S | None:
        return self._seat(self.page.you) if self.page.you else None

    @abstractmethod
    def _seat(self, panel: SeatPanel) -> S:
        """The game's own view of a seat."""


# The values of any view as facts to draw: cards as cards, seats by name, other values in words.
#
# The kind of a value follows from its type (``Seat``) and its look (``7H`` is a card).

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
        return Fact(name, groups=()) if isinstance(item_type(kind, 0), inspect.StrType) else None
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


LAST_CARDS: Final = 3
NOT_DRAWN: Final = frozenset({"seat", "to_act", "legal_moves", "options"})


@dataclass(frozen=True)
class Fields:
    """Names that a game may give the fields of its view: ``FIELDS`` of its module in this package.

    ``labels`` replace names; ``hidden`` are not drawn. ``by_seat`` have an item for each seat, and
    ``common`` have not, although there may be as many items as seats.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    hidden: AbstractSet[str] = frozenset()
    by_seat: AbstractSet[str] = frozenset()
    common: AbstractSet[str] = frozenset()

    def label(self, name: str) -> str:
        return gettext(self.labels.get(name, name.replace("_", " ").capitalize()))


@dataclass(frozen=True)
class HandCard:
    """``button`` is the move that a click on the card plays, if it is clear which one."""

    code: str
    button: MoveButton | None


@dataclass(frozen=True)
class Scene:
    """``common`` facts of the table, ``seats`` the facts of each, the viewer's ``hand``.

    ``buttons`` are the moves that no card of the hand plays.
    """

    common: list[Fact]
    seats: list[list[Fact]]
    hand: list[HandCard]
    buttons: list[MoveButton]


class Field(NamedTuple):
    name: str
    value: Any
    kind: msgspec.inspect.Type


def scene(page: TablePage, *, fields: Fields) -> Scene:
    hand = _hand(page)
    drawn, count = _drawn(page.view, fields), len(page.match.seats)
    by_seat = [each for each in drawn if _is_by_seat(each, count, fields)]
    common = [each for each in drawn if not _is_by_seat(each, count, fields)]
    played = {card.button.move for card in hand if card.button}
    return Scene(
        common=_facts(common, page, fields),
        seats=[_facts(_of_seat(by_seat, seat), page, fields) for seat in range(count)],
        hand=hand,
        buttons=[button for button in page.move_buttons if button.move not in played],
    )


def _drawn(view: View | None, fields: Fields) -> list[Field]:
    hidden = NOT_DRAWN | fields.hidden
    all_fields = [] if view is None else _fields(view)
    return [
        each
        for each in all_fields
        if each.name not in hidden and not (each.name == "hand" and are_cards(each.value))
    ]


def _fields(struct: msgspec.Struct) -> list[Field]:
    kinds = fields_of(type(struct)).items()
    return [Field(name, getattr(struct, name), kind) for name, kind in kinds]


def _is_by_seat(each: Field, seats: int, fields: Fields) -> bool:
    if each.name in fields.by_seat:
        return isinstance(each.value, list | tuple) and len(each.value) == seats
    return each.name not in fields.common and is_by_seat(each.value, each.kind, seats)


def _of_seat(by_seat: Iterable[Field], seat: int) -> Iterator[Field]:
    """Facts of one seat, out of lists; a struct stands for its own fields."""
    for each in by_seat:
        value = each.value[seat]
        if isinstance(value, msgspec.Struct):
            yield from _fields(value)
        else:
            yield Field(each.name, value, item_type(each.kind, seat))


def _facts(shown: Iterable[Field], page: TablePage, fields: Fields) -> list[Fact]:
    names, hidden = page.match.names, fields.hidden
    facts = [
        fact(fields.label(each.name), each.value, each.kind, names)
        for each in shown
        if each.name not in hidden
    ]
    return [each for each in facts if each is not None]


def _hand(page: TablePage) -> list[HandCard]:
    codes = getattr(page.view, "hand", ()) if page.view else ()
    if not are_cards(codes):
        return []
    return [HandCard(code, button_of(code, page.move_buttons)) for code in codes]


def button_of(code: str, buttons: list[MoveButton]) -> MoveButton | None:
    """The move that is this card, else the only one that names it and no other card."""
    naming = [
        button
        for button in buttons
        if [word for word in button.move.split() if is_card(word)] == [code]
    ]
    exact = [button for button in naming if button.move == code]
    return next(iter(exact or (naming if len(naming) == 1 else [])), None)


def last_cards(events: Iterable[Event]) -> list[str]:
    """The playing cards that were played last, the last one at the end."""
    cards: list[str] = []
    for event in reversed(list(events)):
        named = (getattr(event, "card", None), *(getattr(event, "cards", None) or ()))
        cards += [code for code in named if is_card(code) and code not in cards]
        if len(cards) >= LAST_CARDS:
            break
    return cards[:LAST_CARDS][::-1]

"""The table of a game that has no template: its view as facts, its hand and moves as buttons."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec
from django.utils.translation import gettext

from cardroom.rules.field_types import fields_of, item_type
from cardroom.rules.values import Event, Move, View
from games.web.parts.table_page import MoveButton, TablePage
from games.web.parts.view_facts import Fact, are_cards, fact, is_by_seat, is_card

LAST_CARDS: Final = 3
NOT_DRAWN: Final = frozenset({"seat", "to_act", "legal_moves", "options"})


@dataclass(frozen=True)
class Fields:
    """What a game may say of the fields of its view: ``FIELDS`` of its module in this package.

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
    return [each for each in all_fields if each.name not in hidden and not _is_hand(each)]


def _fields(struct: msgspec.Struct) -> list[Field]:
    kinds = fields_of(type(struct)).items()
    return [Field(name, getattr(struct, name), kind) for name, kind in kinds]


def _is_hand(each: Field) -> bool:
    return each.name == "hand" and are_cards(each.value)


def _is_by_seat(each: Field, seats: int, fields: Fields) -> bool:
    if each.name in fields.by_seat:
        return isinstance(each.value, list | tuple) and len(each.value) == seats
    return each.name not in fields.common and is_by_seat(each.value, each.kind, seats)


def _of_seat(by_seat: Iterable[Field], seat: int) -> Iterator[Field]:
    """What the lists say of one seat; a struct stands for its own fields."""
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
    naming = [button for button in buttons if _cards_of(button.move) == [code]]
    exact = [button for button in naming if button.move == code]
    return next(iter(exact or (naming if len(naming) == 1 else [])), None)


def _cards_of(move: Move) -> list[str]:
    return [word for word in move.split() if is_card(word)]


def last_cards(events: Iterable[Event]) -> list[str]:
    """The playing cards that were played last, the last one at the end."""
    cards: list[str] = []
    for event in reversed(list(events)):
        named = (getattr(event, "card", None), *(getattr(event, "cards", None) or ()))
        cards += [code for code in named if is_card(code) and code not in cards]
        if len(cards) >= LAST_CARDS:
            break
    return cards[:LAST_CARDS][::-1]

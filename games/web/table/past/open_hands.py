"""Every seat's cards laid open, for a match that may tell all: read off the types of its state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from django.utils.translation import gettext_lazy as _
from msgspec import inspect

from cardroom.rules.cards_in_state import cards_of_type
from cardroom.rules.field_types import fields_of, item_type
from games.matches.snapshot import MatchSnapshot
from games.web.parts.view_facts import is_card

# How players call what the states name like this; other names are shown as they are.
NAMES: Final = {
    "hand": _("Hand"),
    "hands": _("Hand"),
    "tops": _("Face up"),
    "hidden": _("Face down"),
    "draw": _("To draw"),
    "won": _("Won"),
    "heaps": _("Captured"),
    "side": _("Side deck"),
}


@dataclass(frozen=True)
class OpenCards:
    """Cards of a seat that lie together; ``are_faces``: playing cards, else codes of a game."""

    name: Any
    codes: list[str]

    @property
    def are_faces(self) -> bool:
        return all(map(is_card, self.codes))


@dataclass(frozen=True)
class OpenHand:
    player: str
    groups: list[OpenCards]


def open_hands(match: MatchSnapshot) -> list[OpenHand]:
    """What each seat holds, with everything that lies face down turned up."""
    return [
        OpenHand(name, [group for group in _of_seat(match, seat) if group.codes])
        for seat, name in enumerate(match.names)
    ]


def _of_seat(match: MatchSnapshot, seat: int) -> Iterator[OpenCards]:
    seats = len(match.seats)
    for name, kind in fields_of(type(match.state)).items():
        value, inner = getattr(match.state, name), item_type(kind, seat)
        if not isinstance(value, tuple) or len(value) != seats:
            continue
        if isinstance(value[seat], msgspec.Struct):
            yield from _of_player(value[seat])
        elif _is_heap(inner) and (cards := cards_of_type(inner)):
            yield _named(match, name, cards.listed(value[seat]))


def _of_player(player: msgspec.Struct) -> Iterator[OpenCards]:
    """The texts of a struct that one seat has: cards that are told apart by their codes."""
    for name in fields_of(type(player)):
        value = getattr(player, name)
        if name in NAMES and isinstance(value, tuple):
            yield OpenCards(NAMES[name], [str(code) for code in value])


def _is_heap(kind: inspect.Type) -> bool:
    """A pile or a set of cards, not a single card."""
    if isinstance(kind, inspect.Metadata):
        return bool((kind.extra or {}).get("card_set")) or _is_heap(kind.type)
    return isinstance(kind, inspect.VarTupleType | inspect.TupleType)


def _named(match: MatchSnapshot, name: str, cards: Iterator[int]) -> OpenCards:
    label = NAMES.get(name, name.replace("_", " ").capitalize())
    return OpenCards(label, [match.rules.card_text(card) for card in cards])

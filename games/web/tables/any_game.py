"""Any game's view as plain facts to draw: cards as cards, lists by seat as a table of seats."""

import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.web.table_page import TablePage

_CARD = re.compile(r"(?:[2-9TJQKA][CDHS]|X[12])\Z")
_NOT_DRAWN = {"seat", "to_act", "legal_moves", "options", "hand"}


@dataclass(frozen=True)
class Fact:
    """``cards`` are drawn as cards, otherwise ``text`` is written."""

    name: str
    text: str = ""
    cards: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Facts:
    """``common`` for the whole table, ``seats`` one list of facts for each seat, ``hand`` own."""

    common: list[Fact] = field(default_factory=list)
    seats: list[list[Fact]] = field(default_factory=list)
    hand: tuple[str, ...] = ()


def scene(page: TablePage) -> Facts:
    count, names = len(page.match.seats), page.match.names
    facts: dict[str, Any] = msgspec.to_builtins(page.view) if page.view else {}
    drawn = {name: value for name, value in facts.items() if name not in _NOT_DRAWN}
    by_seat = {name: value for name, value in drawn.items() if _is_by_seat(value, count)}
    common = [fact(name, value) for name, value in drawn.items() if name not in by_seat]
    seats = [_of_seat(by_seat, seat) for seat in range(len(names) if by_seat else 0)]
    hand: Any = facts.get("hand")
    return Facts(common, seats, tuple(hand) if _is_cards(hand) else ())


def _of_seat(by_seat: dict[str, Any], seat: int) -> list[Fact]:
    facts = []
    for name, values in by_seat.items():
        if isinstance(values[seat], dict):
            facts += [fact(inner, value) for inner, value in values[seat].items()]
        else:
            facts.append(fact(name, values[seat]))
    return facts


def fact(name: str, value: Any) -> Fact:
    spelled = name.replace("_", " ").capitalize()
    if _is_cards(value):
        return Fact(spelled, cards=tuple(value))
    if isinstance(value, str) and _CARD.match(value):
        return Fact(spelled, cards=(value,))
    return Fact(spelled, text=_text(value))


def _is_cards(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, str) and _CARD.match(item) for item in value
    )


def _is_by_seat(value: Any, seats: int) -> bool:
    """A list with one item a seat; a list of cards with so many cards is still cards."""
    is_list = isinstance(value, list | tuple) and len(value) == seats
    return is_list and not (value and _is_cards(value))


def _text(value: Any) -> str:
    if value is None or value in ([], ()):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    if isinstance(value, dict):
        return " · ".join(_text(inner) for inner in value.values() if inner is not None)
    return str(value).replace("_", " ")

"""A table drawn in characters: the seats with their cards, the open cards, the reader's hand.

Drawn from the fields of any game's view: ``[7♥]`` is a card or its value, ``▒`` one face down.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from django.utils.translation import gettext

from games.api.schemas.matches import Match, SeatJson
from games.language import card_text

CARD: Final = re.compile(r"(?:[2-9TJQKA][CDHS]|X[12])")
COUNTS: Final = ("hand_sizes", "hand_counts", "draw_counts", "cards_in_hand")
OWN: Final = ("hand", "side_deck")
SHOWN, WIDTH, BACKS = 10, 60, 12


def drawing(match: Match) -> Iterator[str]:
    """The reader's seat is at the bottom, the others are above it in order of play."""
    if match.view is None:
        return
    fields = msgspec.to_builtins(match.view, str_keys=True)
    own = match.acting_seat
    order = _in_order(match.seats, own)
    yield f"  +{'-' * WIDTH}+"
    for seat in order[:-1]:
        yield from _row(_seat(seat, match, fields))
    yield from _row("")
    yield from _row(_centre(fields))
    yield from _row("")
    yield from _row(_seat(order[-1], match, fields))
    hand = [card_text(one) if CARD.fullmatch(one) else one for one in fields.get("hand") or ()]
    if hand:
        yield from _row("  " + " ".join(f"[{one}]" for one in hand))
    yield f"  +{'-' * WIDTH}+"


def _row(text: str) -> Iterator[str]:
    """A line inside the frame; a long one is wrapped."""
    words, line = text.split(" "), ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH - 4:
            yield f"  |  {line:<{WIDTH - 4}}  |"
            line = "   " + word
        else:
            line = f"{line} {word}" if line or not word else (word or " ")
    yield f"  |  {line:<{WIDTH - 4}}  |"


def _in_order(seats: Sequence[SeatJson], own: int | None) -> list[SeatJson]:
    first = 0 if own is None else own + 1
    return [*seats[first:], *seats[:first]]


def _seat(seat: SeatJson, match: Match, fields: dict[str, Any]) -> str:
    mark = ">" if seat.index in match.to_act else " "
    name = seat.name or gettext("(open)")
    parts = [f"{mark} {name:<16}", _backs(fields, seat), *_open(fields, seat.index)]
    return " ".join(part for part in parts if part)


def _backs(fields: dict[str, Any], seat: SeatJson) -> str:
    """The hidden cards of a seat."""
    for name, value in _facts_of(fields, seat.index):
        if name in COUNTS and isinstance(value, int):
            return "▒" * min(value, BACKS) + (f" ({value})" if value > BACKS else "")
    return ""


def _open(fields: dict[str, Any], seat: int) -> Iterator[str]:
    """The open cards of a seat, or their values."""
    for name, value in _facts_of(fields, seat):
        if name not in OWN and isinstance(value, list | tuple) and value:
            yield _cards(value)


def _facts_of(fields: dict[str, Any], seat: int) -> Iterator[tuple[str, Any]]:
    """The items of one seat in lists that have one a seat; of a struct its own fields."""
    for name, value in fields.items():
        if name in ("legal_moves", *OWN) or not isinstance(value, list | tuple):
            continue
        item = value[seat] if seat < len(value) else None
        if isinstance(item, dict) and "seat" not in item:
            yield from item.items()
        elif isinstance(item, int | list | tuple):
            yield name, item


def _centre(fields: dict[str, Any]) -> str:
    """The cards that belong to no seat."""
    groups = []
    for name, value in fields.items():
        cards = (
            ""
            if name in ("legal_moves", *OWN)
            else _cards([value] if isinstance(value, str) else value)
        )
        if cards:
            groups.append(f"{gettext(name.replace('_', ' '))} {cards}")
    return "   ".join(groups)


def _cards(value: Any) -> str:
    """Cards, or structs with a card or a value, the newest ones; empty for anything else."""
    if not isinstance(value, list | tuple):
        return ""
    shown = [_card(one) for one in value[-SHOWN:]]
    return "" if not all(shown) else "".join(shown)


def _card(one: Any) -> str:
    if isinstance(one, dict):
        if "card" in one:
            return _card(one["card"])
        return f"[{one['value']:+}]" if "value" in one else ""
    if one is None:
        return "[▒]"
    return f"[{card_text(one)}]" if isinstance(one, str) and CARD.fullmatch(one) else ""

"""Answers as plain text, for people with a terminal or a screen reader: ``Accept: text/plain``.

A match is described in full: the seats, what the reader may know of the table, and the legal moves
with the token that ``POST matches/<id>/moves`` takes. Cards in a row stand in brackets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from functools import singledispatch
from typing import Any, Final

import msgspec
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Resigned, RolledBack
from games.api.bodies import Events
from games.api.match_answers import Match, MatchList, SeatJson
from games.language import card_text, words
from games.matches import time_bank
from games.matches.time_bank import DAY


class PlainText(BaseRenderer):
    """Renders the answers for which ``lines_of`` is registered."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        names = getattr((renderer_context or {}).get("response"), "names", ())
        return "\n".join((*lines_of(data, names), ""))


class NamedAnswer(Response):
    """An answer whose text names the people of a match."""

    names: Sequence[str]


def with_names(body: msgspec.Struct, names: Sequence[str]) -> NamedAnswer:
    answer = NamedAnswer(body)
    answer.names = names
    return answer


@singledispatch
def lines_of(data: Any, _names: Sequence[str]) -> Iterable[str]:
    raise TypeError(f"{type(data).__name__} has no plain text.")


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
    seats = match.seats
    first = 0 if own is None else own + 1
    order = [*seats[first:], *seats[:first]]
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


SHOWN_ELSEWHERE: Final = frozenset({"seat", "to_act", "legal_moves", "options", "phase"})


@lines_of.register
def _(match: Match, _names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(match.game)
    headline = gettext("{game}, round {round}, version {version}, {status}")
    yield headline.format(
        game=gettext(game.name),
        round=match.round,
        version=match.version,
        status=gettext(match.status),
    )
    yield gettext("Match {id}").format(id=match.id)
    yield ""
    yield from (_seat_line(seat, match) for seat in match.seats)
    if match.deadline_at and (match.turn_seconds or 0) >= DAY:
        until = match.deadline_at.astimezone(UTC)
        yield gettext("The move is due by {time} UTC.").format(time=f"{until:%Y-%m-%d %H:%M}")
    if match.view is not None:
        yield ""
        yield from drawing(match)
        yield ""
        yield from _fact_lines(match.view)
    yield ""
    yield from _wish_lines(match)
    yield from _ending_lines(match) if match.outcome else _move_lines(match)


@lines_of.register
def _(page: MatchList, _names: Sequence[str]) -> Iterator[str]:
    for match in page.results:
        names = ", ".join(seat.name or gettext("(open)") for seat in match.seats)
        yours = " " + gettext("Your turn.") if {*match.your_seats} & {*match.to_act} else ""
        yield f"{match.id}  {match.game}, {gettext(match.status)}: {names}.{yours}"
    if not page.results:
        yield gettext("No matches.")
    if page.next:
        yield gettext("More: {address}").format(address=page.next)


@lines_of.register
def _(page: Events, names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(page.game)
    for event in page.events:
        yield f"{event['version']:>4}  {_sentence(game, event, names)}"
    yield gettext("The match is at version {version}.").format(version=page.version)


def _wish_lines(match: Match) -> Iterator[str]:
    """The line about the wish to take a round back."""
    wish = match.take_back
    if wish is None:
        return
    values = {"name": match.seats[wish.seat].name, "round": wish.round, "version": wish.version}
    if wish.status == "waiting":
        line = gettext("{name} asks to take round {round} back, at version {version}.")
    elif wish.status == "accepted":
        line = gettext("Round {round} was taken back.")
    elif wish.status == "declined":
        line = gettext("{name} asked to take round {round} back; that was declined.")
    else:
        return
    yield line.format(**values)


def _seat_line(seat: SeatJson, match: Match) -> str:
    notes = [
        note
        for note, holds in (
            (gettext("you"), seat.is_you),
            (gettext("to move"), seat.index in match.to_act),
            (gettext("resigned"), seat.resigned),
            (gettext("place {n}").format(n=seat.place), seat.place is not None),
        )
        if holds
    ] + _clock_notes(seat, match)
    name = seat.name or gettext("(open)")
    place = gettext("seat {n}").format(n=seat.index)
    return f"  {place}  {name:<16} {seat.points:>4}  {', '.join(notes)}".rstrip()


def _clock_notes(seat: SeatJson, match: Match) -> list[str]:
    """The time left in the seat's time bank."""
    if match.clock is None or not match.clock.seats:
        return []
    bank = match.clock.seats[seat.index]
    if bank is None:
        return []
    left = (bank.until - timezone.now()).total_seconds() if bank.until else bank.seconds
    return [gettext("{left} left").format(left=time_bank.shown(max(0, left)))]


def _fact_lines(view: msgspec.Struct) -> Iterator[str]:
    for name in view.__struct_fields__:
        if name not in SHOWN_ELSEWHERE:
            value = msgspec.to_builtins(getattr(view, name))
            yield f"  {_in_words(name):<20} {_text(value)}"


def _in_words(name: str) -> str:
    return gettext(name.replace("_", " "))


def _text(value: Any) -> str:
    match value:
        case None:
            return gettext("none")
        case bool():
            return gettext("yes") if value else gettext("no")
        case str():
            return f"[{card_text(value)}]" if CARD.fullmatch(value) else value
        case dict():
            return "; ".join(
                f"{gettext(key.replace('_', ' '))} {_text(one)}" for key, one in value.items()
            )
        case list() | tuple() if any(isinstance(one, dict | list | tuple) for one in value):
            return " | ".join(map(_text, value))
        case list() | tuple():
            return " ".join(map(_text, value)) or gettext("none")
    return str(value)


def _move_lines(match: Match) -> Iterator[str]:
    if not match.legal_moves:
        yield gettext("It is not your turn.")
        return
    yield gettext("Your moves at version {version}:").format(version=match.version)
    for legal in match.legal_moves:
        yield f"  {legal.move:<12} {legal.label}"


def _ending_lines(match: Match) -> Iterator[str]:
    if match.outcome is not None:
        winners = [match.seats[seat].name for seat in match.outcome.winners]
        ending = gettext("Over ({reason}). Won by {winners}.")
        yield ending.format(
            reason=_in_words(match.outcome.reason),
            winners=", ".join(winners) or gettext("nobody"),
        )


def _sentence(game: AnyGame, event: Mapping[str, Any], names: Sequence[str]) -> str:
    own = {name: value for name, value in event.items() if name not in ("version", "by", "move")}
    return words(game.sentence(msgspec.convert(own, game.events | Resigned | RolledBack), names))

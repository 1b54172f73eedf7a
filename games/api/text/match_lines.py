"""A match in lines: its seats, what the reader may know of the table, the legal moves.

Cards in a row stand in brackets.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any, Final

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Resigned, RolledBack
from games.api.schemas.matches import Match, MatchList, SeatJson
from games.api.schemas.moves import Events
from games.api.text.lines import lines_of
from games.api.text.table_drawing import CARD, drawing
from games.language import card_text, words
from games.matches import time_bank
from games.matches.snapshot import DAY

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
    """What became of the wish to take a round back."""
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
    """What is left in the seat's bank of time."""
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

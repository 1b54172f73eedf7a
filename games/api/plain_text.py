"""Answers as plain text, for people with a terminal or a screen reader: ``Accept: text/plain``.

A match is told whole: who sits where, what the reader may know of the table, and the legal moves
with the token that ``POST matches/<id>/moves`` takes. Cards in a row stand in brackets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any, Final

import msgspec
from rest_framework.renderers import BaseRenderer

from games.api.schemas.catalog import GameJson
from games.api.schemas.matches import Match, MatchList, SeatJson
from games.api.schemas.moves import Events
from games.rules import catalog
from games.rules.cards import pretty
from games.rules.game import AnyGame
from games.rules.values import Resigned, RolledBack

TOLD_APART: Final = frozenset({"seat", "to_act", "legal_moves", "options", "phase"})
CARD: Final = re.compile(r"(?:[2-9TJQKA][CDHS]|X[12])")
Answer = Match | MatchList | Events | list[GameJson]


class PlainText(BaseRenderer):
    """Of the answers that ``lines_of`` knows."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        names = getattr((renderer_context or {}).get("view"), "names", ())
        return "\n".join((*lines_of(data, names), ""))


@singledispatch
def lines_of(data: Any, _names: Sequence[str]) -> Iterable[str]:
    raise NotImplementedError(type(data).__name__)


@lines_of.register
def _(match: Match, _names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(match.game)
    yield f"{game.name}, round {match.round}, version {match.version}, {match.status}"
    yield f"Match {match.id}"
    yield ""
    yield from (_seat_line(seat, match) for seat in match.seats)
    if match.view is not None:
        yield ""
        yield from _fact_lines(match.view)
    yield ""
    yield from _ending_lines(match) if match.outcome else _move_lines(match)


@lines_of.register
def _(found: MatchList, _names: Sequence[str]) -> Iterator[str]:
    for match in found.results:
        names = ", ".join(seat.name or "(open)" for seat in match.seats)
        yours = " Your turn." if {*match.your_seats} & {*match.to_act} else ""
        yield f"{match.id}  {match.game}, {match.status}: {names}.{yours}"
    if not found.results:
        yield "No matches."
    if found.next:
        yield f"More: {found.next}"


@lines_of.register
def _(told: Events, names: Sequence[str]) -> Iterator[str]:
    game = catalog.find(told.game)
    for event in told.events:
        yield f"{event['version']:>4}  {_sentence(game, event, names)}"
    yield f"The match is at version {told.version}."


@lines_of.register(list)
def _(games: list[GameJson], _names: Sequence[str]) -> Iterator[str]:
    for game in games:
        yield f"{game.slug}: {game.name}. {game.summary}"
        yield f"  seats   {game.seats.min} to {game.seats.max}"
        yield f"  presets {', '.join(game.presets) or 'none'}"
        yield f"  bots    {', '.join(bot.slug for bot in game.bots)}"
        yield f"  rules   {game.rules_url}"


def _seat_line(seat: SeatJson, match: Match) -> str:
    notes = [
        note
        for note, holds in (
            ("you", seat.is_you),
            ("to move", seat.index in match.to_act),
            ("resigned", seat.resigned),
            (f"place {seat.place}", seat.place is not None),
        )
        if holds
    ]
    name = seat.name or "(open)"
    return f"  seat {seat.index}  {name:<16} {seat.points:>4}  {', '.join(notes)}".rstrip()


def _fact_lines(view: msgspec.Struct) -> Iterator[str]:
    for name in view.__struct_fields__:
        if name not in TOLD_APART:
            value = msgspec.to_builtins(getattr(view, name))
            yield f"  {name.replace('_', ' '):<20} {_text(value)}"


def _text(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case str():
            return f"[{pretty(value)}]" if CARD.fullmatch(value) else value
        case dict():
            return "; ".join(f"{key.replace('_', ' ')} {_text(one)}" for key, one in value.items())
        case list() if any(isinstance(one, dict | list) for one in value):
            return " | ".join(map(_text, value))
        case list():
            return " ".join(map(_text, value)) or "none"
    return str(value)


def _move_lines(match: Match) -> Iterator[str]:
    if not match.legal_moves:
        yield "It is not your turn."
        return
    yield f"Your moves at version {match.version}:"
    for legal in match.legal_moves:
        yield f"  {legal.move:<12} {legal.label}"


def _ending_lines(match: Match) -> Iterator[str]:
    if match.outcome is not None:
        winners = [match.seats[seat].name for seat in match.outcome.winners]
        yield f"Over ({match.outcome.reason}). Won by {', '.join(winners) or 'nobody'}."


def _sentence(game: AnyGame, event: Mapping[str, Any], names: Sequence[str]) -> str:
    own = {name: value for name, value in event.items() if name not in ("version", "by", "move")}
    return str(game.sentence(msgspec.convert(own, game.events | Resigned | RolledBack), names))

"""Plans of a seat: what it plays when its turn comes, and on what conditions. Values only.

A plan is a queue of steps, one for each turn to come; a step is a list of lines, of which the first
whose conditions hold is played. Nothing of it leaves the seat: no view, event, log or task has it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, Seat, View

MOST_STEPS: Final = 20
MOST_LINES: Final = 8
MOST_FACTS: Final = 8
LONGEST: Final = 64

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
Fact = Annotated[str, msgspec.Meta(max_length=LONGEST)] | int | bool | None
Facts = Annotated[dict[Text, Fact], msgspec.Meta(min_length=1, max_length=MOST_FACTS)]


class PlanLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``play`` is played if all conditions hold that are given; without any it always is.

    ``move``: the last move before the turn, as others read it. ``event``: facts of something that
    this move led to, such as ``{"type": "captured"}``. ``top``: the card on the pile, or its rank.
    """

    play: Text
    move: Text | None = None
    event: Facts | None = None
    top: Annotated[str, msgspec.Meta(min_length=1, max_length=3)] | None = None


PlanStep = Annotated[list[PlanLine], msgspec.Meta(min_length=1, max_length=MOST_LINES)]
Steps = Annotated[list[PlanStep], msgspec.Meta(min_length=1, max_length=MOST_STEPS)]

_decode = msgspec.json.Decoder(list[list[PlanLine]]).decode
encode: Final = msgspec.json.encode


def decoded(stored: bytes | memoryview) -> list[list[PlanLine]]:
    return _decode(bytes(stored))


def stands(plans: int) -> bool:
    """Whether some seat of a match has a plan, by the number in its row."""
    return plans % 2 == 1


def changed(plans: int, *, stand: bool) -> int:
    """The next number of the row: another one with each change, odd while a plan stands."""
    return plans + 1 + (stands(plans + 1) != stand)


def chosen(
    step: Sequence[PlanLine], game: AnyGame, view: View, last: Move, events: Sequence[Event]
) -> Move | None:
    """The move that a step plays after this one; ``events`` are as the seat may know them."""
    seen: list[Mapping[str, Any]] = [msgspec.to_builtins(event) for event in events]
    for line in step:
        if _holds(line, game.public_move(last), seen, _top(view)):
            return line.play
    return None


def _holds(line: PlanLine, last: Move, events: Sequence[Mapping[str, Any]], top: str) -> bool:
    if line.move is not None and line.move.upper() != last.upper():
        return False
    if line.top is not None and line.top.upper() not in (top, top[:1]):
        return False
    return line.event is None or any(
        all(event.get(name, ...) == fact for name, fact in line.event.items()) for event in events
    )


def _top(view: View) -> str:
    """The card on the pile, where the game has one."""
    pile = getattr(view, "pile", None) or [""]
    top = getattr(view, "top", pile[-1])
    return top if isinstance(top, str) else ""


def events_seen(events: Sequence[Event], seat: Seat) -> list[Event]:
    return [event.seen_by(seat) for event in events]

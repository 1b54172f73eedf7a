"""Plans of a seat: what it plays when its turn comes, and on what conditions. Values only.

A plan is a queue of steps, one for each turn to come; a step is a list of lines, of which the first
whose conditions hold is played. Nothing of it leaves the seat: no view, event, log or task has it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, RulesError, Seat, View
from games.matches.models import Plan
from games.matches.transition import NewPlan, Transition

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


# Plans that fall due: they are played on top of the moves that make them due, before the write.
#
# So a planned move is in the same statement as the move before it: nobody sees the one without
# the other, and a process that ends leaves both or none. The row of the match has a number that
# changes with its plans; it is read with the row and is part of the write's condition, so a plan
# that was changed or withdrawn meanwhile is judged again, and a match without plans costs nothing
# more.

MOST_PLIES: Final = 32


def apply_plans(transition: Transition) -> None:
    """Plays what is planned for those who are to act now. Again changes nothing."""
    if not stands(transition.match.plans) or transition.has_applied_plans:
        return
    transition.has_applied_plans = True
    rows = Plan.objects.filter(match=transition.match.id).exclude(steps=b"[]")
    standing = {row.seat: decoded(row.steps) for row in rows}
    before = {seat: list(steps) for seat, steps in standing.items()}
    for seat, why in _ended_by(transition, list(standing)):
        _drop(transition, standing, seat, why)
    while (due := _due(transition, standing)) is not None:
        if len(transition.plies) >= MOST_PLIES:
            break  # the next write goes on
        _play(transition, standing, due)
    if transition.outcome is not None:
        for seat in list(standing):
            _drop(transition, standing, seat, Plan.Dropped.OVER)
    for seat, steps in standing.items():
        if steps != before[seat]:
            transition.new_plans[seat] = NewPlan(seat, encode(steps), "", None)
    if transition.new_plans:
        left = any(steps for steps in standing.values())
        transition.plans = changed(transition.match.plans, stand=left)


Standing = dict[int, list[list[PlanLine]]]


def _ended_by(transition: Transition, seats: list[int]) -> list[tuple[int, str]]:
    """The plans that the moves themselves put an end to."""
    rolled_back = any(ply.seat is None for ply in transition.plies)
    moved = {ply.seat for ply in transition.plies}
    ended = []
    for seat in seats:
        holder = transition.seats[seat]
        if rolled_back:
            ended.append((seat, Plan.Dropped.ROLLED_BACK.value))
        elif holder.resigned_at is not None or holder.stand_in:
            ended.append((seat, Plan.Dropped.GIVEN_UP.value))
        elif seat in moved:
            ended.append((seat, Plan.Dropped.BY_HAND.value))
    return ended


def _due(transition: Transition, standing: Standing) -> int | None:
    if transition.outcome is not None or not transition.plies:
        return None
    return next((seat for seat in transition.people_to_act if standing.get(seat)), None)


def _play(transition: Transition, standing: Standing, seat: int) -> None:
    game, last = transition.match.rules, transition.plies[-1]
    events = events_seen(game.decode_events(last.events_json), seat)
    view = game.view(transition.state, seat)
    move = chosen(standing[seat][0], game, view, last.move, events)
    if move is None:
        _drop(transition, standing, seat, Plan.Dropped.NO_LINE)
        return
    try:
        transition.play(seat, move)
    except RulesError:
        _drop(transition, standing, seat, Plan.Dropped.REFUSED)
        return
    standing[seat] = standing[seat][1:]


def _drop(transition: Transition, standing: Standing, seat: int, why: str) -> None:
    del standing[seat]
    transition.new_plans[seat] = NewPlan(seat, b"[]", str(why), transition.version)


def plan_rows(transition: Transition) -> list[tuple[object, ...]]:
    """The changes that the write makes to plans."""
    return [
        (transition.match.id, *msgspec.structs.astuple(one))
        for one in transition.new_plans.values()
    ]

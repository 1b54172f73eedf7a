"""Plans that fall due: they are played on top of the moves that make them due, before the write.

So a planned move is in the same statement as the move before it: nobody sees the one without the
other, and a process that ends leaves both or none. The row of the match has a number that changes
with its plans; it is read with the row and is part of the write's condition, so a plan that was
changed or withdrawn meanwhile is judged again, and a match without plans costs nothing more.
"""

from typing import Final

import msgspec

from cardroom.rules.values import RulesError
from games.matches import plans
from games.matches.models import Plan
from games.matches.plans import PlanLine
from games.matches.writing.transition import NewPlan, Transition

MOST_PLIES: Final = 32


def apply_plans(transition: Transition) -> None:
    """Plays what is planned for those who are to act now. Again changes nothing."""
    if not plans.stands(transition.match.plans) or transition.has_applied_plans:
        return
    transition.has_applied_plans = True
    rows = Plan.objects.filter(match=transition.match.id).exclude(steps=b"[]")
    standing = {row.seat: plans.decoded(row.steps) for row in rows}
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
            transition.new_plans[seat] = NewPlan(seat, plans.encode(steps), "", None)
    if transition.new_plans:
        left = any(steps for steps in standing.values())
        transition.plans = plans.changed(transition.match.plans, stand=left)


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
    events = plans.events_seen(game.decode_events(last.events_json), seat)
    view = game.view(transition.state, seat)
    move = plans.chosen(standing[seat][0], game, view, last.move, events)
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
    """What the write changes of plans."""
    return [
        (transition.match.id, *msgspec.structs.astuple(one))
        for one in transition.new_plans.values()
    ]

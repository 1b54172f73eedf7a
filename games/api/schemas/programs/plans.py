"""Bodies and answers of plans."""

from datetime import datetime
from typing import Literal

import msgspec

from games.api.schemas.fields import Body, SeatIndex
from games.matches.moving.planned import Planned
from games.matches.plans import PlanLine, Steps

Dropped = Literal["no_line", "refused", "by_hand", "rolled_back", "given_up", "over"]


class NewPlan(Body, frozen=True):
    """``steps``: one for each of your turns to come, each a list of lines.

    Of a step the first line is played whose conditions hold: ``move`` (the last move before your
    turn), ``event`` (facts of what it led to), ``top`` (the card on the pile, or its rank); a line
    without conditions always is. If none holds, or the move is not allowed, the plan is dropped.
    """

    steps: Steps
    seat: SeatIndex | None = None


class PlanQuery(msgspec.Struct, frozen=True):
    """``seat``: one of yours."""

    seat: SeatIndex | None = None


class PlanJson(msgspec.Struct, frozen=True):
    """What is left of your plan; ``dropped`` says why the rest does not stand any more."""

    seat: int
    steps: list[list[PlanLine]]
    dropped: Dropped | None
    dropped_version: int | None
    at: datetime | None


def plan_response(planned: Planned) -> PlanJson:
    return PlanJson(
        seat=planned.seat,
        steps=[list(step) for step in planned.steps],
        dropped=planned.dropped or None,  # type: ignore[arg-type]
        dropped_version=planned.dropped_version,
        at=planned.at,
    )

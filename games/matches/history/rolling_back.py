"""Rolling a running match back to the opening of a round (FORMAT.md §2, Rolled back).

Nothing is deleted: the roll-back is a ply, the rounds since then are marked as undone, and the
round opens once more, with the cards that nobody knew dealt again. A move judged at the same
time finds the match at another version and writes nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.utils import timezone
from msgspec.structs import asdict, astuple

from games.matches.history.verification import opening_of
from games.matches.models import Match, Plan, Ply, Round, Seat
from games.matches.seat_snapshot import SeatProgress
from games.matches.selectors.history import Reopened
from games.matches.snapshot import MatchSnapshot, Progress, columns
from games.matches.writing.deadlines import progress_at
from games.matches.writing.planning import apply_plans
from games.matches.writing.resting import add_rest
from games.matches.writing.transition import Transition


def can_roll_back_to(match: MatchSnapshot, round_: Round) -> bool:
    """Whether this match dealt the round itself; rounds before its load belong to its parent."""
    return match.parent_version is None or round_.opening_version > match.parent_version


def write_roll_back(row: Match, match: MatchSnapshot, round_: Round) -> int:
    """Writes it and returns its version. Call it in a transaction, the match locked and active."""
    transition, at = Transition(match), timezone.now()
    moved = transition.roll_back(opening_of(match, round_))
    reopened = msgspec.json.encode(Reopened(match.shuffles_used, moved))
    _write_round(transition, round_.number, reopened, at)
    _write_ply(transition, at)
    add_rest([transition], at)
    _write_seats(transition)
    apply_plans(transition)  # none stands after it
    for plan in transition.new_plans.values():
        Plan.objects.filter(match=row.id, seat=plan.seat).update(**asdict(plan))
    progress = progress_at(transition, at)
    changes: dict[str, Any] = dict(zip(columns(Progress), astuple(progress), strict=True))
    Match.objects.filter(id=row.id).update(**changes, plans=transition.plans, rated=False)
    return transition.version


def _write_round(transition: Transition, number: int, reopened: bytes, at: datetime) -> None:
    match_id, new = transition.match.id, transition.rounds[number]
    standing = Round.objects.filter(match_id=match_id, number__gte=number, undone_at=None)
    standing.update(undone_at=transition.version)
    Round.objects.create(
        match_id=match_id,
        number=number,
        opening_version=transition.version,
        opening_state=new.opening_state_json,
        decks=new.decks_json,
        opened_at=at,
        reopened=reopened,
    )


def _write_ply(transition: Transition, at: datetime) -> None:
    ply = transition.plies[-1]
    Ply.objects.create(
        match_id=transition.match.id,
        version=ply.version,
        move=ply.move,
        events=ply.events_json,
        at=at,
    )


def _write_seats(transition: Transition) -> None:
    names: Sequence[str] = columns(SeatProgress)[1:]
    for seat in transition.seats:
        changes: dict[str, Any] = {name: getattr(seat, name) for name in names}
        Seat.objects.filter(match_id=transition.match.id, index=seat.index).update(**changes)

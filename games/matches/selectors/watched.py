"""Matches in lists, for those who look on: no list tells more than the table that they see.

The rows are changed, and are not to be saved.
"""

from collections.abc import Iterable
from uuid import UUID

from games.absent import is_absent
from games.matches.models import Match
from games.matches.selectors.access import SERVICE, Wanted, find_each
from games.matches.selectors.history import round_and_points_at
from games.matches.selectors.withheld import Call, name_rows_for
from games.matches.snapshot import MatchSnapshot


def as_listed(matches: Iterable[Match], user: UUID | None, call: Call = str) -> list[Match]:
    """Those with a delay as they were some plies ago, and without whose turn it is.

    They are read with their seats. Names are those that this user may know (``withheld``).
    """
    rows = list(matches)
    name_rows_for(rows, user, call)
    delayed = {row.id: row for row in rows if _is_delayed_for(row, user)}
    if delayed:
        for access in find_each([Wanted(id_, SERVICE, None) for id_ in delayed]):
            if access is not None:
                _put_back(delayed[access.match.id], access.match)
    return rows


def _is_delayed_for(row: Match, user: UUID | None) -> bool:
    if not row.watch_delay or row.status != Match.Status.ACTIVE:
        return False
    return user is None or all(seat.user_id != user for seat in row.seats.all())


def _put_back(row: Match, match: MatchSnapshot) -> None:
    row.version = max(match.parent_version or 0, match.version - match.watch_delay)
    row.to_act, row.deadline_at = [], None
    if is_absent(row.rules):
        return
    row.round, points = round_and_points_at(match, row.version)
    side_of = {seat: n for n, side in enumerate(match.sides) for seat in side}
    for seat in row.seats.all():
        seat.points = points[side_of[seat.index]]
        if seat.resigned_at is not None and seat.resigned_at > row.version:
            seat.resigned_at, seat.timed_out = None, False

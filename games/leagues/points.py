"""The points of a week as a pure function of its matches.

A match gives up to ``FULL`` points: the share of the opponents whom the player finished ahead of,
an equal place counting half. Against the same opponent the first ``MEETINGS`` matches of the week
count, so that two cannot feed each other; and of all matches the first ``MATCHES``, so that more
play alone does not win.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

FULL: Final = 10
MEETINGS: Final = 3
MATCHES: Final = 30


class Seated(NamedTuple):
    account: UUID
    side: int
    place: int


class Played(NamedTuple):
    """A match that counts, with the seats as they ended."""

    at: datetime
    match: UUID
    seats: tuple[Seated, ...]


class Score(NamedTuple):
    points: int = 0
    matches: int = 0


def score_of(account: UUID, matches: Iterable[Played], since: datetime) -> Score:
    """Of the matches that ended since then, in the order of their ends."""
    met: Counter[UUID] = Counter()
    points = counted = 0
    for match in sorted(matches):
        opponents = _opponents(account, match)
        fresh = [each for each in opponents if met[each[0]] < MEETINGS]
        if match.at < since or not fresh:
            continue
        points += _points([halves for _, halves in fresh], len(opponents))
        counted += 1
        met.update(opponent for opponent, _ in opponents)
        if counted == MATCHES:
            break
    return Score(points, counted)


def _opponents(account: UUID, match: Played) -> list[tuple[UUID, int]]:
    """Everybody on another side; 2 for those who finished lower, 1 for an equal place."""
    own = next((seat for seat in match.seats if seat.account == account), None)
    if own is None:
        return []
    others = [seat for seat in match.seats if seat.side != own.side]
    return [
        (seat.account, 2 if own.place < seat.place else 1 if own.place == seat.place else 0)
        for seat in others
    ]


def _points(halves: Sequence[int], opponents: int) -> int:
    """Rounded, a half upwards."""
    return (FULL * sum(halves) + opponents) // (2 * opponents)

"""The fold: what one match makes of the beliefs in those who played it. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from games.ratings.people.facts import Taken
from games.ratings.scale import NEWCOMER, after
from games.ratings.strengths import DIGITS, Belief, learnt

LEAST: Final = 10.0**-DIGITS


class Known(NamedTuple):
    """What a person's last match on a board left."""

    belief: Belief
    at: datetime


class Change(NamedTuple):
    """What a match made of one seat's belief; the columns of a ``RatedSeat`` but for its board."""

    seat: int
    account: UUID | None
    side: int
    place: int
    mean_before: float
    variance_before: float
    mean: float
    variance: float


def belief_at(last: Known | None, at: datetime) -> Belief:
    """What is known of a person when a match begins that finishes at this time."""
    return NEWCOMER if last is None else after(last.belief, at - last.at)


def changes(seats: Sequence[Taken], before: Sequence[Belief]) -> list[Change]:
    """What a match makes of these beliefs; that in a computer stays as it is."""
    after_it = _after(seats, before)
    return [
        Change(seat.number, seat.account, seat.side, seat.place, *was, *becomes)
        for seat, was, becomes in zip(seats, before, after_it, strict=True)
    ]


def _after(seats: Sequence[Taken], before: Sequence[Belief]) -> list[Belief]:
    """Partners are as strong as they are on average, and share what is learnt of them."""
    numbers = sorted({seat.side for seat in seats})
    members = [[at for at, seat in enumerate(seats) if seat.side == side] for side in numbers]
    sides = [_together([before[at] for at in each]) for each in members]
    places = [min(seats[at].place for at in each) for each in members]
    later = list(before)
    for each, was, becomes in zip(members, sides, learnt(sides, places), strict=True):
        for at in each:
            if seats[at].account is not None:
                later[at] = _share(before[at], len(each), was, becomes)
    return later


def _together(beliefs: Sequence[Belief]) -> Belief:
    count = len(beliefs)
    return Belief(
        sum(one.mean for one in beliefs) / count, sum(one.variance for one in beliefs) / count**2
    )


def _share(own: Belief, count: int, was: Belief, becomes: Belief) -> Belief:
    part = own.variance / (count * was.variance)
    mean = own.mean + part * (becomes.mean - was.mean)
    variance = own.variance - part * part * (was.variance - becomes.variance)
    return Belief(round(mean, DIGITS), max(LEAST, round(variance, DIGITS)))

"""Sets that people are rated by: those that were played to the end of their last match.

A set is one result. It stands at its last match, whose place in the order of all matches it has.
That follows from the matches alone, whether the beat has revealed the set or not.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from games.matches.models import Match, Seat
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.results import result_of, side_of_pair, sides_of
from games.mirrored.selectors import legs_of, sets_with, with_seats


class Holder(NamedTuple):
    """``number`` counts the seats of the last match first, then those of the other table."""

    number: int
    seat: Seat
    side: int
    place: int


class RatedSet(NamedTuple):
    last: UUID
    at: datetime
    holders: tuple[Holder, ...]


def rated_sets(matches: Collection[UUID]) -> dict[UUID, RatedSet]:
    """By its last match each set that was completed with one of these matches."""
    if not matches:
        return {}
    legs = with_seats(legs_of(sets_with(matches)))
    rated = [_rated(list(several)) for _, several in groupby(legs, key=lambda leg: leg.of_id)]
    return {one.last: one for one in rated if one is not None and one.last in matches}


def _rated(legs: Sequence[Leg]) -> RatedSet | None:
    played = [leg.match for leg in legs if leg.match is not None and _counts(leg.match)]
    if len(played) < len(legs):
        return None
    places = result_of(legs).places
    at = {one.id: one.finished_at for one in played if one.finished_at is not None}
    ordered = sorted(legs, key=lambda leg: (at[leg.match_id], leg.match_id), reverse=True)  # type: ignore[index]
    is_duplicate = legs[0].of.form == MirroredSet.Form.DUPLICATE
    holders = list(_holders(ordered if is_duplicate else ordered[:1], places))
    last = ordered[0].match_id
    assert last is not None  # noqa: S101 - all were played
    return RatedSet(last, at[last], tuple(holders))


def _counts(match: Match) -> bool:
    return match.status == Match.Status.FINISHED and match.rated


def _holders(legs: Sequence[Leg], places: tuple[int, int]) -> Iterator[Holder]:
    number = 0
    for leg in legs:
        match = leg.match
        assert match is not None  # noqa: S101 - all were played
        sides = sides_of(match)
        for seat in match.seats.all():
            own = next(n for n, side in enumerate(sides) if seat.index in side)
            side = side_of_pair(own, is_swapped=leg.is_swapped)
            yield Holder(number, seat, side, places[side])
            number += 1

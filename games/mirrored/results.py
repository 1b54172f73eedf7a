"""Every read of mirrored matches: sets, standings, what is rated; and the refusals.

``margin`` is always that of the first side: who held it in the matches that are not swapped. The
same cards make both matches of a pair, so what they give one side in the one they give the other
side in the other: ``skill`` is what is left of both margins together, ``luck`` what cancels out.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Prefetch, QuerySet

from cardroom.rules.values import Outcome
from config.refusals import Refusal
from games.absent import is_absent
from games.matches.models import Match, Seat
from games.matches.selectors.secrecy import Call, name_rows_for
from games.mirrored.models import Leg, MirroredSet

GIVEN_UP: Final = ("resigned", "timeout")


class Played(NamedTuple):
    """A match of a pair that was finished; ``given_up_by`` is the side that resigned."""

    match_id: UUID
    margin: int
    given_up_by: int | None


class PairResult(NamedTuple):
    one: Played
    swapped: Played

    @property
    def skill(self) -> int:
        return self.one.margin + self.swapped.margin

    @property
    def luck(self) -> int:
        """The worth of the cards of the first side of ``one``, in both matches together."""
        return self.one.margin - self.swapped.margin

    @property
    def winner(self) -> int | None:
        """A side that gave one of the matches up has lost the pair, whatever the points."""
        quitters = {side for each in self if (side := each.given_up_by) is not None}
        if len(quitters) == 1:
            return 1 - quitters.pop()
        return None if quitters else _ahead(self.skill)


class SetResult(NamedTuple):
    pairs: Sequence[PairResult]

    @property
    def won(self) -> tuple[int, int]:
        """Pairs, by side."""
        winners = [pair.winner for pair in self.pairs]
        return winners.count(0), winners.count(1)

    @property
    def skill(self) -> int:
        return sum(pair.skill for pair in self.pairs)

    @property
    def luck(self) -> int:
        """The points that the cards moved, whichever way."""
        return sum(abs(pair.luck) for pair in self.pairs)

    @property
    def winner(self) -> int | None:
        """The side that won more pairs, else the one with the greater margin in all of them."""
        first, second = self.won
        return _ahead(first - second or self.skill)

    @property
    def places(self) -> tuple[int, int]:
        """Of both sides; 1 for both in a draw."""
        return (1 if self.winner != 1 else 2), (1 if self.winner != 0 else 2)


def _ahead(margin: int) -> int | None:
    return (0 if margin > 0 else 1) if margin else None


def result_of(legs: Iterable[Leg]) -> SetResult:
    """Of the pairs of which both matches were finished; read the legs with their matches."""
    ordered = sorted(legs, key=lambda leg: (str(leg.deal_id), leg.is_swapped))
    pairs = [list(pair) for _, pair in groupby(ordered, key=lambda leg: leg.deal_id)]
    pairs.sort(key=lambda pair: min(leg.position for leg in pair))
    played = [[_played(leg) for leg in pair] for pair in pairs]
    return SetResult(
        [PairResult(*pair) for pair in played if len(pair) == 2 and None not in pair]  # type: ignore[arg-type]
    )


def _played(leg: Leg) -> Played | None:
    match = leg.match
    if match is None or match.status != Match.Status.FINISHED or match.outcome is None:
        return None
    if is_absent(match.rules):
        return None
    outcome = msgspec.json.decode(bytes(match.outcome), type=Outcome)
    return Played(match.id, margin(match, outcome, leg), _quitter(match, outcome, leg))


def margin(match: Match, outcome: Outcome, leg: Leg) -> int:
    """In points; where points are places, fewer are better."""
    first, second = outcome.points
    ahead = second - first if match.rules.points_are_places else first - second
    return -ahead if leg.is_swapped else ahead


def _quitter(match: Match, outcome: Outcome, leg: Leg) -> int | None:
    """The side of the pair, as it is in a match that is not swapped."""
    if outcome.reason not in GIVEN_UP:
        return None
    lost = next(n for n, side in enumerate(sides_of(match)) if not {*side} & {*outcome.winners})
    return side_of_pair(lost, is_swapped=leg.is_swapped)


def sides_of(match: Match) -> Sequence[Sequence[int]]:
    return match.rules.sides_of(match.rules.decode_options(bytes(match.options)))


def side_of_pair(side: int, *, is_swapped: bool) -> int:
    """The holders of a side of a match: 0 for those on the first side where nothing is swapped."""
    return 1 - side if is_swapped else side


# Why matches are not mirrored.


class CannotBeMirrored(Refusal, status=422):
    """Such a match cannot be mirrored."""


class NotMirrored(Refusal, status=404):
    """This match is not mirrored."""


# Reads of mirrored sets.

_SECRET = ("match__state", "match__seed", "match__loaded")


def leg_of(match_id: UUID) -> Leg | None:
    """With its set."""
    return Leg.objects.select_related("of").filter(match=match_id).first()


def find_leg(match_id: UUID) -> Leg:
    """Raises NotMirrored."""
    leg = leg_of(match_id)
    if leg is None:
        raise NotMirrored
    return leg


def legs_of(sets: Collection[UUID] | QuerySet[Leg, UUID]) -> QuerySet[Leg]:
    """All matches of these sets in their order, with what results are read from; no secret."""
    rows = Leg.objects.filter(of__in=sets).select_related("of", "match").defer(*_SECRET)
    return rows.order_by("of", "position")


def with_seats(legs: QuerySet[Leg]) -> QuerySet[Leg]:
    seats = Seat.objects.select_related("user").order_by("index")
    return legs.prefetch_related(Prefetch("match__seats", seats))


def sets_with(matches: Collection[UUID]) -> QuerySet[Leg, UUID]:
    return Leg.objects.filter(match__in=matches).order_by().values_list("of", flat=True)


def matches_of_the_same_sets(matches: Iterable[UUID]) -> set[UUID]:
    """These, and all that are mirrored in one set with any of them."""
    given = set(matches)
    others = Leg.objects.filter(of__in=sets_with(given), match__isnull=False)
    return given | {one for one in others.values_list("match_id", flat=True) if one is not None}


def running_sets() -> list[UUID]:
    """Sets of which no match runs, so that the next one, or the result, is due."""
    running = Leg.objects.filter(match__status__in=[Match.Status.OPEN, Match.Status.ACTIVE])
    due = MirroredSet.objects.filter(over_at=None).exclude(legs__in=running)
    return list(due.order_by("id").values_list("id", flat=True))


# Where a match stands in its set, for those who see it: its number, what follows, the result.


@dataclass(frozen=True)
class Standing:
    """``number`` of ``matches``. What was mirrored with what is there once the set is over."""

    leg: Leg
    legs: Sequence[Leg]
    reader: UUID | None

    @property
    def form(self) -> str:
        return self.leg.of.form

    @property
    def is_duplicate(self) -> bool:
        return self.form == MirroredSet.Form.DUPLICATE

    @property
    def number(self) -> int:
        return self.leg.position + 1

    @property
    def matches(self) -> int:
        return len(self.legs)

    @property
    def over_at(self) -> datetime | None:
        return self.leg.of.over_at

    @cached_property
    def following(self) -> UUID | None:
        """The next match in which the reader sits, once it has begun."""
        later = [leg.match for leg in self.legs if leg.match and leg.position > self.leg.position]
        seated = [match.id for match in later if self._sits_at(match)]
        return seated[0] if seated else None

    def _sits_at(self, match: Match) -> bool:
        return self.reader is not None and any(s.user_id == self.reader for s in match.seats.all())

    @cached_property
    def result(self) -> SetResult | None:
        """Of the pairs that were finished; none before all is over."""
        return result_of(self.legs) if self.over_at is not None else None

    @cached_property
    def sides(self) -> tuple[list[str], list[str]]:
        """The names on both sides of the set, as the result numbers them."""
        sides: tuple[list[str], list[str]] = ([], [])
        for leg in self.legs if self.is_duplicate else self.legs[:1]:
            if leg.match is not None:
                _add_names(leg, leg.match, sides)
        return sides

    @cached_property
    def own_side(self) -> int | None:
        """The reader's; of somebody who looks on none."""
        for leg in self.legs:
            if leg.match is not None and self._sits_at(leg.match):
                return _own_side(leg, leg.match, self.reader)
        return None


def standing_of(match_id: UUID, reader: UUID | None, call: Call = str) -> Standing:
    """Of a match that the reader may see; raises NotMirrored."""
    leg = find_leg(match_id)
    legs = list(with_seats(legs_of([leg.of_id])))
    name_rows_for([each.match for each in legs if each.match is not None], reader, call)
    return Standing(leg, legs, reader)


def _add_names(leg: Leg, match: Match, sides: tuple[list[str], list[str]]) -> None:
    names = {seat.index: seat.name for seat in match.seats.all()}
    for number, seats in enumerate(sides_of(match)):
        side = side_of_pair(number, is_swapped=leg.is_swapped)
        sides[side].extend(names[seat] for seat in seats)


def _own_side(leg: Leg, match: Match, reader: UUID | None) -> int:
    own = next(seat.index for seat in match.seats.all() if seat.user_id == reader)
    number = next(n for n, side in enumerate(sides_of(match)) if own in side)
    return side_of_pair(number, is_swapped=leg.is_swapped)


# Sets that people are rated by: those that were played to the end of their last match.
#
# A set is one result. It stands at its last match, whose place in the order of all matches it
# has. That follows from the matches alone, whether the beat has revealed the set or not.


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
    matches = [leg.match for leg in legs if leg.match is not None]
    played = [one for one in matches if one.status == Match.Status.FINISHED and one.rated]
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

"""Where a match stands in its set, for those who see it: its number, what follows, the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from games.matches.models import Match
from games.matches.selectors.withheld import Call, name_rows_for
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.results import SetResult, result_of, side_of_pair, sides_of
from games.mirrored.selectors import find_leg, legs_of, with_seats


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

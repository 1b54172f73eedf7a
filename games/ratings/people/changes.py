"""What a match made of the ratings of those who played it."""

from collections.abc import Collection, Iterable, Sized
from typing import NamedTuple
from uuid import UUID

from games.ratings.models import RatedSeat
from games.ratings.scale import SETTLED, deviation, rating


class RatingChange(NamedTuple):
    seat: int
    before: float
    after: float
    deviation: float
    is_provisional: bool

    @property
    def by(self) -> int:
        """As it is shown: the difference of the whole numbers that are shown."""
        return round(self.after) - round(self.before)

    @property
    def down(self) -> int:
        return -self.by


def changes_of(match_id: UUID) -> list[RatingChange]:
    """By seat, of people only; none where the match is not rated, or not yet."""
    return changes_of_all([match_id]).get(match_id, [])


def at_table(changes: Iterable[RatingChange], seats: Sized) -> list[RatingChange]:
    """Without those of the other table of a duplicate, which are numbered on."""
    return [one for one in changes if one.seat < len(seats)]


def changes_of_all(matches: Collection[UUID]) -> dict[UUID, list[RatingChange]]:
    rows = RatedSeat.objects.filter(rated_match__in=list(matches), account__isnull=False)
    changes: dict[UUID, list[RatingChange]] = {}
    for row in rows.filter(rated_match__annulled_at=None).order_by("rated_match", "seat"):
        changes.setdefault(row.rated_match_id, []).append(_change(row))
    return changes


def _change(row: RatedSeat) -> RatingChange:
    return RatingChange(
        row.seat,
        rating(row.mean_before),
        rating(row.mean),
        deviation(row.variance),
        row.variance > SETTLED,
    )

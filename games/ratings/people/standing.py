"""Where people stand on the boards now: read from their newest ratings."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from games.ratings.boards import PEOPLE, Board, find_board
from games.ratings.models import PersonRating
from games.ratings.scale import SETTLED, after, deviation, rating
from games.ratings.strengths import Belief


class Standing(NamedTuple):
    """``deviation``: two of three ratings of this certainty are within so much of the strength.

    It grows with the time since ``at``. ``is_provisional``: it is large yet, or again.
    """

    board: Board
    account: UUID
    rating: float
    deviation: float
    is_provisional: bool
    matches: int
    at: datetime


def standing_of(row: PersonRating, now: datetime) -> Standing:
    belief = after(Belief(row.mean, row.variance), now - row.at)
    return Standing(
        find_board(row.board),
        row.account_id,
        rating(row.mean),
        deviation(belief.variance),
        belief.variance > SETTLED,
        row.matches,
        row.at,
    )


def standings(rows: Iterable[PersonRating]) -> list[Standing]:
    now = timezone.now()
    return [standing_of(row, now) for row in rows]


def standings_of(account: UUID) -> list[Standing]:
    """All of a person, by board."""
    return standings(PersonRating.objects.filter(account=account).order_by("board"))


def on_board(board: Board, accounts: Collection[UUID]) -> dict[UUID, Standing]:
    rows = PersonRating.objects.filter(board=str(board), account__in=list(accounts))
    return {one.account: one for one in standings(rows)}


def ratings_by_account(game: str, accounts: Collection[UUID]) -> dict[UUID, float]:
    """What is known best of each account in a game against people, whatever the pace."""
    rows = PersonRating.objects.filter(account__in=list(accounts), board__startswith=f"{game}/")
    known = standings(rows.filter(board__endswith=f"/{PEOPLE}"))
    known.sort(key=lambda one: one.deviation, reverse=True)
    return {one.account: one.rating for one in known}

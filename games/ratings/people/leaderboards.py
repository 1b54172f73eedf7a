"""Leaderboards: the best of a board, by keyset, with the reader's own place.

Listed is who has played enough matches, one of them within a year, and whose rating is not
provisional. A list of strangers shows nobody who hides their profile; the list of the reader's
friends shows those too. Everybody sees their own line.
"""

from typing import Final, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.social.selectors import friends_of, hidden_profiles, people_seen_by
from cardroom.rules import catalog
from cardroom.rules.text import say
from games.ratings.boards import Board, boards_of
from games.ratings.models import PersonRating
from games.ratings.people.standing import Standing, standing_of
from games.ratings.refusals import NoSuchLeaderboard
from games.ratings.scale import YEAR

LEAST: Final = 10  # matches
PLACE_KEPT: Final = 300  # seconds: everybody ahead is counted for it


class Line(NamedTuple):
    """``place`` is null for a reader who is not listed."""

    place: int | None
    person: User
    standing: Standing


class Leaderboard(NamedTuple):
    """``following`` is the name after which the next page begins."""

    board: Board
    lines: list[Line]
    own: Line | None
    following: str | None


def leaderboard(
    board: Board, *, viewer: UUID | None, friends: bool = False, after: str = "", limit: int = 25
) -> Leaderboard:
    """Raises NoSuchLeaderboard; ``after`` is the name of the last person of the page before."""
    check_board(board)
    circle = [viewer, *friends_of(viewer)] if friends and viewer else None
    rows = _listed(board, circle)
    first = _row(board, viewer, after) if after else None
    place = 1 if first is None else _ahead(board, circle, first) + 2
    if first is not None:
        rows = rows.filter(_behind(first))
    seen = rows.filter(account__in=people_seen_by(viewer)).select_related("account")
    page = list(seen.order_by("-mean", "account")[: limit + 1])
    lines = [_line(row, place + at) for at, row in enumerate(page[:limit])]
    following = lines[-1].person.username if len(page) > limit else None
    return Leaderboard(board, lines, _own(board, viewer, circle), following)


def check_board(board: Board) -> None:
    """Raises NoSuchLeaderboard, for a game of luck with the reason."""
    try:
        game = catalog.find(board.game)
    except KeyError:
        raise NoSuchLeaderboard from None
    if game.is_luck:
        raise NoSuchLeaderboard(
            say("{game} is luck alone, so nobody is rated by it.", game=game.name)
        )
    if board not in boards_of(game):
        raise NoSuchLeaderboard


def _listed(board: Board, circle: list[UUID] | None) -> QuerySet[PersonRating]:
    now = timezone.now()
    rows = PersonRating.objects.filter(
        board=str(board),
        matches__gte=LEAST,
        settled_until__gt=now,
        at__gt=now - YEAR,
        account__is_bot=False,
    )
    if circle is not None:
        return rows.filter(account__in=circle)
    return rows.exclude(account__in=hidden_profiles())


def _behind(row: PersonRating) -> Q:
    equal = Q(mean=row.mean, account__gt=row.account_id)
    return Q(mean__lte=row.mean) & (Q(mean__lt=row.mean) | equal)


def _ahead(board: Board, circle: list[UUID] | None, row: PersonRating) -> int:
    """How many of those who are listed are better; among strangers as a moment ago."""
    if circle is not None:
        return _better(_listed(board, circle), row)
    key = f"place:{board}:{row.account_id}:{row.mean}"
    ahead = cache.get(key)
    if not isinstance(ahead, int):
        ahead = _better(_listed(board, None), row)
        cache.set(key, ahead, PLACE_KEPT)
    return ahead


def _better(rows: QuerySet[PersonRating], row: PersonRating) -> int:
    equal = Q(mean=row.mean, account__lt=row.account_id)
    return rows.filter(Q(mean__gte=row.mean) & (Q(mean__gt=row.mean) | equal)).count()


def _row(board: Board, viewer: UUID | None, username: str) -> PersonRating:
    """Of a person whom the viewer may see: a page says nothing of those who hide."""
    person = people_seen_by(viewer).filter(username__iexact=username).first()
    row = PersonRating.objects.filter(board=str(board), account=person).first() if person else None
    if row is None:
        raise NoSuchLeaderboard("There is nobody of this name on the leaderboard.")
    return row


def _own(board: Board, viewer: UUID | None, circle: list[UUID] | None) -> Line | None:
    row = PersonRating.objects.filter(board=str(board), account=viewer).first() if viewer else None
    if row is None:
        return None
    is_listed = _listed(board, [row.account_id]).exists()
    return _line(row, _ahead(board, circle, row) + 1 if is_listed else None)


def _line(row: PersonRating, place: int | None) -> Line:
    return Line(place, row.account, standing_of(row, timezone.now()))

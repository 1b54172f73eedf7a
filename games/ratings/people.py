"""The strength of people, by the matches that they finished: rated, listed, compared.

A rating is a fold: the rated matches of a board in the order in which they finished, each of which
changes the beliefs of its seats (``games.ratings.scale``). ``rating`` keeps the fold as rows,
with the beliefs before and after, so that a match that is taken out of the ratings is taken back
exactly; ``recount`` proves the rows from the matches.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.social.selectors import friends_of, hidden_profiles, people_seen_by
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import say
from config.postgres.together import Part, Written, once
from config.refusals import NotFound
from games.people.models import Tally
from games.people.profiles import NO_SCORE, RatingCurve, RatingPoint, Score, Title
from games.ratings.computers import ratings_of
from games.ratings.models import BotRating, PersonRating, RatedSeat
from games.ratings.scale import (
    PEOPLE,
    SETTLED,
    YEAR,
    Belief,
    Board,
    after,
    boards_of,
    deviation,
    find_board,
    rated_games,
    rating,
)

# Where people stand on the boards now: read from their newest ratings.


class Standing(NamedTuple):
    """``deviation``: two of three ratings of this certainty are within so much of the strength.

    It grows with the time since ``at``. ``provisional``: it is large yet, or again.
    """

    board: Board
    account: UUID
    rating: float
    deviation: float
    provisional: bool
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


def ratings_by_account(game: str, accounts: Collection[UUID]) -> dict[UUID, float]:
    """The surest rating of each account in a game against people, whatever the pace."""
    rows = PersonRating.objects.filter(account__in=list(accounts), board__startswith=f"{game}/")
    known = standings(rows.filter(board__endswith=f"/{PEOPLE}"))
    known.sort(key=lambda one: one.deviation, reverse=True)
    return {one.account: one.rating for one in known}


# How the ratings of a person went in the last year: one point a day, so that it does not say when
# a match was played that nobody else may see.

_DAYS: Final = """
SELECT DISTINCT ON (board, day) board, day, mean FROM (
    SELECT board, at, rated_match_id, mean, (at AT TIME ZONE 'UTC')::date AS day
    FROM ratings_ratedseat WHERE account_id = %s AND at >= %s
) AS seats ORDER BY board, day, at DESC, rated_match_id DESC
"""


def curves_of_person(account: UUID) -> Part:
    """A curve for each board on which the person has played for a year."""
    days = Written(_DAYS, [account, timezone.now() - YEAR])
    return Part((_boards(account), days), _curves)


@once
def _boards(account: UUID) -> QuerySet[PersonRating]:
    return PersonRating.objects.filter(account=account).order_by("board")


def _curves(boards: list[PersonRating], days: list[dict[str, Any]]) -> list[RatingCurve]:
    newest = {str(one.board): one for one in standings(boards)}
    points: dict[str, list[RatingPoint]] = {}
    for one in days:
        if one["board"] in newest:
            at = datetime.combine(date.fromisoformat(one["day"]), time(), UTC)
            points.setdefault(one["board"], []).append(RatingPoint(at, rating(one["mean"])))
    return [_curve(board, points[board], newest[board]) for board in sorted(points)]


def _curve(text: str, points: list[RatingPoint], now: Any) -> RatingCurve:
    board = find_board(text)
    return RatingCurve(
        board.game,
        points,
        now.deviation,
        board.pace,
        board.sides,
        board.opponents,
        now.provisional,
        now.matches,
    )


# The ladder of a game: its computers from the weakest to the strongest, and who got how far.


class Rung(NamedTuple):
    """A computer, its rating, and the reader's results against it alone."""

    bot: Bot[Any]
    rating: BotRating | None
    score: Score

    @property
    def is_beaten(self) -> bool:
        return self.score.won > 0


def ladder(game: AnyGame, account: UUID | None) -> list[Rung]:
    ratings, scores = ratings_of(game.slug), _scores(game, account)
    rungs = [
        Rung(bot, ratings.get(bot.slug), scores.get(bot.slug, NO_SCORE))
        for bot in game.bots
        if bot.rated
    ]
    return sorted(
        rungs, key=lambda rung: (rung.bot.level, rung.rating.rating if rung.rating else 0)
    )


def titles_of(account: UUID) -> Part:
    """One for each ladder that is finished; luck has none."""
    return Part((_beaten(account),), _titles)


@once
def _beaten(account: UUID) -> QuerySet[Tally, Any]:
    return Tally.objects.filter(account=account, won__gt=0).order_by().values("game", "bot")


def _titles(rows: Sequence[dict[str, str]]) -> list[Title]:
    beaten: dict[str, set[str]] = {}
    for row in rows:
        beaten.setdefault(row["game"], set()).add(row["bot"])
    return [
        Title("ladder", game.slug, say("Ladder of {game} finished", game=game.name))
        for game in rated_games()
        if game.slug in beaten and {bot.slug for bot in game.bots if bot.rated} <= beaten[game.slug]
    ]


def is_finished(rungs: list[Rung]) -> bool:
    return bool(rungs) and all(rung.is_beaten for rung in rungs)


def _scores(game: AnyGame, account: UUID | None) -> Mapping[str, Score]:
    if account is None:
        return {}
    rows = Tally.objects.filter(account=account, game=game.slug)
    return {row.bot: NO_SCORE.plus(row) for row in rows}


# Changes that a match made to the ratings of those who played it.


class RatingChange(msgspec.Struct, frozen=True):
    """``deviation``: two of three ratings of this certainty are within so much of the strength."""

    seat: int
    before: float
    after: float
    deviation: float
    provisional: bool

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
        changes.setdefault(row.rated_match_id, []).append(
            RatingChange(
                row.seat,
                rating(row.mean_before),
                rating(row.mean),
                deviation(row.variance),
                row.variance > SETTLED,
            )
        )
    return changes


# Why nobody is listed there.


class NoSuchLeaderboard(NotFound):
    """There is no such leaderboard."""


# Leaderboards: the best of a board, by keyset, with the reader's own place.
#
# Listed is who has played enough matches, one of them within a year, and whose rating is not
# provisional. A list of strangers shows nobody who hides their profile; the list of the reader's
# friends shows those too. Everybody sees their own line.

LEAST: Final = 10  # matches
PLACE_KEPT: Final = 300  # seconds: everybody ahead is counted for it


class LeaderboardLine(msgspec.Struct, frozen=True):
    """``place`` is null for you while you are not listed; ``at``: the last rated match."""

    place: int | None
    username: str
    display_name: str
    rating: float
    deviation: float
    provisional: bool
    matches: int
    at: datetime


class Leaderboard(NamedTuple):
    """``following`` is the name after which the next page begins."""

    board: Board
    lines: list[LeaderboardLine]
    own: LeaderboardLine | None
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
    following = lines[-1].username if len(page) > limit else None
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
    """The number of better ones among those who are listed; of strangers as a moment ago."""
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


def _own(board: Board, viewer: UUID | None, circle: list[UUID] | None) -> LeaderboardLine | None:
    row = PersonRating.objects.filter(board=str(board), account=viewer).first() if viewer else None
    if row is None:
        return None
    is_listed = _listed(board, [row.account_id]).exists()
    return _line(row, _ahead(board, circle, row) + 1 if is_listed else None)


def _line(row: PersonRating, place: int | None) -> LeaderboardLine:
    person, now = row.account, standing_of(row, timezone.now())
    known = (now.rating, now.deviation, now.provisional, now.matches, now.at)
    return LeaderboardLine(place, person.username, person.display_name, *known)

"""Profiles of people: results, curves, series, titles.

Counts are of all matches that count, also of those that nobody else could see; what is shown of a
single match is public, unless the reader is the person.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Count, QuerySet

from accounts.models import User
from accounts.social.selectors import person_by_username, privacy_of
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from config.offers import offered
from config.postgres.replicas import list_connection
from decks.selectors import ready_made
from games.lobby.rematches import PersonSeries
from games.matches.models import Match, Seat
from games.people.models import SEVERAL, Meeting, Result, Tally

# How a person's rating in a game went. An app that rates people declares ``rating_curves`` on its
# ``AppConfig``: a function from an account's id to these.


class RatingPoint(msgspec.Struct, frozen=True):
    at: datetime
    rating: float


class RatingCurve(msgspec.Struct, frozen=True):
    """How a rating went; the last point is the rating now, give or take ``deviation``.

    ``pace``, ``sides`` and ``opponents`` say what of the game it is about (`GET leaderboards/…`).
    ``provisional``: the deviation is large yet, or again after a long time away.
    """

    game: str
    points: list[RatingPoint]
    deviation: float | None
    pace: str = ""
    sides: str = ""
    opponents: str = ""
    provisional: bool = False
    matches: int | None = None


def curves_of(account: UUID) -> list[RatingCurve]:
    return [curve for function in offered("rating_curves") for curve in function(account)]


# The series of a person over rematches. The app that keeps them declares ``series_of`` on its
# ``AppConfig``: a function from the ids of an account and its reader to these, newest first.


def series_of(account: UUID, reader: UUID | None) -> list[PersonSeries]:
    return [one for function in offered("series_of") for one in function(account, reader)]


# Titles of a person, in a few words. An app that gives titles declares ``titles_of`` on
# its ``AppConfig``: a function from an account's id to these.


class Title(NamedTuple):
    """``slug`` is stored nowhere and sent: a kind of titles, each of a game."""

    slug: str
    game: str
    words: Words


def titles_for(reader: UUID | None, account: UUID) -> Sequence[Title]:
    """The titles of a person as the reader may see them; the person sees them always."""
    if reader != account and privacy_of(account).hides_titles:
        return ()
    return [title for function in offered("titles_of") for title in function(account)]


LOOKED_AT: Final = 200  # of the last matches, for the favourite deck


class Score(msgspec.Struct, frozen=True):
    won: int
    drawn: int
    lost: int

    def plus(self, row: Tally | Meeting) -> "Score":
        return Score(self.won + row.won, self.drawn + row.drawn, self.lost + row.lost)

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost


NO_SCORE: Final = Score(0, 0, 0)


class GameResults(msgspec.Struct, frozen=True):
    """Matches that count: of people and of computers, at seats of one's own, from the first card.

    ``best_beaten`` is the strongest computer of them that was beaten alone.
    """

    game: str
    people: Score
    computers: Score
    best_beaten: str | None


class AgainstYou(msgspec.Struct, frozen=True):
    """Your results against the person, as you see them."""

    game: str
    score: Score


class Profile(NamedTuple):
    person: User
    member_since: date
    games: list[GameResults]
    curves: list[RatingCurve]
    deck: list[str] | None
    against_reader: list[AgainstYou]
    series: Sequence[PersonSeries]
    titles: Sequence[Title] = ()


def profile_of(reader: UUID | None, username: str) -> Profile:
    """Raises NoSuchAccount: one answer for a name that nobody has and one that hides."""
    person = person_by_username(reader, username)
    return Profile(
        person=person,
        member_since=person.date_joined.date(),
        games=_results(person.pk),
        curves=curves_of(person.pk),
        deck=_favourite_deck(person.pk),
        against_reader=_meetings(reader, person.pk),
        series=series_of(person.pk, reader),
        titles=titles_for(reader, person.pk),
    )


def results_of(person: User, reader: UUID | None) -> QuerySet[Result]:
    """The results of which the reader may know, to be paged by ``match_id``.

    What was public may have been closed since.
    """
    rows = Result.objects.filter(account=person)
    if person.pk == reader:
        return rows
    return rows.filter(is_public=True, match__visibility=Match.Visibility.PUBLIC)


def with_matches(rows: QuerySet[Result]) -> QuerySet[Result]:
    rows = rows.select_related("match__creator").prefetch_related("match__seats")
    return rows.defer("match__state", "match__loaded")


def _results(person: UUID) -> list[GameResults]:
    by_game: dict[str, list[Tally]] = {}
    for row in Tally.objects.filter(account=person):
        by_game.setdefault(row.game, []).append(row)
    return [_game_results(game, by_game[game]) for game in sorted(by_game)]


def _game_results(game: str, rows: Sequence[Tally]) -> GameResults:
    people = computers = NO_SCORE
    for row in rows:
        if row.bot:
            computers = computers.plus(row)
        else:
            people = people.plus(row)
    beaten = [row.bot for row in rows if row.won and row.bot not in ("", SEVERAL)]
    return GameResults(game, people, computers, _strongest(game, beaten))


def _strongest(game: str, beaten: Sequence[str]) -> str | None:
    known = [(bot.level, slug) for slug in beaten if (bot := _rated_bot(game, slug))]
    return max(known)[1] if known else None


def _rated_bot(game: str, slug: str) -> Bot[Any] | None:
    """A computer that is one of ours still, and no cheater."""
    try:
        bot = catalog.find(game).bot(slug)
    except KeyError:
        return None
    return bot if bot.rated else None


def _favourite_deck(person: UUID) -> list[str] | None:
    """The side deck that they brought most often to their last public matches.

    A public match that is over is open to the last card, and so are the decks.
    """
    last = Result.objects.filter(account=person, is_public=True).order_by("-match_id")[:LOOKED_AT]
    ids = list(last.values_list("match_id", flat=True))
    public = {"match__visibility": Match.Visibility.PUBLIC, "side_deck__isnull": False}
    seats = Seat.objects.filter(user=person, match__in=ids, **public)
    counted = seats.order_by().values("side_deck").annotate(count=Count("pk"))
    first = counted.order_by("-count", "side_deck").first()
    return first["side_deck"] if first else None


def _meetings(reader: UUID | None, person: UUID) -> list[AgainstYou]:
    if reader is None or reader == person:
        return []
    rows = Meeting.objects.filter(account=reader, opponent=person).order_by("game")
    return [AgainstYou(row.game, NO_SCORE.plus(row)) for row in rows]


def watchable(people: Sequence[UUID]) -> dict[UUID, UUID]:
    """The newest running public match of each of these people."""
    seats = Seat.objects.filter(
        user__in=people, kind=Seat.Kind.USER, match__status="active", match__visibility="public"
    )
    return dict(seats.order_by("match_id").values_list("user_id", "match_id"))


# The title of players who have beaten the strongest computer with every ready-made side deck.

# Decks are kept in the order in which they were brought.
_WON_WITH: Final = """
SELECT DISTINCT ARRAY(SELECT unnest(s.side_deck) ORDER BY 1)
FROM people_result r JOIN games_seat s ON s.match_id = r.match_id AND s.user_id = r.account_id
WHERE r.account_id = %s AND r.game = %s AND r.bot = %s AND r.outcome = 'won'
    AND s.side_deck IS NOT NULL
"""


def deck_titles_of(account: UUID) -> list[Title]:
    return [
        Title(
            "decks",
            game.slug,
            say("{bot} beaten with every ready-made side deck", bot=strongest(game).name),
        )
        for game in catalog.GAMES
        if game.needs_side_deck and _has_won_with_all(account, game)
    ]


def strongest(game: AnyGame) -> Bot[Any]:
    return max((bot for bot in game.bots if bot.rated), key=lambda bot: bot.level)


def _has_won_with_all(account: UUID, game: AnyGame) -> bool:
    with list_connection().cursor() as cursor:
        cursor.execute(_WON_WITH, [account, game.slug, strongest(game).slug])
        won = {tuple(row[0]) for row in cursor.fetchall()}
    return {tuple(sorted(deck)) for deck in ready_made()} <= won

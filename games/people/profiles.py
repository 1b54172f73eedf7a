"""Profiles of people: results, curves, series, titles.

Counts are of all matches that count, also of those that nobody else could see; what is shown of a
single match is public, unless the reader is the person.
"""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from accounts.models import User
from accounts.social.selectors import FriendLine, between, person_by_username
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from config.offers import offered
from config.postgres.together import Part, Written, once, read_parts
from decks.selectors import ready_made
from games.lobby.rematches import PersonSeries
from games.matches.models import Match, Seat
from games.people.models import SEVERAL, Meeting, Result, Tally

# How a person's rating in a game went. An app that rates people declares ``rating_curves`` on its
# ``AppConfig``: a function from an account's id to a part that is these.


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


# The series of a person over rematches. The app that keeps them declares ``series_of`` on its
# ``AppConfig``: a function from the ids of an account and its reader to a part that is these, the
# newest first.
#
# Titles of a person, in a few words. An app that gives titles declares ``titles_of`` on
# its ``AppConfig``: a function from an account's id to a part that is these.


class Title(NamedTuple):
    """``slug`` is stored nowhere and sent: a kind of titles, each of a game."""

    slug: str
    game: str
    words: Words


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
    line: FriendLine | None = None  # between the reader and the person
    is_blocked: bool = False  # by the reader


def profile_of(reader: UUID | None, username: str) -> Profile:
    """Raises NoSuchAccount: one answer for a name that nobody has and one that hides."""
    person = person_by_username(reader, username)
    id_, other = person.pk, None if reader == person.pk else reader
    shows_titles = reader == id_ or not person.hides_titles  # type: ignore[attr-defined]  # annotated
    parts = [
        [Part((_tallies(id_),), _results)],
        [Part((_favourite(id_),), _deck)],
        [function(id_) for function in offered("rating_curves")],
        [Part((_met(other, id_),), _meetings)] if other else [],
        [function(id_, reader) for function in offered("series_of")],
        [function(id_) for function in offered("titles_of")] if shows_titles else [],
        [between(other, person)] if other else [],
    ]
    made = iter(read_parts(*chain(*parts)))
    several = [[next(made) for _ in kind] for kind in parts]
    (games,), (deck,), curves, against, series, titles, between_us = several
    line, is_blocked = between_us[0] if between_us else (None, False)
    return Profile(
        person=person,
        member_since=person.date_joined.date(),
        games=games,
        curves=[*chain(*curves)],
        deck=deck,
        against_reader=[*chain(*against)],
        series=[*chain(*series)],
        titles=[*chain(*titles)],
        line=line,
        is_blocked=is_blocked,
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


@once
def _tallies(person: UUID) -> QuerySet[Tally]:
    return Tally.objects.filter(account=person)


def _results(tallies: Sequence[Tally]) -> list[GameResults]:
    by_game: dict[str, list[Tally]] = {}
    for row in tallies:
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


# The side deck that they brought most often to their last public matches. A public match that is
# over is open to the last card, and so are the decks.
_FAVOURITE: Final = """
SELECT s.side_deck FROM (
    SELECT match_id, account_id FROM people_result WHERE account_id = %s AND is_public
    ORDER BY match_id DESC LIMIT %s
) r JOIN games_match m ON m.id = r.match_id AND m.visibility = 'public'
JOIN games_seat s ON s.match_id = r.match_id AND s.user_id = r.account_id
WHERE s.side_deck IS NOT NULL GROUP BY s.side_deck ORDER BY count(*) DESC, s.side_deck LIMIT 1
"""


def _favourite(person: UUID) -> Written:
    return Written(_FAVOURITE, [person, LOOKED_AT])


def _deck(rows: Sequence[dict[str, list[str]]]) -> list[str] | None:
    return rows[0]["side_deck"] if rows else None


@once
def _met(reader: UUID, person: UUID) -> QuerySet[Meeting]:
    return Meeting.objects.filter(account=reader, opponent=person).order_by("game")


def _meetings(rows: Sequence[Meeting]) -> list[AgainstYou]:
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
SELECT DISTINCT ARRAY(SELECT unnest(s.side_deck) ORDER BY 1) AS deck
FROM people_result r JOIN games_seat s ON s.match_id = r.match_id AND s.user_id = r.account_id
WHERE r.account_id = %s AND r.game = %s AND r.bot = %s AND r.outcome = 'won'
    AND s.side_deck IS NOT NULL
"""


def deck_titles_of(account: UUID) -> Part:
    games = [game for game in catalog.GAMES if game.needs_side_deck]
    rows = (Written(_WON_WITH, [account, game.slug, strongest(game).slug]) for game in games)
    return Part((*rows,), lambda *won: [*map(_title, _won_with_all(games, won))])


def _title(game: AnyGame) -> Title:
    name = strongest(game).name
    words = say("{bot} beaten with every ready-made side deck", bot=name)
    return Title("decks", game.slug, words)


def _won_with_all(games: list[AnyGame], won: Sequence[Any]) -> list[AnyGame]:
    decks = {tuple(sorted(deck)) for deck in ready_made()}
    brought = [{tuple(row["deck"]) for row in rows} for rows in won]
    return [game for game, own in zip(games, brought, strict=True) if decks <= own]


def strongest(game: AnyGame) -> Bot[Any]:
    return max((bot for bot in game.bots if bot.rated), key=lambda bot: bot.level)

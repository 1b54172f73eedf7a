"""People: profiles, their matches, leaderboards, the ladder of computers."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Literal
from uuid import UUID

import msgspec
from django.utils.translation import gettext, ngettext
from rest_framework.request import Request

from accounts.social import selectors
from accounts.social.selectors import person_by_username
from cardroom.rules import catalog
from config.api.json import ROOT, PageQuery, Pages, last_seen, next_page
from config.api.operations import Api, answer
from games.api.match_answers import MatchList, summary_response
from games.api.text import PlainText, lines_of
from games.matches.selectors.history import as_listed
from games.people.profiles import (
    AgainstYou,
    GameResults,
    RatingCurve,
    Score,
    profile_of,
    results_of,
    with_matches,
)
from games.ratings import people as ratings
from games.ratings.people import LEAST, LeaderboardLine
from games.ratings.scale import Board

api = Api("watching")


class TitleJson(msgspec.Struct, frozen=True):
    """``ladder``: each computer of the game was beaten alone. ``decks``: its strongest one, with
    every ready-made side deck. ``daily``: a deal of the day with the feat of its game.
    ``league``: a week won in the top tier.
    """

    title: str
    game: str


class ProfileSeries(msgspec.Struct, frozen=True):
    """Matches won over rematches: the person's ``own`` and those of the ``opponent``."""

    game: str
    opponent: str
    own: int
    other: int
    match: UUID | None
    at: datetime


class UserProfile(msgspec.Struct, frozen=True):
    """What everybody may know of a person. ``friend`` is what is between you, if anything.

    ``deck`` is the side deck that they brought most often to their last public matches.
    """

    username: str
    display_name: str
    member_since: date
    results: list[GameResults]
    ratings: list[RatingCurve]
    deck: list[str] | None
    against_you: list[AgainstYou]
    series: list[ProfileSeries]
    friend: Literal["friend", "asks_you", "you_asked"] | None
    online: bool | None
    links: dict[str, str]
    titles: list[TitleJson]


@api.get(
    "users/<str:username>",
    plain_text=PlainText,
    refuses=[selectors.NoSuchAccount],
    a_second_old=True,
)
def user(reader: UUID | None, username: str) -> UserProfile:
    """Read a profile

    What everybody may know of a person. Needs no key.

    A name that nobody has, a guest's, and a person who hides from you are one answer.
    """
    profile = profile_of(reader, username)
    name, line = profile.person.username, profile.line
    return answer(
        UserProfile,
        profile.person,
        member_since=profile.member_since,
        results=profile.games,
        ratings=profile.curves,
        deck=profile.deck or None,
        against_you=profile.against_reader,
        series=[ProfileSeries(*one) for one in profile.series],
        friend=line.state if line else None,
        online=line.online if line else None,
        links={"self": f"{ROOT}users/{name}", "matches": f"{ROOT}users/{name}/matches"},
        titles=[TitleJson(one.slug, one.game) for one in profile.titles],
    )


@api.get(
    "users/<str:username>/matches",
    plain_text=PlainText,
    refuses=[selectors.NoSuchAccount],
    a_second_old=True,
)
def user_matches(reader: UUID | None, page: Pages, username: str) -> MatchList:
    """List the matches of a person

    Their public matches that are over and count, newest first; your own are all listed.
    """
    person = person_by_username(reader, username)
    rows, following = page(with_matches(results_of(person, reader)), by="-match_id")
    listed = as_listed([row.match for row in rows], reader)
    matches = [summary_response(match, reader) for match in listed]
    return MatchList(matches, following)


RatedPace = Literal["blitz", "normal", "slow", "mirrored"]
RatedSides = Literal["two", "more"]
RatedOpponents = Literal["people", "computers"]


class LeaderboardQuery(PageQuery, frozen=True):
    """``friends``: of you and your friends only."""

    pace: RatedPace = "normal"
    sides: RatedSides = "two"
    opponents: RatedOpponents = "people"
    friends: bool = False


class LeaderboardJson(msgspec.Struct, frozen=True):
    """Listed is who has played ``least_matches``, one within a year, and is not provisional."""

    game: str
    pace: RatedPace
    sides: RatedSides
    opponents: RatedOpponents
    least_matches: int
    you: LeaderboardLine | None
    results: list[LeaderboardLine]
    next: str | None


class RungJson(msgspec.Struct, frozen=True):
    """A computer; ``you``: your results against it alone, null without a key."""

    bot: str
    name: str
    level: int
    rating: float | None
    you: Score | None


class Ladder(msgspec.Struct, frozen=True):
    """From the weakest computer to the strongest. ``finished``: you have beaten each of them."""

    game: str
    rungs: list[RungJson]
    finished: bool


@api.get(
    "leaderboards/<slug:game>",
    plain_text=PlainText,
    refuses=[ratings.NoSuchLeaderboard],
    a_second_old=True,
)
def leaderboard(
    request: Request, reader: UUID | None, query: LeaderboardQuery, game: str
) -> LeaderboardJson:
    """Read a leaderboard

    The best of a game at a pace, and your own place. Needs no key.

    People who hide their profile are not listed. 1500 is the mean; 400 more means ten wins to
    one.
    """
    shown = ratings.leaderboard(
        Board(game, query.pace, query.sides, query.opponents),
        viewer=reader,
        friends=query.friends,
        after=last_seen(query.cursor),
        limit=query.limit,
    )
    following = next_page(request, shown.following) if shown.following else None
    lines = {"you": shown.own, "results": shown.lines, "next": following}
    return answer(LeaderboardJson, shown.board, least_matches=LEAST, **lines)


@api.get(
    "ladders/<slug:game>",
    plain_text=PlainText,
    refuses=[ratings.NoSuchLeaderboard],
    a_second_old=True,
)
def ladder(reader: UUID | None, game: str) -> Ladder:
    """Read the ladder of computers

    The computers of a game and your results against each. Needs no key.
    """
    try:
        rules = catalog.find(game)
    except KeyError:
        raise ratings.NoSuchLeaderboard from None
    rungs = ratings.ladder(rules, reader)
    shown = [
        RungJson(
            bot=rung.bot.slug,
            name=rung.bot.name,
            level=rung.bot.level,
            rating=rung.rating.rating if rung.rating else None,
            you=rung.score if reader else None,
        )
        for rung in rungs
    ]
    return Ladder(rules.slug, shown, ratings.is_finished(rungs))


@lines_of.register
def _(profile: UserProfile, _names: Sequence[str]) -> Iterator[str]:
    since = gettext("here since {day}").format(day=profile.member_since)
    yield f"{profile.display_name} ({profile.username}), {since}"
    for game in profile.results:
        yield f"  {game.game}, {gettext('Against people')}: {_score(game.people)}"
        yield f"  {game.game}, {gettext('Against computers')}: {_score(game.computers)}"
    for curve in profile.ratings:
        yield f"  {curve.game}, {gettext('rating {n}').format(n=round(curve.points[-1].rating))}"
    against = gettext("You against {name}").format(name=profile.display_name)
    for met in profile.against_you:
        yield f"  {met.game}, {against}: {_score(met.score)}"
    for series in profile.series:
        yield f"  {series.game}, {series.opponent}: {series.own} : {series.other}"


def _score(score: Score) -> str:
    counts = [
        ngettext("{n} won", "{n} won", score.won).format(n=score.won),
        ngettext("{n} drawn", "{n} drawn", score.drawn).format(n=score.drawn),
        ngettext("{n} lost", "{n} lost", score.lost).format(n=score.lost),
    ]
    return ", ".join(counts)

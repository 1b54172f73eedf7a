"""Bodies of the calls about people."""

from datetime import date, datetime
from typing import Literal
from uuid import UUID

import msgspec

from accounts.social.friend_lines import FriendLine
from config.api.answers import ROOT
from games.people.curves import Curve
from games.people.profiles import GameResults, Profile, Score
from games.people.series import Series


class ScoreJson(msgspec.Struct, frozen=True):
    won: int
    drawn: int
    lost: int

    @classmethod
    def of(cls, score: Score) -> "ScoreJson":
        return cls(score.won, score.drawn, score.lost)


class GameResultsJson(msgspec.Struct, frozen=True):
    """Matches that count: of people and of computers, at seats of one's own, from the first card.

    ``best_beaten`` is the strongest computer of them that was beaten alone.
    """

    game: str
    people: ScoreJson
    computers: ScoreJson
    best_beaten: str | None

    @classmethod
    def of(cls, results: GameResults) -> "GameResultsJson":
        people, computers = ScoreJson.of(results.people), ScoreJson.of(results.computers)
        return cls(results.game, people, computers, results.best_beaten)


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

    @classmethod
    def of(cls, curve: Curve) -> "RatingCurve":
        points = [RatingPoint(*point) for point in curve.points]
        return cls(
            curve.game,
            points,
            curve.deviation,
            curve.pace,
            curve.sides,
            curve.opponents,
            curve.is_provisional,
            curve.matches,
        )


class AgainstYou(msgspec.Struct, frozen=True):
    """Your results against the person, as you see them."""

    game: str
    score: ScoreJson


class TitleJson(msgspec.Struct, frozen=True):
    """``ladder``: each computer of the game was beaten alone. ``decks``: its strongest one, with
    every ready-made side deck. ``daily``: a deal of the day with the feat of its game.
    ``league``: a week won in the top tier.
    """

    title: str
    game: str


class SeriesJson(msgspec.Struct, frozen=True):
    """Matches won over rematches: the person's ``own`` and those of the ``opponent``."""

    game: str
    opponent: str
    own: int
    other: int
    match: UUID | None
    at: datetime

    @classmethod
    def of(cls, one: Series) -> "SeriesJson":
        return cls(*one)


class UserProfile(msgspec.Struct, frozen=True):
    """What everybody may know of a person. ``friend`` is what is between you, if anything.

    ``deck`` is the side deck that they brought most often to their last public matches.
    """

    username: str
    display_name: str
    member_since: date
    results: list[GameResultsJson]
    ratings: list[RatingCurve]
    deck: list[str] | None
    against_you: list[AgainstYou]
    series: list[SeriesJson]
    friend: Literal["friend", "asks_you", "you_asked"] | None
    online: bool | None
    links: dict[str, str]
    titles: list[TitleJson]


def profile_response(profile: Profile, line: FriendLine | None) -> UserProfile:
    name = profile.person.username
    return UserProfile(
        username=name,
        display_name=profile.person.display_name,
        member_since=profile.member_since,
        results=list(map(GameResultsJson.of, profile.games)),
        ratings=list(map(RatingCurve.of, profile.curves)),
        deck=list(profile.deck) if profile.deck else None,
        against_you=[AgainstYou(game, ScoreJson.of(row)) for game, row in profile.against_reader],
        series=list(map(SeriesJson.of, profile.series)),
        friend=line.state if line else None,
        online=line.online if line else None,
        links={"self": f"{ROOT}users/{name}", "matches": f"{ROOT}users/{name}/matches"},
        titles=[TitleJson(one.slug, one.game) for one in profile.titles],
    )

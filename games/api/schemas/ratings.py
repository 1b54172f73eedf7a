"""Bodies of leaderboards and of the ladders of computers."""

from datetime import datetime
from typing import Literal

import msgspec

from config.api.pagination import PageQuery
from games.api.schemas.people import ScoreJson
from games.ratings.people.ladder import Rung
from games.ratings.people.leaderboards import Leaderboard, Line

RatedPace = Literal["blitz", "normal", "slow", "mirrored"]
RatedSides = Literal["two", "more"]
RatedOpponents = Literal["people", "computers"]


class LeaderboardQuery(PageQuery, frozen=True):
    """``friends``: of you and your friends only."""

    pace: RatedPace = "normal"
    sides: RatedSides = "two"
    opponents: RatedOpponents = "people"
    friends: bool = False


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

    @classmethod
    def of(cls, line: Line) -> "LeaderboardLine":
        person, standing = line.person, line.standing
        return cls(
            line.place,
            person.username,
            person.display_name,
            standing.rating,
            standing.deviation,
            standing.is_provisional,
            standing.matches,
            standing.at,
        )


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


def leaderboard_response(shown: Leaderboard, least: int, following: str | None) -> LeaderboardJson:
    board = shown.board
    return LeaderboardJson(
        board.game,
        board.pace,  # type: ignore[arg-type]
        board.sides,  # type: ignore[arg-type]
        board.opponents,  # type: ignore[arg-type]
        least,
        LeaderboardLine.of(shown.own) if shown.own else None,
        [LeaderboardLine.of(line) for line in shown.lines],
        following,
    )


class RungJson(msgspec.Struct, frozen=True):
    """A computer; ``you``: your results against it alone, null without a key."""

    bot: str
    name: str
    level: int
    rating: float | None
    you: ScoreJson | None

    @classmethod
    def of(cls, rung: Rung, *, is_known: bool) -> "RungJson":
        rating = rung.rating.rating if rung.rating else None
        you = ScoreJson.of(rung.score) if is_known else None
        return cls(rung.bot.slug, rung.bot.name, rung.bot.level, rating, you)


class Ladder(msgspec.Struct, frozen=True):
    """From the weakest computer to the strongest. ``finished``: you have beaten each of them."""

    game: str
    rungs: list[RungJson]
    finished: bool

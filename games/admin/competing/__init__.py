"""People against people: seeks, challenges, series, ratings, deals, tournaments, leagues."""

from games.admin.competing import (
    challenges,
    daily,
    leagues,
    mirrored,
    programs,
    ratings,
    seeks,
    series,
    tournaments,
)

__all__ = [
    "challenges",
    "daily",
    "leagues",
    "mirrored",
    "programs",
    "ratings",
    "seeks",
    "series",
    "tournaments",
]

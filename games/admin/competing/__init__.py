"""People against people: seeks, challenges, series, ratings, deals of the day, tournaments."""

from games.admin.competing import (
    challenges,
    daily,
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
    "mirrored",
    "programs",
    "ratings",
    "seeks",
    "series",
    "tournaments",
]

"""The pages of the admin, a module for each subject."""

from games.admin import (
    analyses,
    audits,
    bulk_runs,
    daily,
    exports,
    matches,
    people,
    ratings,
    reports,
    seeks,
    series,
    simulations,
    tournaments,
)

__all__ = [
    "analyses",
    "audits",
    "bulk_runs",
    "daily",
    "exports",
    "matches",
    "people",
    "ratings",
    "reports",
    "seeks",
    "series",
    "simulations",
    "tournaments",
]

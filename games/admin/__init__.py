"""The pages of the admin, a module for each subject."""

from games.admin import (
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
)

__all__ = [
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
]

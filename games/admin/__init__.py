"""The pages of the admin, a module for each subject."""

from games.admin import (
    audits,
    bulk_runs,
    exports,
    matches,
    people,
    reports,
    seeks,
    series,
    simulations,
    tournaments,
)

__all__ = [
    "audits",
    "bulk_runs",
    "exports",
    "matches",
    "people",
    "reports",
    "seeks",
    "series",
    "simulations",
    "tournaments",
]

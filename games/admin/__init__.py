"""The pages of the admin, a module for each subject."""

from games.admin import (
    analyses,
    audits,
    bulk_runs,
    competing,
    exercises,
    exports,
    matches,
    people,
    reports,
    simulations,
)

__all__ = [
    "analyses",
    "audits",
    "bulk_runs",
    "competing",
    "exercises",
    "exports",
    "matches",
    "people",
    "reports",
    "simulations",
]

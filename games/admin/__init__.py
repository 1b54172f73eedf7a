"""The pages of the admin, a module for each subject."""

from games.admin import bulk_runs, matches, people, reports, simulations

__all__ = ["bulk_runs", "matches", "people", "reports", "simulations"]

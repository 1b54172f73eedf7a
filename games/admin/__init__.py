"""The pages of the admin, a module for each subject."""

from games.admin import audits, bulk_runs, exports, matches, people, reports, simulations

__all__ = ["audits", "bulk_runs", "exports", "matches", "people", "reports", "simulations"]

"""The pages of the admin, a module for each subject."""

from games.admin import matches, simulations

__all__ = ["matches", "simulations"]

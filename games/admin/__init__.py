"""The operators' pages; one module a subject."""

from games.admin import matches, simulations

__all__ = ["matches", "simulations"]

"""The pages of the admin, a module for each subject."""

from games.admin import background, competing, matches, people, refereeing

__all__ = [
    "background",
    "competing",
    "matches",
    "people",
    "refereeing",
]

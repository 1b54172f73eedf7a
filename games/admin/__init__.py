"""The pages of the admin, a module for each subject."""

from games.admin import background, club, competing, matches, moderation, people, refereeing

__all__ = [
    "background",
    "club",
    "competing",
    "matches",
    "moderation",
    "people",
    "refereeing",
]

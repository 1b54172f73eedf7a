"""The pages of the admin, a module for each subject; each registers its own."""
# ruff: noqa: F401

from games.admin import background, club, competing, matches, moderation, people, refereeing

"""Why nobody is listed there."""

from config.refusals import NotFound


class NoSuchLeaderboard(NotFound):
    """There is no such leaderboard."""

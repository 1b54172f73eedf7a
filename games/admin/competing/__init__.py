"""People against people: seeks, series, ratings, deals of the day, tournaments."""

from games.admin.competing import daily, ratings, seeks, series, tournaments

__all__ = ["daily", "ratings", "seeks", "series", "tournaments"]

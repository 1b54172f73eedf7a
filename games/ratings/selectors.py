"""Reads of ratings."""

from collections.abc import Mapping

from games.ratings.models import BotRating


def ratings_of(game: str) -> Mapping[str, BotRating]:
    """The rated bots of a game, by their slugs."""
    return {row.bot: row for row in BotRating.objects.filter(game=game)}


def all_ratings() -> Mapping[tuple[str, str], BotRating]:
    """Every rated bot, by game and slug."""
    return {(row.game, row.bot): row for row in BotRating.objects.all()}

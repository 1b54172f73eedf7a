"""Reads of ratings of computers: which are shipped, and which are rows.

Computers of this tree change with the tree, so their ratings are shipped with it: `make
leaderboard` writes the file beside the page of the documentation. Those of games from outside are
measured here, once for each version of their package (``services``).
"""

from collections.abc import Mapping
from functools import cache

import msgspec

from cardroom.rules import catalog
from games.ratings.models import BotRating
from games.ratings.scale import ShippedRating, ShippedRatings, shipped_ratings


def ratings_of(game: str) -> Mapping[str, BotRating]:
    """The rated bots of a game, by their slugs."""
    if _is_of_the_house(game):
        return _shipped_rows().get(game, {})
    return {row.bot: row for row in BotRating.objects.filter(game=game)}


def all_ratings() -> Mapping[tuple[str, str], BotRating]:
    """Every rated bot, by game and slug."""
    slugs = [slug for slug in catalog.slugs() if not _is_of_the_house(slug)]
    rows = BotRating.objects.filter(game__in=slugs) if slugs else ()
    shipped = (row for of_game in _shipped_rows().values() for row in of_game.values())
    return {(row.game, row.bot): row for row in (*shipped, *rows)}


def _is_of_the_house(slug: str) -> bool:
    return any(game.slug == slug for game in catalog.OF_THE_HOUSE)


@cache
def _shipped_rows() -> Mapping[str, Mapping[str, BotRating]]:
    return {
        game: {bot: _row(game, bot, each, of_game) for bot, each in of_game.computers.items()}
        for game, of_game in shipped_ratings().items()
    }


def _row(game: str, bot: str, each: ShippedRating, of_game: ShippedRatings) -> BotRating:
    """A row that is stored nowhere."""
    figures = msgspec.structs.asdict(each)
    return BotRating(game=game, bot=bot, rated_at=of_game.rated_at, **figures)

"""The games of the catalogue, for what stands on every page."""

from collections.abc import Sequence
from functools import cache

from django import template
from django.contrib.staticfiles import finders

from games.rules import catalog
from games.rules.game import AnyGame

register = template.Library()


@register.simple_tag
def all_games() -> Sequence[AnyGame]:
    """``{% all_games as offered %}``: every game, the one offered first at the front."""
    return catalog.GAMES


@register.filter
def pictures(game: AnyGame) -> list[str]:
    """The templates of a game in one glance, for ``include``; the first that exists is drawn."""
    return [f"games/tables/{game.slug}/picture.html", "games/parts/picture.html"]


@register.simple_tag
@cache
def felts() -> tuple[str, ...]:
    """The stylesheets of the games that have a felt of their own."""
    files = [f"games/tables/{game.slug}/felt.css" for game in catalog.GAMES]
    return tuple(file for file in files if finders.find(file))

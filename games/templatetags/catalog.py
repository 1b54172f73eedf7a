"""The games of the catalogue, for what stands on every page."""

from collections.abc import Sequence

from django import template

from games.rules import catalog
from games.rules.game import AnyGame

register = template.Library()


@register.simple_tag
def all_games() -> Sequence[AnyGame]:
    """``{% all_games as offered %}``: every game, the one offered first at the front."""
    return catalog.GAMES

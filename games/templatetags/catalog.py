"""The games of the catalogue, for what stands on every page."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from django import template
from django.contrib.staticfiles import finders
from django.template.loader import select_template
from django.utils.safestring import SafeString

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.outside.failing import or_else

register = template.Library()
USUAL: Final = "games/parts/picture.html"


@register.simple_tag
def all_games() -> Sequence[AnyGame]:
    """``{% all_games as offered %}``: every game, the one offered first at the front."""
    return catalog.GAMES


@register.simple_tag(takes_context=True)
def picture(context: template.Context, game: AnyGame) -> SafeString:
    """A game in one glance: its own template, if it has one that can be drawn."""
    own = [f"games/tables/{game.slug}/picture.html", USUAL]
    return or_else(game.slug, lambda: _drawn(context, own), lambda: _drawn(context, [USUAL]))


def _drawn(context: template.Context, names: list[str]) -> SafeString:
    chosen = select_template(names).template
    with context.push():
        return SafeString(chosen.render(context))


@register.simple_tag
@cache
def felts() -> tuple[str, ...]:
    """The stylesheets of the games that have a felt of their own."""
    files = [f"games/tables/{game.slug}/felt.css" for game in catalog.GAMES]
    return tuple(file for file in files if finders.find(file))

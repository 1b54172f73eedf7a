"""Drawn signs: ``{% sign slug %}``; not every system has a font with these pictures.

They are drawn by `tests/art/signs.py`, one for each sign of `games.phrases.sentences`.
"""

from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

SPRITE: Final = "games/img/signs.svg"
DRAWN: Final = ("thumbs_up", "applause", "smile", "astonished", "tears", "coffee")


@register.simple_tag
def sign(slug: str) -> SafeString:
    """The drawing alone, which says nothing by itself."""
    drawing = (
        '<svg class="sign-picture" viewBox="0 0 32 32" aria-hidden="true"><use href="{}#{}"/></svg>'
    )
    return format_html(drawing, static(SPRITE), slug)


@register.simple_tag
def every_sign() -> SafeString:
    """All of them, for a script that shows one when it is said."""
    return format_html_join("", '<i data-sign="{}">{}</i>', ((slug, sign(slug)) for slug in DRAWN))

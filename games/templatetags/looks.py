"""The reader's choice of colours and backs, for the page's element and for the switch."""

from typing import Any

from django import template
from django.http import HttpRequest

from games.card_look import BACKS, COLOURS, Look, look_of

register = template.Library()


@register.simple_tag
def card_look(request: HttpRequest | str | None) -> Look:
    """The look of a request's browser; the usual one for a page that nobody asked for."""
    return look_of(request) if isinstance(request, HttpRequest) else Look()


@register.simple_tag
def card_looks() -> dict[str, Any]:
    """What can be chosen: value and name of colours and backs."""
    return {"colours": COLOURS.items(), "backs": BACKS.items()}

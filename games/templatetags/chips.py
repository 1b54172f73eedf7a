"""Cards as short text: ``{% chip "TD" %}`` is a small *10♦*, readable where a picture is not."""

from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.language import card_text
from games.templatetags.cards import spoken

register = template.Library()

_JOKER: Final = "★"


@register.simple_tag
def chip(code: str | None, *, kind: str = "") -> SafeString:
    """A card as rank and suit, its back for ``None``; read aloud by its full name."""
    if code is None:
        text, colour = "", "chip-back"
    elif code[0] == "X":
        text, colour = _JOKER, "chip-joker"
    else:
        text = card_text(code)
        colour = f"{'chip-red' if code[1] in 'DH' else 'chip-black'} chip-{code[1]}"
    return format_html(
        '<span class="{}" role="img" aria-label="{}">{}</span>',
        f"chip {colour} {kind}".strip(),
        spoken(code),
        text,
    )

"""Playing cards in templates: ``{% card "7H" %}``, face down, or as a button that plays it."""

from typing import Any, Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.language import card_text, letters

register = template.Library()

_RANKS: Final = {
    "A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "Ten", "9": "Nine", "8": "Eight",
    "7": "Seven", "6": "Six", "5": "Five", "4": "Four", "3": "Three", "2": "Two",
}  # fmt: skip
_SUITS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SPOKEN: Final = {
    f"{rank}{suit}": f"{_RANKS[rank]} of {_SUITS[suit]}" for rank in _RANKS for suit in _SUITS
}


@register.filter
def spoken(code: str | None) -> str:
    """A card as one reads it aloud: ``TD`` is *Ten of diamonds*."""
    if not code:
        return gettext("Card face down")
    return card_text(code) if code[0] == "X" else gettext(SPOKEN[code])


@register.simple_tag
def card(
    code: str | None,
    *,
    move: str | None = None,
    label: str = "",
    key: str | int = "",
    kind: str = "",
) -> SafeString:
    """A card's face, or its back for ``None``.

    With ``move`` it is a button of the surrounding form that sends this move; ``label`` is what
    the button says, ``key`` the key that presses it. ``kind`` adds classes: ``small``, ``tiny``.
    """
    face = format_html(
        '<img src="{}" alt="{}" width="120" height="168" draggable="false">',
        static(f"games/cards/{code or 'back'}.svg"),
        "" if move is not None else spoken(code),
    )
    if code and (own := letters().get(code[0])):
        face = format_html('{}<i class="corner" aria-hidden="true">{}</i>', face, own)
        face = format_html('{}<i class="corner far" aria-hidden="true">{}</i>', face, own)
    named = {"class": f"playing-card {kind}".strip(), "data-card": code or ""}
    if move is None:
        return format_html("<span{}>{}</span>", _attributes(named), face)
    sent = {"type": "submit", "name": "move", "value": move, "aria-label": label or spoken(code)}
    pressed = {"data-key": str(key), "aria-keyshortcuts": str(key)} if key != "" else {}
    return format_html("<button{}>{}</button>", _attributes({**sent, **pressed, **named}), face)


def _attributes(values: dict[str, Any]) -> SafeString:
    return format_html_join("", ' {}="{}"', values.items())

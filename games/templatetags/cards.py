"""Playing cards, chips and looks in templates: ``{% card "7H" %}``, face down, or as a button."""

from functools import lru_cache
from typing import Any, Final

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from games.language import BACKS, COLOURS, Look, card_text, letter, look_of, wants_letters

register = template.Library()

_RANKS: Final = {
    "A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "Ten", "9": "Nine", "8": "Eight",
    "7": "Seven", "6": "Six", "5": "Five", "4": "Four", "3": "Three", "2": "Two",
}  # fmt: skip
_OTHER_RANKS: Final = {"В": "Be", "Д": "De", "К": "K", "Т": "Te"}  # in the sprite
_UNTOLD: Final = SafeString('aria-hidden="true"')
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
    return _card(code, move, label, str(key), kind, get_language(), wants_letters())


@lru_cache(maxsize=4096, typed=True)  # a label that is safe and one that is not are two
def _card(
    code: str | None, move: str | None, label: str, key: str, kind: str, *_reader: object
) -> SafeString:
    named = {
        "class": f"playing-card {f'of-{code[1]}' if code else 'is-back'} {kind}".strip(),
        "data-card": code or "",
    }
    if move is None:
        if not code:
            named |= {"role": "img", "aria-label": spoken(None)}
        return format_html("<span{}>{}</span>", _attributes(named), _front(code, spoken(code)))
    sent = {"type": "submit", "name": "move", "value": move, "aria-label": label or spoken(code)}
    pressed = {"data-key": key, "aria-keyshortcuts": key} if key else {}
    return format_html(
        "<button{}>{}</button>", _attributes({**sent, **pressed, **named}), _front(code, "")
    )


def _front(code: str | None, words: str) -> SafeString:
    """The drawing: a body and the rank in its corner; nothing for a back, which is a background."""
    if not code:
        return SafeString("")
    sprite, rank = static("games/cards/deck.svg"), letter(code[0])
    body = {"X": "X"}.get(code[0], code if code[0] in "AJQK" else code[1])
    label = format_html('role="img" aria-label="{}"', words) if words else _UNTOLD
    return format_html(
        '<svg viewBox="0 0 100 140" {}><use href="{}#{}"/><use href="{}#r-{}"/></svg>',
        label, sprite, body, sprite, _OTHER_RANKS.get(rank, rank),
    )  # fmt: skip


def _attributes(values: dict[str, Any]) -> SafeString:
    return format_html_join("", ' {}="{}"', values.items())


# Cards as short text: ``{% chip "TD" %}`` is a small *10♦*, readable where a picture is not.

_JOKER: Final = "★"


@register.simple_tag
def chip(code: str | None, *, kind: str = "") -> SafeString:
    """A card as rank and suit, its back for ``None``; read aloud by its full name."""
    return _chip(code, kind, get_language(), wants_letters())


@lru_cache(maxsize=1024)
def _chip(code: str | None, kind: str, *_reader: object) -> SafeString:
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


# The reader's choice of colours and backs, for the page's element and for the switch.


@register.simple_tag
def card_look(request: HttpRequest | str | None) -> Look:
    """The look of a request's browser; the usual one for a page that nobody asked for."""
    return look_of(request) if isinstance(request, HttpRequest) else Look()


@register.simple_tag
def card_looks() -> dict[str, Any]:
    """The choice: value and name of colours and backs."""
    return {"colours": COLOURS.items(), "backs": BACKS.items()}

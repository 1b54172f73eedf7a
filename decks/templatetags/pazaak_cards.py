"""Pazaak cards in templates: ``{% side_card "PM3" %}``, ``{% main_card 7 %}``; one SVG draws all.

The page that shows them links ``decks/css/pazaak_cards.css``. Each kind has a shape of its own, so
no card is known by its colour alone.
"""

from typing import Any, Final

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from cardroom.rules.pazaak.side_cards import CARD, SideCard
from games.language import words

register = template.Library()

CAPTIONS: Final[dict[str, Any]] = {
    "plus": _("plus"),
    "minus": _("minus"),
    "plus-or-minus": _("plus or minus"),
    "plus-or-minus-1-2": _("one or two"),
    "flip": _("flip"),
    "double": _("double"),
    "tiebreaker": _("tiebreaker"),
}
_FACES: Final = {"double": "×2", "tiebreaker": "±1"}


@register.inclusion_tag("decks/card.svg")
def side_card(
    code: str | None, *, value: int | None = None, kind: str = "", silent: bool = False
) -> dict[str, Any]:
    """A side card, or the back of one for ``None``.

    ``value`` is what it counts on a board now; ``kind`` adds classes (``small``, ``tiny``);
    ``silent`` hides it from screen readers, for buttons and lines that say it themselves.
    """
    if not code:
        return {
            "shape": "back",
            "words": gettext("Side card face down"),
            "silent": silent,
            "more": kind,
        }
    card = CARD[code]
    face = _FACES.get(card.kind, str(card.name).removeprefix("Flip "))
    spoken = f"{words(card.name)}. {words(card.effect)}"
    if value is not None:
        sentence = gettext("{name}, counts {value}")
        spoken, printed = sentence.format(name=words(card.name), value=signed(value)), face
        face = signed(value)
    return {
        "code": code,
        "shape": card.kind,
        "caption": CAPTIONS[card.kind] if value is None else printed,
        "face": face,
        "wide": len(face) > 2,
        "words": spoken,
        "silent": silent,
        "more": kind,
    }


@register.inclusion_tag("decks/card.svg")
def main_card(
    number: int | str | None, *, value: int | None = None, kind: str = "", silent: bool = False
) -> dict[str, Any]:
    """A card of the main deck, or its back for ``None``; ``value`` once flipped or doubled."""
    if number is None or number == "":
        return {"shape": "back", "words": gettext("Card face down"), "silent": silent, "more": kind}
    changed = value is not None and value != int(number)
    face = signed(value) if value is not None and value < 0 else str(value or number)
    return {
        "code": str(number),
        "shape": "main",
        "caption": gettext("was {n}").format(n=number) if changed else "",
        "face": face,
        "wide": len(face) > 2,
        "words": gettext("{name}, counts {value}").format(name=number, value=face)
        if changed
        else str(number),
        "silent": silent,
        "more": kind,
    }


@register.filter
def signed(value: int) -> str:
    """A card's value as it is read: ``+3``, ``−3``, ``0``."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


@register.filter
def side_card_facts(code: str) -> SideCard:
    """``{{ "PM3"|side_card_facts }}``: its ``name``, ``kind`` and ``effect`` in words."""
    return CARD[code]

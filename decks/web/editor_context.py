"""The editor's picture of a draft: slots, counts, the catalogue by kind, where it is legal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from cardroom.rules.pazaak.side_cards import (
    CARD,
    CATALOGUES,
    DECK_SIZE,
    SIDE_CARDS,
    SideCard,
    unknown_card,
)
from decks.draft import Draft
from games.language import words

KINDS: Final = {
    "plus": (_("Plus"), _("Adds its number to your total.")),
    "minus": (_("Minus"), _("Takes its number off your total: the way back from a bust.")),
    "plus-or-minus": (_("Plus or minus"), _("Adds or takes off its number, as you choose.")),
    "plus-or-minus-1-2": (_("One or two"), _("Adds or takes off 1 or 2, as you choose.")),
    "double": (_("Double"), _("Doubles the newest card on your board.")),
    "tiebreaker": (
        _("Tiebreaker"),
        _("Adds or takes off 1; as your newest card it also wins you an equal round."),
    ),
    "flip": (
        _("Flip"),
        _("Turns every card of either number on your board over: plus becomes minus and back."),
    ),
}
CATALOGUE_NAMES: Final = {"full": _("All side cards"), "kotor1": "KotOR", "kotor2": "KotOR II"}


@dataclass(frozen=True)
class CardCount:
    """A card of the catalogue and how often the draft has it."""

    card: SideCard
    count: int


@dataclass(frozen=True)
class Group:
    kind: str
    heading: Any  # lazy text, as is `words`
    words: Any
    counts: tuple[CardCount, ...]


@dataclass(frozen=True)
class CatalogueFit:
    """Whether a catalogue has all the cards, and which it lacks."""

    catalogue: str
    name: Any  # lazy text
    lacks: tuple[str, ...]


def editor_context(draft: Draft) -> dict[str, Any]:
    groups = catalogue(draft.cards)
    return {
        "draft": draft,
        "size": DECK_SIZE,
        "slots": [CARD.get(code, code) for code in draft.cards],
        "empty": range(draft.missing),
        "groups": groups,
        "counts": [each for group in groups for each in group.counts],
        "fits": catalogue_fits(draft.cards),
        "unknown": [
            words(unknown_card(code)) for code in dict.fromkeys(draft.cards) if code not in CARD
        ],
        "surplus": max(0, len(draft.cards) - DECK_SIZE),
        "most_copies": max(Counter(draft.cards).values(), default=0),
    }


def catalogue(cards: Sequence[str]) -> list[Group]:
    copies = Counter(cards)
    counts = [CardCount(card, copies[card.code]) for card in SIDE_CARDS]
    return [
        Group(kind, heading, meaning, tuple(each for each in counts if each.card.kind == kind))
        for kind, (heading, meaning) in KINDS.items()
    ]


def catalogue_fits(cards: Sequence[str]) -> list[CatalogueFit]:
    codes_used = dict.fromkeys(code for code in cards if code in CARD)
    return [
        CatalogueFit(
            name,
            CATALOGUE_NAMES[name],
            tuple(words(CARD[code].name) for code in codes_used if code not in codes),
        )
        for name, codes in CATALOGUES.items()
    ]

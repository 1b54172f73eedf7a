"""The bodies of the deck calls."""

from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE, SideCard
from config.api.components import drawn, one_of
from decks import share_codes
from decks.models import NAME_LENGTH, Deck
from games.language import words

# Bounds that keep a request from costing something; what a deck may be is the services' to say, and
# the document draws it too.
Name = Annotated[
    str, Meta(max_length=200, extra_json_schema=drawn(minLength=1, maxLength=NAME_LENGTH))
]
OptionalName = Annotated[str, Meta(max_length=200, extra_json_schema=drawn(maxLength=NAME_LENGTH))]
Card = Annotated[str, Meta(extra_json_schema=drawn(pattern=f"^({'|'.join(CODES)})$"))]
Cards = Annotated[
    list[Card],
    Meta(
        max_length=100,
        description="Ten codes of the catalogue.",
        extra_json_schema=drawn(minItems=DECK_SIZE, maxItems=DECK_SIZE),
    ),
]
Text = Annotated[str, Meta(max_length=4000)]
Code = Annotated[str, Meta(max_length=100)]


class NewDeck(Struct, forbid_unknown_fields=True):
    """An owner's first deck is the default one unless told otherwise."""

    name: Name
    cards: Cards
    is_default: bool | UnsetType = UNSET


class DeckChanges(Struct, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    name: Name | UnsetType = UNSET
    cards: Cards | UnsetType = UNSET
    is_default: bool | UnsetType = UNSET


class DeckImport(Struct, forbid_unknown_fields=True):
    """A share code, or a text with one card code a line; never both."""

    bounds: ClassVar = one_of("code", "text")

    code: Code | UnsetType = UNSET
    text: Text | UnsetType = UNSET
    name: OptionalName = ""

    def __post_init__(self) -> None:
        if (self.code is UNSET) == (self.text is UNSET):
            raise ValueError("Give either `code` or `text`")


class CatalogueQuery(Struct, frozen=True):
    catalogue: Literal["full", "kotor1", "kotor2"] = "full"


class DeckLine(Struct):
    """A saved deck; ``code`` is its cards as a share code."""

    id: UUID
    name: str
    cards: list[str]
    catalogues: list[str]
    code: str
    is_default: bool

    @classmethod
    def of(cls, deck: Deck) -> "DeckLine":
        return cls(
            id=deck.pk,
            name=deck.name,
            cards=deck.cards,
            catalogues=list(side_cards.legal_catalogues(deck.cards)),
            code=share_codes.encode(deck.cards),
            is_default=deck.is_default,
        )


class DeckPage(Struct):
    results: list[DeckLine]
    next: str | None


class SideCardLine(Struct):
    """A type of side card; ``effect`` says in words what playing it does."""

    code: str
    kind: str
    name: str
    effect: str

    @classmethod
    def of(cls, card: SideCard) -> "SideCardLine":
        return cls(card.code, card.kind, words(card.name), words(card.effect))


def named_fields(body: NewDeck | DeckChanges) -> dict[str, Any]:
    """The fields that the caller named."""
    return {name: value for name, value in structs.asdict(body).items() if value is not UNSET}

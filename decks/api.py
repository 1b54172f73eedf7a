"""Side decks over the API."""

from typing import Annotated, Any, ClassVar, Final, Literal, cast
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from msgspec import UNSET, Meta, Struct, UnsetType

from accounts.models import User
from cardroom.arena.doctor import Diagnosis
from cardroom.arena.request import LARGEST_SEED
from cardroom.rules.pazaak.side_cards import (
    CARD,
    CATALOGUES,
    CODES,
    DECK_SIZE,
    legal_catalogues,
)
from config.api.components import drawn, one_of
from config.api.json import ROOT, Pages
from config.api.operations import Api, answer, given
from config.refusals import NotFound
from decks import selectors, services
from decks.models import NAME_LENGTH, Deck, Measurement
from decks.services import (
    SEED,
    BadDeck,
    Code,
    DeckNameTaken,
    DoctorField,
    NotExamined,
    TooManyDecks,
    TooManyMeasurements,
)
from games.language import words
from games.simulations.work import diagnosis_of

api = Api("decks")


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
        catalogues = list(legal_catalogues(deck.cards))
        return answer(cls, deck, catalogues=catalogues, code=selectors.encode_deck(deck.cards))


class DeckPage(Struct):
    results: list[DeckLine]
    next: str | None


class SideCardLine(Struct):
    """A type of side card; ``effect`` says in words what playing it does."""

    code: str
    kind: str
    name: str
    effect: str


class ExaminationQuery(Struct, frozen=True):
    """As in the request; ``rivals`` with commas between."""

    field: Literal["house", "public"] = "public"
    rivals: Annotated[str, Meta(max_length=100)] = ""
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] = SEED


class DeckExamination(Struct):
    """``diagnosis`` is null until ``status`` is ``finished``."""

    deck: UUID
    field: str
    rivals: list[str]
    seed: int
    status: str
    games: int
    played: int
    fault: str | None
    diagnosis: Diagnosis | None
    links: dict[str, str]


SAVING: Final = (BadDeck, DeckNameTaken, TooManyDecks)
CHANGING: Final = (NotFound, BadDeck, DeckNameTaken)
CATALOGUE: Final = OpenApiParameter(
    "catalogue", {"type": "string", "enum": list(CATALOGUES), "default": "full"}
)


@api.get("decks/cards", scope=None, parameters=[CATALOGUE])
def side_cards(query: CatalogueQuery) -> list[SideCardLine]:
    """List the side cards of Pazaak

    The side cards of a catalogue, in its order, with their effects in words.
    """
    cards = [CARD[code] for code in CATALOGUES[query.catalogue]]
    return [SideCardLine(c.code, c.kind, words(c.name), words(c.effect)) for c in cards]


@api.get("decks")
def decks(user: User, page: Pages) -> DeckPage:
    """List your decks

    The caller's decks, newest first.
    """
    rows, following = page(selectors.of(user.pk))
    return DeckPage([DeckLine.of(deck) for deck in rows], following)


@api.post("decks", scope="decks", creates="decks/{0.id}", refuses=SAVING)
def create_deck(user: User, body: NewDeck) -> DeckLine:
    """Save a deck

    Save a new deck of ten cards.
    """
    return DeckLine.of(services.create_deck(owner=user.pk, **given(body)))


@api.get("decks/<uuid:deck_id>")
def deck(user: User, deck_id: UUID) -> DeckLine:
    """Read a deck

    One of the caller's decks.
    """
    return DeckLine.of(services.get_deck(owner=user.pk, deck_id=deck_id))


@api.put("decks/<uuid:deck_id>", scope="decks", refuses=CHANGING)
def replace_deck(user: User, body: NewDeck, deck_id: UUID) -> DeckLine:
    """Replace a deck

    Replace the name and the cards of a deck; matches that have begun keep their copies.
    """
    return DeckLine.of(services.update_deck(owner=user.pk, deck_id=deck_id, **given(body)))


@api.patch("decks/<uuid:deck_id>", scope="decks", refuses=CHANGING)
def change_deck(user: User, body: DeckChanges, deck_id: UUID) -> DeckLine:
    """Change a deck

    Change the name, the cards or whether it is the default deck.
    """
    return DeckLine.of(services.update_deck(owner=user.pk, deck_id=deck_id, **given(body)))


@api.delete("decks/<uuid:deck_id>", scope="decks")
def delete_deck(user: User, deck_id: UUID) -> None:
    """Delete a deck

    Delete a deck. Matches that have begun keep their copies.
    """
    services.delete_deck(owner=user.pk, deck_id=deck_id)


@api.post("decks/import", scope="decks", creates="decks/{0.id}", refuses=SAVING)
def import_deck(user: User, body: DeckImport) -> DeckLine:
    """Import a deck

    Save a deck from a share code or from lines of card codes.
    """
    named: Any = {"owner": user.pk, "name": body.name, "unnamed": words(services.IMPORTED)}
    if isinstance(body.code, str):
        deck = services.from_code(code=body.code, **named)
    else:
        deck = services.from_text(text=cast("str", body.text), **named)
    return DeckLine.of(deck)


@api.post(
    "decks/<uuid:deck_id>/doctor",
    scope="decks",
    creates="{0.links[self]}",
    status=202,
    refuses=[NotFound, BadDeck, TooManyMeasurements],
)
def examine_deck(user: User, body: DoctorField, deck_id: UUID) -> DeckExamination:
    """Ask the deck doctor

    Which single swap gains most, what each card earns, how the deck stands in a field of others.

    Begins it, or answers with the examination that is there: the same cards, field and seed give
    the same figures.
    """
    deck = services.get_deck(owner=user.pk, deck_id=deck_id)
    row = services.request_examination(cards=deck.cards, requester=user, field=body)
    return _examination(deck, body, row)


@api.get("decks/<uuid:deck_id>/doctor", refuses=[NotExamined, BadDeck])
def examination(user: User, query: ExaminationQuery, deck_id: UUID) -> DeckExamination:
    """Read an examination of a deck

    How far the deck doctor is, and what was found when it is finished.
    """
    deck = services.get_deck(owner=user.pk, deck_id=deck_id)
    rivals = tuple(code for code in query.rivals.split(",") if code.strip())
    field = DoctorField(field=query.field, rivals=rivals, seed=query.seed)
    row = services.examination(cards=deck.cards, field=field)
    if row is None:
        raise NotExamined
    return _examination(deck, field, row)


def _examination(deck: Deck, field: DoctorField, row: Measurement) -> DeckExamination:
    here = f"decks/{deck.pk}/doctor?{field.query}"
    simulation = row.simulation
    assert simulation is not None  # noqa: S101
    return answer(
        DeckExamination,
        simulation,
        deck=deck.pk,
        field=field.field,
        rivals=field.codes,
        seed=field.seed,
        fault=simulation.fault or None,
        diagnosis=diagnosis_of(simulation),
        links={"self": f"{ROOT}{here}", "page": f"/{here}"},
    )

"""The deck calls: a body in, one service, a body out."""

from functools import partial
from typing import Any, Final, cast
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from cardroom.rules.pazaak.side_cards import CARD, CATALOGUES
from config.api.answers import created
from config.api.json import body_of, query_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from config.refusals import NotFound
from decks import selectors
from decks.api.schemas import (
    CatalogueQuery,
    DeckChanges,
    DeckImport,
    DeckLine,
    DeckPage,
    NewDeck,
    SideCardLine,
    named_fields,
)
from decks.refusals import BadDeck, DeckNameTaken, TooManyDecks
from decks.services import decks, imports
from games.language import words

operation = partial(extend_schema, tags=["decks"])
SAVED: Final[dict[Any, Any]] = {
    201: DeckLine,
    **refusals(BadDeck, DeckNameTaken, TooManyDecks),
}
CHANGED: Final[dict[Any, Any]] = {
    200: DeckLine,
    **refusals(NotFound, BadDeck, DeckNameTaken),
}
CATALOGUE: Final = OpenApiParameter(
    "catalogue", {"type": "string", "enum": list(CATALOGUES), "default": "full"}
)


class CardsView(APIView):
    read_scope = None
    permission_classes = (AllowAny,)

    @operation(
        operation_id="side_cards",
        summary="List the side cards of Pazaak",
        parameters=[CATALOGUE],
        responses={200: list[SideCardLine]},
    )
    def get(self, request: Request) -> Response:
        """The side cards of a catalogue, in its order, with their effects in words."""
        query = query_of(request, CatalogueQuery)
        return Response([SideCardLine.of(CARD[code]) for code in CATALOGUES[query.catalogue]])


class DecksView(APIView):
    write_scope = "decks"

    @operation(
        operation_id="decks",
        summary="List your decks",
        parameters=PAGE_PARAMETERS,
        responses={200: DeckPage},
    )
    def get(self, request: Request) -> Response:
        """The caller's decks, newest first."""
        rows, following = page(selectors.of(signed_in(request).pk), request)
        return Response(DeckPage([DeckLine.of(deck) for deck in rows], following))

    @operation(
        operation_id="create_deck",
        summary="Save a deck",
        request=NewDeck,
        responses=SAVED,
    )
    def post(self, request: Request) -> Response:
        """Save a new deck of ten cards."""
        body = body_of(request, NewDeck)
        deck = decks.create(owner=signed_in(request).pk, **named_fields(body))
        return created(DeckLine.of(deck), f"decks/{deck.pk}")


class DeckView(APIView):
    write_scope = "decks"

    @operation(
        operation_id="deck",
        summary="Read a deck",
        responses={200: DeckLine, **refusals(NotFound)},
    )
    def get(self, request: Request, deck_id: UUID) -> Response:
        """One of the caller's decks."""
        return Response(DeckLine.of(decks.get_deck(owner=signed_in(request).pk, deck_id=deck_id)))

    @operation(
        operation_id="replace_deck",
        summary="Replace a deck",
        request=NewDeck,
        responses=CHANGED,
    )
    def put(self, request: Request, deck_id: UUID) -> Response:
        """Replace the name and the cards of a deck; matches that have begun keep their copies."""
        return self._change(request, deck_id, named_fields(body_of(request, NewDeck)))

    @operation(
        operation_id="change_deck",
        summary="Change a deck",
        request=DeckChanges,
        responses=CHANGED,
    )
    def patch(self, request: Request, deck_id: UUID) -> Response:
        """Change the name, the cards or whether it is the default deck."""
        return self._change(request, deck_id, named_fields(body_of(request, DeckChanges)))

    @operation(
        operation_id="delete_deck",
        summary="Delete a deck",
        responses={204: None, **refusals(NotFound)},
    )
    def delete(self, request: Request, deck_id: UUID) -> Response:
        """Delete a deck. Matches that have begun keep their copies."""
        decks.delete(owner=signed_in(request).pk, deck_id=deck_id)
        return Response(status=204)

    def _change(self, request: Request, deck_id: UUID, changes: dict[str, Any]) -> Response:
        deck = decks.update(owner=signed_in(request).pk, deck_id=deck_id, **changes)
        return Response(DeckLine.of(deck))


class ImportView(APIView):
    write_scope = "decks"

    @operation(
        operation_id="import_deck",
        summary="Import a deck",
        request=DeckImport,
        responses=SAVED,
    )
    def post(self, request: Request) -> Response:
        """Save a deck from a share code or from lines of card codes."""
        body, owner = body_of(request, DeckImport), signed_in(request).pk
        named: dict[str, Any] = {
            "owner": owner,
            "name": body.name,
            "unnamed": words(imports.IMPORTED),
        }
        if isinstance(body.code, str):
            deck = imports.from_code(code=body.code, **named)
        else:
            deck = imports.from_text(text=cast("str", body.text), **named)
        return created(DeckLine.of(deck), f"decks/{deck.pk}")

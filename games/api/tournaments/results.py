"""The results of a tournament: players, boards and standings, also as a table for a spreadsheet."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import account_of
from config.api.schema import refusals
from games.api.schemas.tournaments import TournamentResults, results_response
from games.api.text.plain_text import PlainText
from games.competitions import selectors
from games.competitions.files.table import CONTENT_TYPE, table_of
from games.competitions.refusals import NoSuchTournament


class Results(APIView):
    read_scope = None
    permission_classes = (AllowAny,)
    plain_text = PlainText

    @extend_schema(
        operation_id="tournament_results",
        summary="Read the results of a tournament",
        tags=["tournaments"],
        responses={200: TournamentResults, **refusals(NoSuchTournament)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """Its players, the boards of every round with their matches, and the standings.

        Tie-breaks: Buchholz is the sum of the points of one's opponents, Sonneborn-Berger that of
        those whom one beat and half that of those with whom one drew, direct encounter the points
        among those who are level, if all of them have met. A bye or a walkover counts as met by
        oneself.
        """
        return Response(results_response(_sheet(request, tournament_id)))


class ResultsTable(APIView):
    read_scope = None
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament_table",
        summary="Download the standings of a tournament as CSV",
        tags=["tournaments"],
        responses={
            (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR),
            **refusals(NoSuchTournament),
        },
    )
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """A line for each player with every board, as a crosstable of rounds."""
        sheet = _sheet(request, tournament_id)
        return HttpResponse(table_of(sheet), content_type=CONTENT_TYPE)


def _sheet(request: Request, tournament_id: UUID) -> selectors.Sheet:
    reader = account_of(request)
    return selectors.whole_sheet_of(selectors.find(tournament_id, reader.pk if reader else None))

"""The analysis of a finished match over the API."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals
from games.absent import check_installed
from games.api.matches.access import visible
from games.api.schemas.coaching import AnalysisJson
from games.api.schemas.fields import Nothing
from games.coaching import selectors, services
from games.coaching.models import Analysis
from games.coaching.refusals import (
    NoSuchAnalysis,
    NothingToJudge,
    NotYourAnalysis,
    TooManyAnalyses,
)
from games.matches.refusals import GameNotInstalled, MatchNotOver, ParentStillRunning


class MatchAnalysis(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)  # who may see the match may read it

    @extend_schema(
        operation_id="analysis",
        summary="Read the analysis of a match",
        tags=["records"],
        responses={
            200: AnalysisJson,
            **refusals(MatchNotOver, ParentStillRunning, NoSuchAnalysis),
        },
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """How far it is, and the verdicts when it is finished.

        Then the stream of the account that asked for it says `analysed`.
        """
        match = visible(match_id, request)
        services.check_may_read(match, request.user.pk)
        row = selectors.find(match_id)
        if row is None:
            raise NoSuchAnalysis
        return Response(analysis_json(row))

    @extend_schema(
        operation_id="analyse",
        summary="Ask for the analysis of a match",
        tags=["records"],
        request=Nothing,
        responses={
            202: AnalysisJson,
            **refusals(
                MatchNotOver, ParentStillRunning, NothingToJudge, TooManyAnalyses, GameNotInstalled
            ),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Begins it, or answers with the one that is there."""
        body_of(request, Nothing)
        match, user = visible(match_id, request), signed_in(request)
        check_installed(match.rules)
        return Response(analysis_json(services.analyse(match=match, user=user)), status=202)

    @extend_schema(
        operation_id="stop_analysis",
        summary="Stop an analysis",
        tags=["records"],
        responses={204: None, **refusals(NotYourAnalysis)},
    )
    def delete(self, request: Request, match_id: UUID) -> Response:
        """Throws a running analysis away that the caller asked for."""
        services.stop(match=visible(match_id, request), user=signed_in(request))
        return Response(status=204)


def analysis_json(row: Analysis) -> AnalysisJson:
    here = f"/matches/{row.match_id}/analysis"
    is_finished = row.status == Analysis.Status.FINISHED
    return AnalysisJson(
        match=row.match_id,
        status=row.status,  # type: ignore[arg-type]
        reached=row.reached,
        decisions=row.decisions,
        seats=selectors.summary_of(row),
        verdicts=selectors.verdicts_of(row) if is_finished else [],
        created_at=row.created_at,
        finished_at=row.finished_at,
        links={"self": f"/api/v1{here}", "page": here},
    )

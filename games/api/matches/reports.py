"""A player reports somebody at the table, or the match itself, to the operators."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals
from config.refusals import NotAllowed, NotFound
from games.api.schemas.match_requests import NewReport
from games.operations.watching import reports


class MatchReports(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="report",
        summary="Report a player or a match",
        tags=["playing"],
        request=NewReport,
        responses={
            204: None,
            **refusals(NotFound, NotAllowed, reports.BadReport, reports.AlreadyReported),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """An operator reads it, with what was said at the table in the minute before.

        The person who is reported does not learn of it. Each seat can be reported again when an
        operator has resolved the first report.
        """
        body = body_of(request, NewReport)
        reports.report(
            match_id=match_id,
            user=signed_in(request),
            seat=body.seat,
            reason=body.reason,
            text=body.text,
        )
        return Response(status=204)

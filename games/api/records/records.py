"""Records over the API: a finished match's, and the judgement on anybody's."""

from functools import partial
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.rules import record as rules_record
from config.api.json import MsgspecParser
from config.api.refusals import Unavailable
from config.api.schema import refusals
from config.api.throttles import RecordChecks, Requests
from games.api.matches.access import visible
from games.api.parameters import response_header
from games.api.schemas.records import VerificationResult
from games.matches.records import record_checks, records
from games.matches.refusals import DealIsSealed, GameNotInstalled, MatchNotOver, ParentStillRunning


class MatchRecord(APIView):
    permission_classes = (AllowAny,)  # `visible` judges who may see the match

    @extend_schema(
        operation_id="record",
        summary="Get the record of a match",
        tags=["records"],
        parameters=[response_header("Content-Disposition", "Names the file.", 200)],
        responses={
            200: rules_record.Record,
            **refusals(MatchNotOver, DealIsSealed, ParentStillRunning, GameNotInstalled),
        },
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The record of a match that is over, in the format ``cardroom-record/1``."""
        record = records.of(visible(match_id, request), request.user.pk)
        name = rules_record.file_name(record)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(rules_record.write(record), headers=headers)


class RecordParser(MsgspecParser):
    """A match of thousands of tricks has a record of this size."""

    limit = 2 * 1024 * 1024


class RecordVerify(APIView):
    write_scope = None
    permission_classes = (AllowAny,)  # it checks anybody's record, within the limits of an address
    parser_classes = (RecordParser,)
    throttle_classes = (Requests, RecordChecks)

    @extend_schema(
        operation_id="verify_record",
        summary="Check a record",
        tags=["records"],
        request=rules_record.Record,
        responses={200: VerificationResult},
    )
    def post(self, request: Request) -> Response:
        """Checks commitment, shuffles, every move and every score of a record up to 2 MiB.

        A worker checks a large one; when none is free in time the answer is 503. An address may
        have so much checked a minute as takes ten seconds; then the answer is 429.
        """
        try:
            fault = record_checks.judge(request.data, partial(RecordChecks.used, request))
        except record_checks.NoVerdict:
            raise Unavailable("No worker was free to check the record. Try again soon.") from None
        if fault is None:
            return Response(VerificationResult(valid=True))
        return Response(VerificationResult(False, fault.round, fault.move, fault.fault))

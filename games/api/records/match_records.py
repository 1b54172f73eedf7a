"""``GET exports/matches``: the records of many matches as lines of JSON."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import query_of
from games.api.parameters import query_parameters
from games.matches.records import export
from games.rules import record as rules_record

LINES: Final = "application/x-ndjson"
MOST: Final = 1000


class ExportQuery(msgspec.Struct, frozen=True):
    """``after``: go on after the match of the last record that was read.

    ``since`` may also be the seconds since 1970.
    """

    mine: bool = False
    game: str = ""
    since: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    after: UUID | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = MOST


class MatchExport(APIView):
    @extend_schema(
        operation_id="export_matches",
        summary="Export the records of matches",
        tags=["records"],
        parameters=query_parameters(ExportQuery),
        responses={(200, LINES): OpenApiResponse(rules_record.Record, "A record a line.")},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The records of matches that are over, public ones and yours, the oldest first.

        Lines are made as fast as you read them. A match whose record you may not read yet is left
        out, as long as another match with its cards runs.
        """
        asked, user = query_of(request, ExportQuery), signed_in(request).pk
        found = export.find_finished(
            user=user,
            mine=asked.mine,
            game=asked.game,
            since=asked.since,
            after=asked.after,
            limit=asked.limit,
        )
        return StreamingHttpResponse(export.record_lines(found, reader=user), content_type=LINES)

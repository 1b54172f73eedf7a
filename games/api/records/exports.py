"""An account's matches as records: a file that workers write, or lines that are streamed at once.

Both are the same lines of the same matches in the same order.
"""

from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.answers import ROOT, accepted
from config.api.json import body_of, query_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from games.api.parameters import query_parameters
from games.api.records.files import FILE, file_answer, lines_answer
from games.exports import selectors, services
from games.exports.models import RecordFile
from games.exports.refusals import ExportNotFinished, NoSuchExport, TooManyExports
from games.matches.records.export import find_over, record_lines
from games.matches.refusals import UnknownGame

MOST: Final = 1000


class NewExport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of your matches: of a game, and those that were over at a time or later."""

    game: Annotated[str, msgspec.Meta(max_length=32)] = ""
    since: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class ExportJson(msgspec.Struct, frozen=True):
    """``records`` and ``size`` (bytes) grow while it is written.

    ``sha256`` (hex, of the file as it is read) and ``expires_at`` are null until it is finished;
    then ``links`` names the file.
    """

    id: UUID
    status: Literal["writing", "finished"]
    game: str | None
    since: datetime | None
    records: int
    size: int
    sha256: str | None
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    links: dict[str, str]


class ExportList(msgspec.Struct, frozen=True):
    results: list[ExportJson]
    next: str | None


class ExportQuery(msgspec.Struct, frozen=True):
    """``after``: go on after the match of the last record that was read.

    ``since`` may also be the seconds since 1970.
    """

    mine: bool = False
    game: str = ""
    since: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    after: UUID | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = MOST


class Exports(APIView):
    write_scope = "read"  # it shows what the account may see

    @extend_schema(
        operation_id="exports",
        summary="List your exports",
        tags=["records"],
        parameters=PAGE_PARAMETERS,
        responses={200: ExportList},
    )
    def get(self, request: Request) -> Response:
        """Your exports that have not expired, newest first."""
        rows, following = page(selectors.exports_of(signed_in(request).pk), request)
        return Response(ExportList([export_json(row) for row in rows], following))

    @extend_schema(
        operation_id="create_export",
        summary="Export your matches into a file",
        tags=["records"],
        request=NewExport,
        responses={202: ExportJson, **refusals(TooManyExports, UnknownGame)},
    )
    def post(self, request: Request) -> Response:
        """A worker writes the records of all your matches that are over by now into a file.

        Ask for the export (``Location``) until it is finished, then fetch its file. Public matches
        of everybody are in the archive.
        """
        wanted = body_of(request, NewExport)
        owner = signed_in(request)
        file = services.start_export(owner=owner, game=wanted.game, since=wanted.since)
        return accepted(export_json(file), f"exports/{file.id}")


class ExportDetail(APIView):
    write_scope = "read"

    @extend_schema(
        operation_id="export",
        summary="Read an export",
        tags=["records"],
        responses={200: ExportJson, **refusals(NoSuchExport)},
    )
    def get(self, request: Request, export_id: UUID) -> Response:
        """How far it is, and where its file is once it is finished."""
        return Response(export_json(selectors.export(signed_in(request).pk, export_id)))

    @extend_schema(
        operation_id="delete_export",
        summary="Delete an export",
        tags=["records"],
        responses={204: None, **refusals(NoSuchExport)},
    )
    def delete(self, request: Request, export_id: UUID) -> Response:
        """Deletes the file, or stops writing it."""
        services.delete_export(owner=signed_in(request), export_id=export_id)
        return Response(status=204)


class ExportFile(APIView):
    @extend_schema(
        operation_id="export_file",
        summary="Get the file of an export",
        tags=["records"],
        responses={**FILE, **refusals(ExportNotFinished, NoSuchExport)},
    )
    def get(self, request: Request, export_id: UUID) -> HttpResponseBase:
        """The records, the oldest match first; packed for who accepts gzip."""
        file = selectors.finished_export(signed_in(request).pk, export_id)
        return file_answer(request, file, f"cardroom-{file.id}.jsonl", "private, no-cache")


class MatchExport(APIView):
    @extend_schema(
        operation_id="export_matches",
        summary="Export the records of matches",
        tags=["records"],
        parameters=query_parameters(ExportQuery),
        responses=FILE,
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The records of matches that are over, public ones and yours, the oldest first.

        Lines are made as fast as you read them. A match whose record you may not read yet is left
        out, as long as another match with its cards runs.
        """
        query, user = query_of(request, ExportQuery), signed_in(request).pk
        matches = find_over(
            user=user, mine=query.mine, game=query.game, since=query.since, after=query.after
        )
        ids = list(matches.values_list("id", flat=True)[: query.limit])
        return lines_answer(record_lines(ids, reader=user))


def export_json(file: RecordFile) -> ExportJson:
    here = f"{ROOT}exports/{file.id}"
    return ExportJson(
        id=file.id,
        status="finished" if file.is_finished else "writing",
        game=file.game or None,
        since=file.since,
        records=file.records,
        size=file.size,
        sha256=file.sha256 or None,
        created_at=file.created_at,
        finished_at=file.finished_at,
        expires_at=file.expires_at,
        links={"self": here, **({"file": f"{here}/file"} if file.is_finished else {})},
    )

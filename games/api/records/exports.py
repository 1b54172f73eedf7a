"""Files of records that workers write: an account's exports, and the public archive."""

from datetime import date, datetime
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.answers import ROOT, accepted
from config.api.json import body_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from games.api.matches.answers import is_known
from games.exports import selectors, services
from games.exports.models import RecordFile
from games.exports.refusals import (
    ExportNotFinished,
    NoSuchArchive,
    NoSuchExport,
    TooManyExports,
)
from games.matches.refusals import UnknownGame
from games.rules import record as rules_record

LINES: Final = "application/x-ndjson"
FILE: Final = {(200, LINES): OpenApiResponse(rules_record.Record, "A record a line.")}
DAY: Final = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)


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


class ArchiveJson(msgspec.Struct, frozen=True):
    """``size`` is in bytes, ``sha256`` in hex; both are those of the file as it is read."""

    day: date
    records: int
    size: int
    sha256: str
    finished_at: datetime
    links: dict[str, str]


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
        asked = body_of(request, NewExport)
        found = services.start_export(owner=signed_in(request), game=asked.game, since=asked.since)
        return accepted(export_json(found), f"exports/{found.id}")


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
        found = selectors.finished_export(signed_in(request).pk, export_id)
        return file_answer(request, found, f"cardroom-{found.id}.jsonl", "private, no-cache")


class Archives(APIView):
    read_scope = None
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="archives",
        summary="List the public archives",
        tags=["records"],
        responses={200: list[ArchiveJson]},
    )
    def get(self, _request: Request) -> Response:
        """Every night all public matches that were played to their end are published as records.

        Each archive holds all of them; the last ones are kept. Matches of people who do not want
        this (``in_archive`` of the account) are left out of the next one.
        """
        return Response([archive_json(found) for found in selectors.archives()])


class ArchiveFile(APIView):
    read_scope = None
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="archive_file",
        summary="Get a public archive",
        tags=["records"],
        parameters=[DAY],
        responses={**FILE, **refusals(NoSuchArchive)},
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """The records, the oldest match first; packed for who accepts gzip."""
        found = selectors.archive(_date(day))
        return file_answer(request, found, _archive_name(found), "public, no-cache")


class ArchiveChecksum(APIView):
    read_scope = None
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="archive_checksum",
        summary="Get the checksum of a public archive",
        tags=["records"],
        parameters=[DAY],
        responses={(200, "text/plain"): str, **refusals(NoSuchArchive)},
    )
    def get(self, _request: Request, day: str) -> HttpResponse:
        """A line for ``sha256sum --check``."""
        found = selectors.archive(_date(day))
        line = f"{found.sha256}  {_archive_name(found)}\n"
        return HttpResponse(line, content_type="text/plain; charset=utf-8")


def file_answer(request: Request, file: RecordFile, name: str, cached: str) -> HttpResponseBase:
    tag = f'"{file.sha256}"'
    headers = {"ETag": tag, "Cache-Control": cached, "Vary": "Accept-Encoding"}
    if is_known(tag, request.headers.get("If-None-Match", "")):
        return HttpResponse(status=304, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        parts = selectors.packed_parts(file)
        headers["Content-Encoding"] = "gzip"
    else:
        parts = selectors.plain_parts(file)
        headers["Content-Length"] = str(file.size)
    return StreamingHttpResponse(parts, content_type=LINES, headers=headers)


def export_json(found: RecordFile) -> ExportJson:
    here = f"{ROOT}exports/{found.id}"
    return ExportJson(
        id=found.id,
        status="finished" if found.is_finished else "writing",
        game=found.game or None,
        since=found.since,
        records=found.records,
        size=found.size,
        sha256=found.sha256 or None,
        created_at=found.created_at,
        finished_at=found.finished_at,
        expires_at=found.expires_at,
        links={"self": here, **({"file": f"{here}/file"} if found.is_finished else {})},
    )


def archive_json(found: RecordFile) -> ArchiveJson:
    file = f"{ROOT}archives/{found.day}.jsonl"
    return ArchiveJson(
        day=found.day or date.min,
        records=found.records,
        size=found.size,
        sha256=found.sha256,
        finished_at=found.finished_at or found.created_at,
        links={"file": file, "checksum": f"{file}.sha256"},
    )


def _archive_name(found: RecordFile) -> str:
    return f"cardroom-{found.day}.jsonl"


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchArchive from None

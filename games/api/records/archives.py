"""The public archives: every night a file of all public matches that were played to their end."""

from datetime import date, datetime
from typing import Final

import msgspec
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.answers import ROOT
from config.api.schema import refusals
from games.api.records.files import FILE, file_answer
from games.exports import selectors
from games.exports.models import RecordFile
from games.exports.refusals import NoSuchArchive

DAY: Final = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)


class ArchiveJson(msgspec.Struct, frozen=True):
    """``size`` is in bytes, ``sha256`` in hex; both are those of the file as it is read."""

    day: date
    records: int
    size: int
    sha256: str
    finished_at: datetime
    links: dict[str, str]


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
        return Response([archive_json(file) for file in selectors.archives()])


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
        file = selectors.archive(_date(day))
        return file_answer(request, file, _archive_name(file), "public, no-cache")


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
        file = selectors.archive(_date(day))
        line = f"{file.sha256}  {_archive_name(file)}\n"
        return HttpResponse(line, content_type="text/plain; charset=utf-8")


def archive_json(file: RecordFile) -> ArchiveJson:
    here = f"{ROOT}archives/{file.day}.jsonl"
    return ArchiveJson(
        day=file.day or date.min,
        records=file.records,
        size=file.size,
        sha256=file.sha256,
        finished_at=file.finished_at or file.created_at,
        links={"file": here, "checksum": f"{here}.sha256"},
    )


def _archive_name(file: RecordFile) -> str:
    return f"cardroom-{file.day}.jsonl"


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchArchive from None

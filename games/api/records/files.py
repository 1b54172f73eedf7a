"""Answers that are files of records: a record a line."""

from collections.abc import Iterator
from typing import Final

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request

from cardroom.rules.record import Record
from games.api.matches.answers import is_known
from games.exports import selectors
from games.exports.models import RecordFile

LINES: Final = "application/x-ndjson"
FILE: Final = {(200, LINES): OpenApiResponse(Record, "A record a line.")}


def lines_answer(
    lines: Iterator[bytes], headers: dict[str, str] | None = None
) -> StreamingHttpResponse:
    """Sent as fast as the caller reads it."""
    return StreamingHttpResponse(lines, content_type=LINES, headers=headers)


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
    return lines_answer(parts, headers)

"""Records: of one match, checked, in files of many, in the nightly archive."""

from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from cardroom.rules import record as rules_record
from cardroom.rules.record import Record
from config.api.errors import Unavailable
from config.api.json import ROOT, MsgspecParser, Pages, shaped
from config.api.operations import Api, answer, response_header
from config.api.throttles import RecordChecks
from games.api.authentication import visible
from games.api.match_answers import is_known
from games.exports import exporting
from games.exports.models import RecordFile
from games.matches import records as record_checks
from games.matches import refusals as matches_refusals
from games.matches.records import find_over, record_lines

api = Api("records")


class VerificationResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """``round`` and ``move`` say where the fault lies: round number, index of the move in it."""

    valid: bool
    round: int | msgspec.UnsetType | None = msgspec.UNSET
    move: int | msgspec.UnsetType | None = msgspec.UNSET
    fault: str | msgspec.UnsetType = msgspec.UNSET


LINES: Final = "application/x-ndjson"
RecordsFile = Annotated[
    HttpResponseBase, {(200, LINES): OpenApiResponse(Record, "A record a line.")}
]


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
        parts = exporting.packed_parts(file)
        headers["Content-Encoding"] = "gzip"
    else:
        parts = exporting.plain_parts(file)
        headers["Content-Length"] = str(file.size)
    return lines_answer(parts, headers)


@api.get(
    "matches/<uuid:match_id>/record",
    refuses=[
        *(matches_refusals.MatchNotOver, matches_refusals.DealIsSealed),
        *(matches_refusals.ParentStillRunning, matches_refusals.GameNotInstalled),
    ],
    parameters=[response_header("Content-Disposition", "Names the file.", 200)],
)
def record(reader: UUID | None, match_id: UUID) -> Annotated[Response, Record]:
    """Get the record of a match

    The record of a match that is over, in the format ``cardroom-record/1``.
    """
    match_record = record_checks.of(visible(match_id, reader), reader)
    headers = {
        "Content-Disposition": f'attachment; filename="{rules_record.file_name(match_record)}"'
    }
    return Response(rules_record.write(match_record), headers=headers)


class RecordParser(MsgspecParser):
    """A match of thousands of tricks has a record of this size."""

    limit = 2 * 1024 * 1024


AN_UPLOAD: Final = {
    "application/json": {
        "type": "object",
        "description": "A `Record`. Of any other object the answer says that it is none.",
        "anyOf": [{"$ref": "#/components/schemas/Record"}, {"type": "object"}],
    }
}


# It checks anybody's record, within the limits of an address.
@api.post("records/verify", scope=None, parser_classes=(RecordParser,), limits=(RecordChecks,))
def verify_record(request: Request, body: Annotated[Any, AN_UPLOAD]) -> VerificationResult:
    """Check a record

    Checks commitment, shuffles, every move and every score of a record up to 2 MiB.

    A worker checks a large one; when none is free in time the answer is 503. An address may
    have so much checked a minute as takes ten seconds; then the answer is 429.
    """
    try:
        record = shaped(body, dict[str, Any])
        fault = record_checks.check_uploaded(record, partial(RecordChecks.used, request))
    except record_checks.NoVerdict:
        raise Unavailable("No worker was free to check the record. Try again soon.") from None
    if fault is None:
        return VerificationResult(valid=True)
    return VerificationResult(False, fault.round, fault.move, fault.fault)


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


@api.get("exports", a_second_old=True)
def exports(user: User, page: Pages) -> ExportList:
    """List your exports

    Your exports that have not expired, newest first.
    """
    rows, following = page(exporting.exports_of(user.pk))
    return ExportList([export_json(row) for row in rows], following)


@api.post(
    "exports",
    scope="read",  # it shows what the account may see
    creates="exports/{0.id}",
    status=202,
    refuses=[exporting.TooManyExports, matches_refusals.UnknownGame],
)
def create_export(user: User, body: NewExport) -> ExportJson:
    """Export your matches into a file

    A worker writes the records of all your matches that are over by now into a file.

    Ask for the export (``Location``) until it is finished, then fetch its file. Public matches
    of everybody are in the archive.
    """
    return export_json(exporting.start_export(owner=user, **asdict(body)))


@api.get("exports/<uuid:export_id>", refuses=[exporting.NoSuchExport])
def export(user: User, export_id: UUID) -> ExportJson:
    """Read an export

    How far it is, and where its file is once it is finished.
    """
    return export_json(exporting.export(user.pk, export_id))


@api.delete("exports/<uuid:export_id>", scope="read", refuses=[exporting.NoSuchExport])
def delete_export(user: User, export_id: UUID) -> None:
    """Delete an export

    Deletes the file, or stops writing it.
    """
    exporting.delete_export(owner=user, export_id=export_id)


@api.get(
    "exports/<uuid:export_id>/file",
    refuses=[exporting.ExportNotFinished, exporting.NoSuchExport],
)
def export_file(request: Request, user: User, export_id: UUID) -> RecordsFile:
    """Get the file of an export

    The records, the oldest match first; packed for who accepts gzip.
    """
    file = exporting.finished_export(user.pk, export_id)
    return file_answer(request, file, f"cardroom-{file.id}.jsonl", "private, no-cache")


@api.get("exports/matches")
def export_matches(user: User, query: ExportQuery) -> RecordsFile:
    """Export the records of matches

    The records of matches that are over, public ones and yours, the oldest first.

    Lines are made as fast as you read them. A match whose record you may not read yet is left
    out, as long as another match with its cards runs.
    """
    matches = find_over(
        user=user.pk, mine=query.mine, game=query.game, since=query.since, after=query.after
    )
    ids = list(matches.values_list("id", flat=True)[: query.limit])
    return lines_answer(record_lines(ids, reader=user.pk))


def export_json(file: RecordFile) -> ExportJson:
    here = f"{ROOT}exports/{file.id}"
    return answer(
        ExportJson,
        file,
        status="finished" if file.is_finished else "writing",
        game=file.game or None,
        sha256=file.sha256 or None,
        links={"self": here, **({"file": f"{here}/file"} if file.is_finished else {})},
    )


DAY: Final = OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)


class ArchiveJson(msgspec.Struct, frozen=True):
    """``size`` is in bytes, ``sha256`` in hex; both are those of the file as it is read."""

    day: date
    records: int
    size: int
    sha256: str
    finished_at: datetime
    links: dict[str, str]


@api.get("archives", scope=None, a_second_old=True)
def archives() -> list[ArchiveJson]:
    """List the public archives

    Every night all public matches that were played to their end are published as records.

    Each archive holds all of them; the last ones are kept. Matches of people who do not want
    this (``in_archive`` of the account) are left out of the next one.
    """
    return [archive_json(file) for file in exporting.archives()]


@api.get(
    "archives/<str:day>.jsonl",
    scope=None,
    refuses=[exporting.NoSuchArchive],
    parameters=[DAY],
)
def archive_file(request: Request, day: str) -> RecordsFile:
    """Get a public archive

    The records, the oldest match first; packed for who accepts gzip.
    """
    file = exporting.archive(_date(day))
    return file_answer(request, file, _archive_name(file), "public, no-cache")


@api.get(
    "archives/<str:day>.jsonl.sha256",
    scope=None,
    refuses=[exporting.NoSuchArchive],
    parameters=[DAY],
)
def archive_checksum(day: str) -> Annotated[HttpResponse, {(200, "text/plain"): str}]:
    """Get the checksum of a public archive

    A line for ``sha256sum --check``.
    """
    file = exporting.archive(_date(day))
    line = f"{file.sha256}  {_archive_name(file)}\n"
    return HttpResponse(line, content_type="text/plain; charset=utf-8")


def archive_json(file: RecordFile) -> ArchiveJson:
    here = f"{ROOT}archives/{file.day}.jsonl"
    links = {"file": here, "checksum": f"{here}.sha256"}
    return answer(ArchiveJson, file, links=links)


def _archive_name(file: RecordFile) -> str:
    return f"cardroom-{file.day}.jsonl"


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise exporting.NoSuchArchive from None

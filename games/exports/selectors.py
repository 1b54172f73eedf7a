"""Reads of record files: which matches belong into one, whose they are, and their content."""

import gzip
from collections.abc import Iterator
from datetime import date
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.exports.models import RecordFile, RecordFilePart
from games.exports.refusals import ExportNotFinished, NoSuchArchive, NoSuchExport
from games.matches.models import Match, Seat
from games.matches.records.export import find_over, in_order, over


def matches_of(file: RecordFile) -> QuerySet[Match]:
    """The matches that are still to be written, in their order.

    An archive has the public matches that were played to their end, without those of people who do
    not want that (``User.in_archive``).
    """
    if file.owner_id is not None:
        matches = find_over(
            user=file.owner_id, mine=True, game=file.game, since=file.since, after=file.after
        )
    else:
        hidden = Seat.objects.filter(match=OuterRef("pk"), user__in_archive=False)
        public = Match.objects.filter(status="finished", visibility=Match.Visibility.PUBLIC)
        matches = in_order(over(public).filter(~Exists(hidden)), file.after)
    return matches.filter(finished_at__lte=file.created_at)


def exports_of(*owners: UUID | None) -> QuerySet[RecordFile]:
    """The exports of these accounts that have not expired, the newest first."""
    alive = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return RecordFile.objects.filter(alive, owner__in=[one for one in owners if one]).order_by(
        "-id"
    )


def export(owner: UUID | None, export_id: UUID) -> RecordFile:
    file = exports_of(owner).filter(id=export_id).first()
    if file is None:
        raise NoSuchExport
    return file


def finished_export(owner: UUID | None, export_id: UUID) -> RecordFile:
    file = export(owner, export_id)
    if not file.is_finished:
        raise ExportNotFinished
    return file


def archives() -> QuerySet[RecordFile]:
    """The public archives that are finished, the newest first."""
    return RecordFile.objects.filter(owner=None, finished_at__isnull=False).order_by("-day")


def archive(day: date) -> RecordFile:
    file = archives().filter(day=day).first()
    if file is None:
        raise NoSuchArchive
    return file


def packed_parts(file: RecordFile) -> Iterator[bytes]:
    """The parts of the packed file; one is read when the one before was taken."""
    number, parts = -1, RecordFilePart.objects.filter(file=file).order_by("number")
    while part := parts.filter(number__gt=number).first():
        number = part.number
        if not connection.in_atomic_block:
            connection.close()  # a slow reader keeps none, and the next part may use another thread
        yield bytes(part.packed)


def plain_parts(file: RecordFile) -> Iterator[bytes]:
    return map(gzip.decompress, packed_parts(file))

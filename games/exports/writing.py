"""Writing files of records in parts, and deleting those that nobody may fetch any more.

The row says how far a file is. Two workers at the same file write the same part, and only the first
is kept; a file whose worker was lost goes on with the next look (``look_after``).
"""

import gzip
import hashlib
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.exports import selectors
from games.exports.announcements import announce_file
from games.exports.models import RecordFile, RecordFilePart
from games.matches.records.export import record_lines

SECONDS_A_TASK: Final = 5.0
SECONDS_A_PART: Final = 1.0
BYTES_A_PART: Final = 2**20
MATCHES_AT_ONCE: Final = 500
QUIET: Final = timedelta(seconds=60)  # then its task counts as lost
ARCHIVES_KEPT: Final = 3
ARCHIVE_HOUR: Final = 3  # of the day, UTC


def write(file_id: UUID) -> None:
    """Writes parts for some seconds; then sends another task."""
    until = monotonic() + SECONDS_A_TASK
    while monotonic() < until:
        if not _write_part(file_id):
            return
    announce_file(file_id)


def look_after() -> None:
    """Begins today's archive, resumes lost files, deletes expired ones. Called every minute."""
    now = timezone.now()
    RecordFile.objects.filter(expires_at__lte=now).delete()
    if settings.PUBLIC_ARCHIVE and now.hour >= ARCHIVE_HOUR:
        RecordFile.objects.bulk_create(
            [RecordFile(day=now.date(), created_at=now, worked_at=now - 2 * QUIET)],
            ignore_conflicts=True,  # it is there already
        )
    waiting = RecordFile.objects.filter(finished_at=None, worked_at__lt=now - QUIET)
    for file_id in waiting.values_list("id", flat=True)[:20]:
        announce_file(file_id)


def _write_part(file_id: UUID) -> bool:
    """Writes one part; whether there may be more to write."""
    file = RecordFile.objects.filter(id=file_id, finished_at=None).first()
    if file is None:
        return False
    until, lines, last = monotonic() + SECONDS_A_PART, list[bytes](), None
    matches = selectors.matches_of(file).values_list("id", flat=True)[:MATCHES_AT_ONCE]
    for last in list(matches):
        lines += record_lines([last], reader=file.owner_id)
        if monotonic() > until or sum(map(len, lines)) > BYTES_A_PART:
            break
    if last is None:
        _finish(file)
        return False
    return _append(file, last, lines)


def _append(file: RecordFile, last: UUID, lines: list[bytes]) -> bool:
    """Nothing is written if another worker was quicker, or the file was deleted."""
    content = b"".join(lines)
    with transaction.atomic():
        seen = RecordFile.objects.filter(id=file.id, after=file.after, finished_at=None)
        changed = seen.update(
            after=last,
            records=F("records") + len(lines),
            size=F("size") + len(content),
            worked_at=timezone.now(),
        )
        if changed and lines:
            packed = gzip.compress(content, mtime=0)
            RecordFilePart.objects.create(file=file, number=file.records, packed=packed)
    return bool(changed)


def _finish(file: RecordFile) -> None:
    digest, now = hashlib.sha256(), timezone.now()
    for part in selectors.plain_parts(file):
        digest.update(part)
    lasts = timedelta(hours=settings.EXPORT_HOURS)
    RecordFile.objects.filter(id=file.id, after=file.after, finished_at=None).update(
        sha256=digest.hexdigest(),
        finished_at=now,
        worked_at=now,
        expires_at=None if file.owner_id is None else now + lasts,
    )
    kept = selectors.archives().values_list("id", flat=True)[:ARCHIVES_KEPT]
    selectors.archives().exclude(id__in=list(kept)).delete()

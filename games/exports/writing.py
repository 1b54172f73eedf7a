"""Writing files of records in parts, and deleting those that nobody may fetch any more.

The row says how far a file is. Two workers at the same file write the same part, and only the first
is kept. A record that cannot be written is tried three times, then left out and named to operators.
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

from config.models import Trouble
from config.tasks import rows
from config.tasks.duties import Duty
from games.exports import selectors
from games.exports.models import RecordFile, RecordFilePart
from games.matches.records.export import record_lines

NAME: Final = "exports"
SECONDS_A_PART: Final = 1.0
BYTES_A_PART: Final = 2**20
MATCHES_AT_ONCE: Final = 500
ARCHIVES_KEPT: Final = 3
ARCHIVE_HOUR: Final = 3  # of the day, UTC


def write_all() -> None:
    """A part of each file, the one first that has waited longest."""
    waiting = RecordFile.objects.filter(finished_at=None).order_by("worked_at")
    if any(rows.each(NAME, list(waiting.values_list("id", flat=True)[:20]), _write_part)):
        rows.more()


def write(file_id: UUID) -> None:
    """Writes a whole file."""
    while _write_part(file_id):
        pass


def look_after() -> None:
    """Begins today's archive, deletes expired files. Called every minute."""
    now = timezone.now()
    RecordFile.objects.filter(expires_at__lte=now).delete()
    if settings.PUBLIC_ARCHIVE and now.hour >= ARCHIVE_HOUR:
        RecordFile.objects.bulk_create(
            [RecordFile(day=now.date(), created_at=now, worked_at=now)],
            ignore_conflicts=True,  # it is there already
        )


def _write_part(file_id: UUID) -> bool:
    """Writes one part; whether there may be more to write."""
    file = RecordFile.objects.filter(id=file_id, finished_at=None).first()
    if file is None:
        return False
    until, lines, last = rows.until(SECONDS_A_PART), list[bytes](), None
    troubles = rows.troubles(NAME)
    matches = selectors.matches_of(file).values_list("id", flat=True)[:MATCHES_AT_ONCE]
    for match_id in list(matches):
        some = _lines(match_id, file, troubles.get(f"match {match_id}"))
        if some is None:
            break
        lines += some
        last = match_id
        if monotonic() > until or sum(map(len, lines)) > BYTES_A_PART:
            break
    else:
        if last is None:
            _finish(file)
    if last is None:
        return False
    return _append(file, last, lines)


def _lines(match_id: UUID, file: RecordFile, before: Trouble | None) -> list[bytes] | None:
    """None where it fails and is tried again after a pause; its file waits for it."""
    name = f"match {match_id}"
    if before is not None and not before.is_set_aside and before.next_at > timezone.now():
        return None
    done, lines = rows.attempt(
        NAME,
        name,
        lambda: list(record_lines([match_id], reader=file.owner_id)),
        known={name: before} if before else {},
        gives_up=True,
    )
    if done:
        return list(lines)
    return [] if rows.troubles(NAME)[name].is_set_aside else None


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


EXPORTS: Final = Duty(
    name=NAME,
    kind="long",
    piece=write_all,
    due="""
SELECT NULL::timestamptz, id::text FROM exports_recordfile WHERE finished_at IS NULL""",
)
LOOKED_AFTER: Final = Duty(name="old exports", kind="long", piece=look_after, every=60)

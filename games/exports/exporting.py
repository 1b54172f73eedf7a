"""Exports: asking for one, writing it, reading it."""

import gzip
import hashlib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.locking import counted_with, locked_accounts
from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.text import say
from config.models import Trouble
from config.refusals import NotFound, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from games.exports.models import RecordFile, RecordFilePart
from games.matches.models import Match, Seat
from games.matches.records import find_over, in_order, over, record_lines
from games.matches.refusals import UnknownGame
from games.matches.selectors.lists import Sought, newest_of

# Why an export was refused.


class NoSuchExport(NotFound):
    """There is no such export, or it is not yours."""


class NoSuchArchive(NotFound):
    """There is no archive of this day. GET /api/v1/archives lists those that are kept."""


class ExportNotFinished(Refusal, status=409):
    """The file is still being written. Ask for the export until it is finished."""


class TooManyExports(Refusal, status=409, members={"limit": int}):
    """You have as many exports as one account may have. Delete one, or wait until one expires."""


# Reads of record files: which matches belong into one, whose they are, and their content.


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


def start_export(*, owner: User, game: str = "", since: datetime | None = None) -> RecordFile:
    """Starts a file of the owner's matches that are over by now.

    Raises UnknownGame, TooManyExports.
    """
    if game and game not in catalog.slugs() and not _has_matches_of(owner, game):
        raise UnknownGame(say("There is no game {slug}.", slug=repr(game)))
    with locked_accounts(owner.pk):
        owners = counted_with(owner.pk)
        most = owners.most(settings.LIMITS["exports"])
        if exports_of(*owners.ids).count() >= most:
            raise TooManyExports(limit=most)
        file = RecordFile.objects.create(
            owner=owner, game=game, since=since, created_at=timezone.now()
        )
        after_commit.when_committed(lambda: duties.announce("exports"))
    file.refresh_from_db()
    return file


def _has_matches_of(owner: User, game: str) -> bool:
    """Also of a game that is no longer installed."""
    return newest_of(owner.pk, Sought(game=game), most=1).exists()


def delete_export(*, owner: User, export_id: UUID) -> None:
    """Raises NoSuchExport."""
    export(owner.pk, export_id).delete()


# Writing files of records in parts, and deleting those that nobody may fetch any more.
#
# The row says how far a file is. Two workers at the same file write the same part, and only the
# first is kept. A record that cannot be written is tried three times, then left out and named to
# operators.

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


def write_export(file_id: UUID) -> None:
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
    matches = matches_of(file).values_list("id", flat=True)[:MATCHES_AT_ONCE]
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
    for part in plain_parts(file):
        digest.update(part)
    lasts = timedelta(hours=settings.LIMITS["export_hours"])
    RecordFile.objects.filter(id=file.id, after=file.after, finished_at=None).update(
        sha256=digest.hexdigest(),
        finished_at=now,
        worked_at=now,
        expires_at=None if file.owner_id is None else now + lasts,
    )
    kept = archives().values_list("id", flat=True)[:ARCHIVES_KEPT]
    archives().exclude(id__in=list(kept)).delete()


EXPORTS: Final = Duty(
    name=NAME,
    kind="long",
    piece=write_all,
    due="""
SELECT NULL::timestamptz, id::text FROM exports_recordfile WHERE finished_at IS NULL""",
)
LOOKED_AFTER: Final = Duty(name="old exports", kind="long", piece=look_after, every=600)

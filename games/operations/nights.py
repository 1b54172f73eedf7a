"""Replay audits: matches that changed since the last one are played again every night and compared.

A match that moves while it is read is read again. Faults are kept, logged and shown on the
dashboard. A match at fault is looked at in each later audit too, until it follows again; it is told
once, and named from then on with the day on which it was. A match that cannot be read is at fault.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, ProtectedError, Q, QuerySet
from django.utils import timezone

from accounts import gate
from accounts.answers import forget_answers
from accounts.models import Key, User
from accounts.programs.services import forget_expired
from accounts.services import forget_ended as forget_ended_sessions
from config.host import backups
from config.host.embedded.processes import ServiceError
from config.tasks import rows
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.exercises.collecting import forget_old as forget_old_mistakes
from games.matches import folding, joining, verification
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotActive
from games.matches.selectors.access import SERVICE, find_match
from games.operations.models import Backup, CleanUp, ReplayAudit, Undoable

FAULTS_NAMED: Final = 50  # faulty matches that an audit names
AUDIT_OVERLAP: Final = timedelta(minutes=10)  # audits overlap by it
AUDIT_LOOKS: Final = 3  # at a match that moves meanwhile
AUDITS_NAME: Final = "audits"

log = structlog.get_logger(__name__)


def faults_of(match_id: UUID) -> list[str]:
    """The faults of a match, of a running one too; a deleted one has none."""
    for _ in range(AUDIT_LOOKS):
        before = find_match(match_id, SERVICE)
        if before is None:
            return []
        faults = list(verification.faults(before.match))
        after = find_match(match_id, SERVICE)
        if not faults or (after and after.match.version == before.match.version):
            return faults
    return []  # it moves too fast to be read; the next audit has it again


def changed(
    since: datetime | None, until: datetime | None = None, named: Collection[str] = ()
) -> QuerySet[Match]:
    """The matches that changed from one time to another and those named, by their ids.

    Without its game no match can be played again.
    """
    matches = Match.objects.filter(of_installed_games()).order_by("id")
    matches = matches.filter(updated_at__lte=until) if until else matches
    if since is None:
        return matches
    wanted = Q(updated_at__gte=since)
    return matches.filter(wanted | Q(id__in=named) if named else wanted)


def at_fault(audit: ReplayAudit | None = None) -> dict[tuple[str, str], str]:
    """By match and fault what the last audit before this one named, and when it was reported."""
    over = ReplayAudit.objects.filter(finished_at__isnull=False)
    before = (over.exclude(pk=audit.pk) if audit else over).first()
    if before is None:
        return {}
    day = f"{before.until:%Y-%m-%d}"
    return {(match, fault): "".join(known) or day for match, fault, *known in before.faults}


def start() -> ReplayAudit:
    """Starts an audit of all matches that changed since the last one began."""
    before = ReplayAudit.objects.filter(finished_at__isnull=False).first()
    since, until = before.until - AUDIT_OVERLAP if before else None, timezone.now()
    total = changed(since, until, [match for match, _ in at_fault()]).count()
    return ReplayAudit.objects.create(since=since, until=until, total=total)


def work_off(audit_id: int) -> None:
    """Checks matches while the budget lasts."""
    while _next(audit_id):
        if rows.is_over():
            rows.more()
            return


def work_off_all() -> None:
    unfinished = ReplayAudit.objects.filter(finished_at=None).order_by("worked_at")
    rows.each(AUDITS_NAME, list(unfinished.values_list("id", flat=True)[:5]), work_off)


def _next(audit_id: int) -> bool:
    """Checks one match; whether one was left. Two tasks of an audit take turns by its row."""
    with transaction.atomic():
        audit = ReplayAudit.objects.select_for_update().get(pk=audit_id)
        if audit.finished_at is not None:
            return False
        named = [match for match, _ in at_fault(audit)]
        left = changed(audit.since, named=named)  # also what has changed again since
        left = left.filter(created_at__lte=audit.until)
        left = left.filter(id__gt=audit.last) if audit.last else left
        match_id = left.values_list("id", flat=True).first()
        audit.worked_at = timezone.now()
        if match_id is None:
            audit.finished_at = audit.worked_at
        else:
            note(audit, match_id, _faults_or_failure(match_id))
        audit.save()
        return match_id is not None


def _faults_or_failure(match_id: UUID) -> list[str]:
    name = f"match {match_id}"
    done, faults = rows.attempt(AUDITS_NAME, name, lambda: faults_of(match_id), savepoint=True)
    return list(faults) if done else ["It cannot be read."]


def note(audit: ReplayAudit, match_id: UUID, faults: list[str]) -> None:
    """Adds the faults of one match to an audit, which the caller saves; counted are new ones."""
    audit.last, audit.checked = match_id, audit.checked + 1
    if not faults:
        return
    fault = faults[0].partition(":")[0]  # what the rules say after it may name a hidden card
    known_since = at_fault(audit).get((str(match_id), fault))
    if known_since is None:
        audit.faulty += 1
        log.error("match_does_not_follow", match=str(match_id), fault=fault)
    if len(audit.faults) < FAULTS_NAMED:
        audit.faults.append([str(match_id), fault, *([known_since] if known_since else [])])


AUDITS: Final = Duty(
    name=AUDITS_NAME,
    kind="long",
    piece=work_off_all,
    due="""
SELECT NULL::timestamptz, id::text FROM operations_replayaudit WHERE finished_at IS NULL""",
)

# Every night unneeded rows are removed, and matches that have long been over are folded.
#
# How long things are kept: ``settings.RETENTION``, in days; 0 keeps them for ever. The dashboard
# shows the result of a clean-up.

ROWS_A_NIGHT: Final = 1000  # rows of a kind in one night's task; more wait for the next one
CLEAN_UPS_KEPT: Final = timedelta(days=90)
CLEAN_UP_NAME: Final = "clean-up"


def clean_up() -> CleanUp:
    """Removes each kind by itself: one that fails does not stop the others."""
    kinds = rows.each(
        CLEAN_UP_NAME, _KINDS, lambda name: (name, _count(name, _KINDS[name])), whole=True
    )
    counts = {name: n for name, n in kinds if n is not None}
    done = CleanUp.objects.create(counts=counts)
    CleanUp.objects.filter(at__lt=timezone.now() - CLEAN_UPS_KEPT).delete()
    Undoable.objects.filter(until__lt=timezone.now()).delete()
    gate.forget_traces()
    fold()
    return done


def fold() -> None:
    """Folds old matches while the budget lasts; counted in the last clean-up."""
    days = settings.RETENTION["archive"]
    done = CleanUp.objects.first()
    if days <= 0 or done is None:
        return
    folded = folding.fold_some(older_than=timedelta(days=days))
    if not folded:
        return
    with transaction.atomic():
        done = CleanUp.objects.select_for_update().get(pk=done.pk)
        done.counts["matches folded"] = done.counts.get("matches folded", 0) + folded
        done.save(update_fields=["counts"])


def _count(name: str, remove: Callable[[datetime], int]) -> int | None:
    days = settings.RETENTION[_SETTING.get(name, name)]
    return remove(timezone.now() - timedelta(days=days)) if days > 0 else None


def _keys(before: datetime) -> int:
    """Keys of people, and connections of programs with theirs."""
    return Key.objects.filter(expires_at__lt=before).delete()[0] + forget_expired(before)


def _lockouts(before: datetime) -> int:
    models = (AccessAttempt, AccessLog, AccessFailureLog)
    return sum(model.objects.filter(attempt_time__lt=before).delete()[0] for model in models)


def _call_off(before: datetime) -> int:
    """Aborts matches that nobody joined; the people who wait in them get news of it."""
    waiting = Match.objects.filter(
        of_installed_games(), status=Match.Status.OPEN, updated_at__lt=before
    )
    ids = list(waiting.values_list("id", flat=True)[:ROWS_A_NIGHT])
    return sum(rows.each(CLEAN_UP_NAME, ids, _call_off_one, whole=True))


def _call_off_one(match_id: UUID) -> bool:
    with suppress(MatchNotActive):
        return _abort_if_open(match_id)
    return False


@transaction.atomic
def _abort_if_open(match_id: UUID) -> bool:
    row = Match.objects.select_for_update().get(id=match_id)
    if row.status != Match.Status.OPEN:
        return False
    joining.abort(row, list(row.seats.order_by("index")))
    return True


def _never_dealt(before: datetime) -> int:
    """Matches that were called off before the first card; nobody can look anything up in them."""
    unstarted = Match.objects.filter(
        of_installed_games(),
        status=Match.Status.ABORTED,
        state=None,
        finished_at__lt=before,
        loads=None,
    )
    ids = list(unstarted.values_list("id", flat=True)[:ROWS_A_NIGHT])
    Match.objects.filter(id__in=ids).delete()
    return len(ids)


def _never_played(before: datetime) -> int:
    """Loads that were called off before a move of their own: all they hold stands elsewhere."""
    unplayed = Match.objects.filter(
        of_installed_games(),
        status=Match.Status.ABORTED,
        parent__isnull=False,
        version=F("parent_version"),
        finished_at__lt=before,
        loads=None,
        reports=None,
    )
    ids = list(unplayed.values_list("id", flat=True)[:ROWS_A_NIGHT])
    Match.objects.filter(id__in=ids).delete()
    return len(ids)


def _guests(before: datetime) -> int:
    """Guests who came long ago and neither hold nor opened a match, nor were here since."""
    seats = Seat.objects.filter(user=OuterRef("pk"))
    opened = Match.objects.filter(creator=OuterRef("pk"))
    used = Key.objects.filter(user=OuterRef("pk"), last_used_at__gte=before)
    gone = (
        User.objects.filter(is_guest=True, date_joined__lt=before)
        .exclude(last_login__gte=before)
        .exclude(Exists(seats))
        .exclude(Exists(opened))
        .exclude(Exists(used))
    )
    return sum(
        rows.each(
            CLEAN_UP_NAME, gone[:ROWS_A_NIGHT], _delete, key=lambda guest: guest.pk, whole=True
        )
    )


def _delete(guest: User) -> bool:
    """Any other row that refers to a guest keeps the account."""
    try:
        with transaction.atomic():
            guest.delete()
    except ProtectedError:
        return False
    return True


_KINDS: Final[dict[str, Callable[[datetime], int]]] = {
    "sessions": forget_ended_sessions,
    "keys": _keys,
    "answers": forget_answers,
    "lockouts": _lockouts,
    "waiting matches called off": _call_off,
    "matches never dealt": _never_dealt,
    "loads never played": _never_played,
    "guests": _guests,
    "mistakes": forget_old_mistakes,
}
_SETTING: Final = {
    "waiting matches called off": "unstarted",
    "matches never dealt": "unstarted",
    "loads never played": "loads",
}

# Backups: a process of the night writes one and tries it (`config.host.backups`).


def back_up() -> Backup:
    """The row of what came of it; rows of backups that were removed go too."""
    Backup.objects.filter(name="").delete()
    try:
        written = backups.write(trial=True)
    except (ServiceError, OSError) as error:
        return Backup.objects.create(fault=str(error))
    Backup.objects.filter(name__in=written.forgotten).delete()
    return Backup.objects.create(
        name=written.file.name,
        size=written.size,
        seconds=written.seconds,
        trial_seconds=written.trial and written.trial.seconds,
        is_elsewhere=written.is_elsewhere,
        fault=written.fault,
    )


FOLDED: Final = Duty(name="folding", kind="long", piece=fold, every=600)

# Duties of the night: each once after its hour, or as soon as a worker is there again.
#
# The last time stands in a row, so a beat or a worker that was stopped at that hour misses
# nothing. A night before the installation was not missed.

# The last time that the hour came; due if the newest row is older, or the installation.
_DUE: Final = """
SELECT hour, NULL FROM (
    SELECT date_trunc('day', %(now)s - interval '{hour}', 'UTC') + interval '{hour}' AS hour
) last WHERE coalesce((SELECT max({field}) FROM {table}),
    (SELECT min(applied) FROM django_migrations), %(now)s) < hour"""


def nightly(name: str, hour: str, piece: Any, table: str, field: str) -> Duty:
    """A duty of the night; the newest row says when it was done last."""
    return Duty(name=name, kind="long", piece=piece, due=due_at(hour, table, field))


def due_at(hour: str, table: str, field: str) -> str:
    return _DUE.replace("{hour}", hour).replace("{table}", table).replace("{field}", field)


CLEAN_UP: Final = nightly("clean-up", "2:07", clean_up, "operations_cleanup", "at")
AUDIT: Final = nightly("audit of the night", "2:37", start, "operations_replayaudit", "until")

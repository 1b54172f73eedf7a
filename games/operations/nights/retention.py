"""Every night unneeded rows are removed, and matches that have long been over are folded.

How long things are kept: ``settings.RETENTION``, in days; 0 keeps them for ever. The dashboard
shows the result of a clean-up.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, ProtectedError
from django.utils import timezone

from accounts.answers import forget_answers
from accounts.models import Key, User
from accounts.programs.services import forget_expired
from accounts.services.sessions import forget_ended as forget_ended_sessions
from config.tasks import rows
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.exercises.collecting.storing import forget_old as forget_old_mistakes
from games.matches.history import folding
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotActive
from games.matches.seating import joining
from games.operations.models import CleanUp

AT_ONCE: Final = 1000  # rows of a kind in one night's task; more wait for the next one
KEPT: Final = timedelta(days=90)
NAME: Final = "clean-up"


def clean_up() -> CleanUp:
    """Removes each kind by itself: one that fails does not stop the others."""
    kinds = rows.each(NAME, _KINDS, lambda name: (name, _count(name, _KINDS[name])), whole=True)
    counts = {name: n for name, n in kinds if n is not None}
    done = CleanUp.objects.create(counts=counts)
    CleanUp.objects.filter(at__lt=timezone.now() - KEPT).delete()
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
    """Those of people, and connections of programs with theirs."""
    return Key.objects.filter(expires_at__lt=before).delete()[0] + forget_expired(before)


def _lockouts(before: datetime) -> int:
    models = (AccessAttempt, AccessLog, AccessFailureLog)
    return sum(model.objects.filter(attempt_time__lt=before).delete()[0] for model in models)


def _call_off(before: datetime) -> int:
    """Aborts matches that nobody joined; the people who wait in them get news of it."""
    waiting = Match.objects.filter(
        of_installed_games(), status=Match.Status.OPEN, updated_at__lt=before
    )
    ids = list(waiting.values_list("id", flat=True)[:AT_ONCE])
    return sum(rows.each(NAME, ids, _call_off_one, whole=True))


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
    ids = list(unstarted.values_list("id", flat=True)[:AT_ONCE])
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
    ids = list(unplayed.values_list("id", flat=True)[:AT_ONCE])
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
    return sum(rows.each(NAME, gone[:AT_ONCE], _delete, key=lambda guest: guest.pk, whole=True))


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

FOLDED: Final = Duty(name="folding", kind="long", piece=fold, every=600)

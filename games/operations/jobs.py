"""Jobs for operators: every duty with what it did last and does next, what failed, and what waits.

Long jobs (a backup, a recount) run as processes of their own, niced, started by a worker; what they
wrote is kept for the page.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial
from socket import gethostname
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.audit import log
from accounts.models import User
from config.api.errors import Unavailable
from config.host.embedded.processes import alive
from config.models import Trouble
from config.refusals import Refusal
from config.tasks import after_commit, duties
from config.tasks.duties import Duty
from config.tasks.queues import WORKERS
from config.tasks.rows import NEVER
from games.operations import nights

BUTTONS: Final = {
    "audit of the night": "Audit by replay",
    "clean-up": "Clean up",
    "backup": "Back up",
    "recount": "Recount",
}
LONG_RUN: Final = 6 * 3600.0  # seconds after which a process counts as lost
PROCESSES: Final = ("backup", "recount")
NOT_BY_ITSELF: Final = "SELECT NULL::timestamptz, NULL WHERE false"


class NoSuchJob(Refusal, status=404):
    """There is no such job."""


class NotReached(Unavailable):
    """Valkey is away: nothing was started."""


class Job(NamedTuple):
    """One duty as it stands; ``late`` in seconds."""

    name: str
    kind: str
    last: datetime | None
    next: str
    late: float
    troubles: list[dict[str, Any]]
    result: dict[str, Any] | None
    button: str


def jobs() -> list[Job]:
    """Those in trouble first; raises ``NotReached``. Three statements, however many there are."""
    now, failing = timezone.now(), failures()
    try:
        late, valkey = duties.delays(now), duties.valkey()
        done: Any = valkey.hgetall(duties.DONE)
        pipe = valkey.pipeline(transaction=False)
        for duty in duties.registry().values():
            pipe.get(duty.key(0))
            pipe.pttl(duty.rests)
        states = pipe.execute()
    except RedisError:
        raise NotReached from None
    results = cache.get_many(map(result_key, PROCESSES))
    rows = []
    for number, duty in enumerate(duties.registry().values()):
        last = done.get(duty.name.encode())
        state, rests = states[2 * number], states[2 * number + 1]
        rows.append(
            Job(
                duty.name,
                duty.kind,
                datetime.fromtimestamp(float(last), UTC) if last else None,
                _next(duty, state, rests, late.get(duty.name, 0.0)),
                late.get(duty.name, 0.0),
                failing.get(duty.name, []),
                _result(results.get(result_key(duty.name))),
                BUTTONS.get(duty.name, ""),
            )
        )
    return sorted(rows, key=lambda job: (not job.troubles, -job.late, job.name))


def _result(kept: dict[str, Any] | None) -> dict[str, Any] | None:
    return kept and kept | {"at": datetime.fromtimestamp(kept["at"], UTC)}


def _next(duty: Duty, state: bytes | None, rests_ms: int, late: float) -> str:
    if state == duties.RUNS:
        return "runs now"
    if state == duties.SENT:
        return "waits for a worker"
    if rests_ms > 0:
        return f"in {rests_ms / 1000:.0f} s at the earliest"
    if duty.due == NOT_BY_ITSELF:
        return "when you begin it"
    if duty.due:
        return "now" if late else "when something is due"
    return "with the next look"


def failures() -> dict[str, list[dict[str, Any]]]:
    """By duty: each kind of error, at how many rows, one of them, and when they are tried again."""
    folded = (
        Trouble.objects.order_by()
        .values("duty", "error")
        .annotate(
            rows=Count("id"),
            row=Max("row"),
            first=Min("first_at"),
            last=Max("last_at"),
            next=Min("next_at", filter=Q(is_set_aside=False)),
            aside=Count("id", filter=Q(is_set_aside=True)),
        )
    )
    kinds: dict[str, list[dict[str, Any]]] = {}
    for kind in folded.order_by("-last"):
        kinds.setdefault(kind["duty"], []).append(dict(kind))
    return kinds


def queues() -> dict[str, int]:
    """How many messages wait for each kind of worker."""
    try:
        valkey: Any = duties.valkey()
        return {kind: sum(map(valkey.llen, names)) for kind, names in WORKERS.items()}
    except RedisError:
        raise NotReached from None


# --- Acts


def run_now(*, name: str, user: User) -> None:
    """Sends one piece at once, whether it is due or not; refused where one is on its way."""
    duty = duties.registry().get(name)
    if duty is None:
        raise NoSuchJob
    with transaction.atomic():
        log.write(user, "run_duty", "duty", name, name)
        if _runs(name) or not _send(duty):
            raise Refusal("It is on its way already.")


def _send(duty: Duty) -> int:
    try:
        duties.valkey().delete(duty.rests)
        return duties.send(duty.name)
    except RedisError:
        raise NotReached from None


def set_aside(*, name: str, error: str, user: User) -> int:
    """Rows that failed so are not tried again by themselves; how many. Not the duty as a whole."""
    with transaction.atomic():
        rows = _of_kind(name, error).exclude(row="").filter(is_set_aside=False)
        count: int = rows.update(is_set_aside=True, next_at=timezone.now() + NEVER)
        if not count:
            raise NoSuchJob("Nothing of this kind is left to set aside.")
        log.write(user, "set_rows_aside", "duty", name, name, error=error, rows=count)
    return count


def try_again(*, name: str, error: str, user: User) -> int:
    with transaction.atomic():
        waiting = _of_kind(name, error)  # a job has its three tries once more
        count: int = waiting.update(is_set_aside=False, next_at=timezone.now(), failures=0)
        log.write(user, "try_rows_again", "duty", name, name, error=error, rows=count)
        after_commit.when_committed(lambda: _send(duties.registry()[name]))
    return count


def _of_kind(name: str, error: str) -> Any:
    if name not in duties.registry():
        raise NoSuchJob
    return Trouble.objects.filter(duty=name, error=error)


# --- Processes of their own


def result_key(name: str) -> str:
    return f"job:{name}"


def begin(name: str) -> None:
    """Starts ``manage.py job``, unless one runs."""
    if _runs(name):
        return
    running: dict[str, Any] = {"at": timezone.now().timestamp(), "state": "running", "text": ""}
    cache.set(result_key(name), running, None)
    process = subprocess.Popen(
        [sys.executable, "-m", "django", "job", name],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    cache.set(result_key(name), running | {"process": [gethostname(), process.pid]}, None)


def _runs(name: str) -> bool:
    before = cache.get(result_key(name))
    if not before or before["state"] != "running":
        return False
    host, number = before.get("process", ("", 0))
    is_lost = timezone.now().timestamp() > before["at"] + LONG_RUN
    # One that was killed here told nobody.
    return not is_lost and (host != gethostname() or alive(number))


BACKUP: Final = Duty(
    name="backup",
    kind="long",
    piece=partial(begin, "backup"),
    due=nights.due_at("3:37", "operations_backup WHERE name <> ''", "at")
    if settings.BACKUPS["nightly"]
    else NOT_BY_ITSELF,
    every=3600,  # one that fails is tried again after it
)
RECOUNT: Final = Duty(
    name="recount", kind="long", piece=partial(begin, "recount"), due=NOT_BY_ITSELF
)

"""Duties: work that is looked for again and again. Each is declared once, by its room.

A room names its duties on its ``AppConfig`` (``duties``, dotted names). The beat asks all
conditions in one statement and sends a task for each that is due and not on its way; a worker does
one piece of it, which has a budget, and sends the next piece behind the others that wait. So a
queue holds about one message of each duty, never more than ``MOST_WAITING``, and no message
expires: a duty comes to its turn however long another one has work.

``soon``: people wait for it. ``long``: nobody stands and waits; it is niced, has at most half of
the cores, and on a single core nothing while somebody plays. ``outward``: servers of strangers.
Each has workers of its own.

A service in which nothing happens (`config.tasks.after_commit.something_happens`) is looked at less
and less often: the statement also says what will be due until the next look, and when. Duties that
have a clock, or `idle`, rest for longer then.

That a duty is on its way is a key in Valkey that ends by itself: with a killed worker or a lost
message it is sent again after some seconds.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, lru_cache
from math import inf
from time import perf_counter, time
from typing import Any, Final, Literal

import redis
import structlog
from celery import current_app, shared_task
from celery.signals import worker_init
from django.apps import apps
from django.conf import settings
from django.db import Error, connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from redis.exceptions import RedisError

from config.counting import PATIENCE
from config.offers import offered
from config.tasks import after_commit, rows
from config.tasks.queues import LONG, OUTWARD, SOON, TASK
from config.telemetry import metrics
from config.valkey import valkey_client

Kind = Literal["soon", "long", "outward"]
QUEUES: Final[dict[Kind, str]] = {"soon": SOON, "long": LONG, "outward": OUTWARD}
SECONDS: Final[dict[Kind, float]] = {"soon": 0.5, "long": 1.0, "outward": 8.0}  # of a piece
WAITS_MS: Final[dict[Kind, int]] = {"soon": 5_000, "long": 30_000, "outward": 15_000}
"""Then a message that no worker took counts as lost: another one is sent, and does no harm."""
RUNS_MS: Final[dict[Kind, int]] = {"soon": 5_000, "long": 15_000, "outward": 30_000}
NO_ROOM_MS: Final = 1_000  # until a long duty is tried again that found no core
LATE: Final = 30.0  # seconds that a duty for which people wait may be due
STARTED: Final = time()  # of this process
BEAT: Final = "duties:beat"  # in Valkey: since when it looks without a pause, its last look
DONE: Final = "duties:done"
SENT, RUNS = b"sent", b"runs"
FAILING: Final = "duties:failing"
MOST_WAITING: Final = 100  # messages in a queue
LONGEST_REST: Final = 3600.0  # of a duty with a clock, while nothing happens
SECONDS_TO_LOOK_AGAIN: Final = 1.0  # while something is due
SECONDS_TO_COMMIT: Final = 10.0  # what happens now may be in the tables only then
FIRST_PAUSE: Final = 2.0  # seconds, after a piece that failed
LONGEST_PAUSE: Final = 300.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False, kw_only=True)
class Duty:
    """``due`` is SQL: a row for each that is due, with since when (NULL: not known) and its name
    (as `config.tasks.rows` notes it; or NULL). It may use ``%(now)s`` and what apps offer as
    ``duty_values``. Without it the duty has a clock: every so many seconds.
    """

    name: str
    piece: Any  # a function without arguments, which does what it can within its budget
    kind: Kind = "soon"
    due: str = ""
    every: float = 0.0  # seconds at least from one piece to the next, unless there is more to do
    idle: float = 0.0  # the same, where nothing has happened since the last piece
    is_look: bool = False  # its rows stay due after it: late is the look, not a row
    width: int = 1  # pieces at once

    def key(self, place: int) -> str:
        """In Valkey while a message or a piece is on its way."""
        return f"duty:{self.name}:{place}"

    @property
    def longest_rest(self) -> float:
        return max(self.every, self.idle or (0.0 if self.due else LONGEST_REST))

    @property
    def rests(self) -> str:
        """In Valkey for the pause after a piece."""
        return f"duty-rests:{self.name}"

    @property
    def again(self) -> str:
        """In Valkey where a commit made it due while a piece ran."""
        return f"duty-again:{self.name}"


@cache
def registry() -> dict[str, Duty]:
    """All duties by name, of apps that are ready."""
    names = [name for app in apps.get_app_configs() for name in getattr(app, "duties", ())]
    declared = [import_string(name) for name in names]
    duties = {duty.name: duty for duty in declared}
    if len(duties) < len(declared):
        raise ValueError("Two duties have one name.")
    return duties


# --- What is due

_SINCE: Final = """(SELECT min(coalesce(t.next_at, since, %(present)s))
    FROM ({due}) due (since, name) LEFT JOIN config_trouble t
        ON t.duty = '{name}' AND t.row = name AND t.next_at > %(present)s
    WHERE t.next_at IS NULL OR t.next_at <= %(now)s)"""


def due_since(
    now: datetime | None = None, among: Iterable[Duty] | None = None, ahead: float = 0.0
) -> dict[str, datetime]:
    """The duties that are due by their conditions, and since when; one statement.

    With those that will be within ``ahead`` seconds, and when.

    A condition that cannot be asked counts as due now: its piece then tells what is wrong.
    """
    conditional = [duty for duty in (registry().values() if among is None else among) if duty.due]
    present = now or timezone.now()
    values = _values(present + timedelta(seconds=ahead)) | {"present": present}
    try:
        answers = _ask(conditional, values)
    except Error:
        if rows.is_lost():
            raise
        answers = [_ask_alone(duty, values) for duty in conditional]
    return {duty.name: at for duty, at in zip(conditional, answers, strict=True) if at is not None}


def _values(now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {"now": now}
    for more in offered("duty_values"):
        values |= more()
    return values


def _ask(duties: list[Duty], values: Mapping[str, Any]) -> list[datetime | None]:
    if not duties:
        return []
    columns = [_SINCE.replace("{due}", duty.due).replace("{name}", duty.name) for duty in duties]
    inside = transaction.atomic() if connection.in_atomic_block else nullcontext()
    with inside, connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(columns), values)
        return list(cursor.fetchone() or ())


def _ask_alone(duty: Duty, values: Mapping[str, Any]) -> datetime | None:
    try:
        return _ask([duty], values)[0]
    except Error as error:
        if rows.is_lost():
            raise
        log.error("condition_failed", duty=duty.name, cause=type(error).__name__)
        present: datetime = values["present"]
        return present


def delays(now: datetime | None = None) -> dict[str, float]:
    """For how many seconds each duty has been due; 0 where it is not.

    Of one with a clock since it should have been done again; it is not known before the first time.
    What became due while no service ran, or while its machine slept, counts from the start.
    """
    at = now or timezone.now()
    since = due_since(at)
    done: Any = valkey().hgetall(DONE)
    begun = max(STARTED, float(valkey().hget(BEAT, "since") or 0))
    late_since: dict[str, float] = {}
    for duty in registry().values():
        last = float(done.get(duty.name.encode(), 0))
        if duty.due:
            due = since[duty.name].timestamp() if duty.name in since else at.timestamp()
            late_since[duty.name] = max(due, last * duty.is_look)
        elif last:
            late_since[duty.name] = last + duty.longest_rest
    return {name: max(0.0, at.timestamp() - max(due, begun)) for name, due in late_since.items()}


def rests_read_only(now: datetime) -> bool:
    """Whether operators made the service read-only (`config.club`): then nothing is due."""
    until = settings.CLUB["read_only_until"]
    return bool(until) and now < datetime.fromisoformat(until)


def late() -> str:
    """`up`, or the duties for which people wait and that have been due for too long."""
    if rests_read_only(timezone.now()):
        return "up"
    seconds_late = delays()
    names = [
        f"{name} for {seconds_late[name]:.0f} s"
        for name, duty in registry().items()
        if duty.kind != "long" and seconds_late.get(name, 0) > max(LATE, 2 * duty.every)
    ]
    return f"late: {', '.join(sorted(names))}" if names else "up"


# --- Sending


@dataclass
class Looks:
    """The memory of a beat from one look to the next; times are those of ``time``."""

    sent: dict[str, float] = field(default_factory=dict)  # when, by duty
    happened_at: float = inf  # when something happened last
    ahead: float = 0.0  # seconds until the next look
    next_at: float = inf  # a look before that is needed

    def rests(self, duty: Duty, now: float) -> bool:
        """Nothing has happened since its last piece, so another one would find nothing."""
        last = self.sent.get(duty.name, -inf)
        is_quiet = self.happened_at + SECONDS_TO_COMMIT < last
        return now < last + (duty.longest_rest if is_quiet else duty.every)


def send_due(looks: Looks) -> int:
    """A look of the beat: it sends what is due and not on its way; the number of messages."""
    present, sent = timezone.now(), 0
    now = present.timestamp()
    _note_look(now)
    if rests_read_only(present):
        return 0
    awake = [duty for duty in registry().values() if not looks.rests(duty, now)]
    since = due_since(present, awake, looks.ahead)
    at = {name: begun.timestamp() for name, begun in since.items()}
    looks.next_at = min((later for later in at.values() if later > now), default=inf)
    for duty in awake:
        is_due = at.get(duty.name, inf) <= now
        if is_due and not duty.idle:
            looks.next_at = min(looks.next_at, now + SECONDS_TO_LOOK_AGAIN)
        if (is_due or not duty.due) and not valkey().exists(duty.rests):
            number = send(duty.name)
            if number or duty.due:
                looks.sent[duty.name] = now
            sent += number
    return sent


def _note_look(now: float) -> None:
    """In Valkey, because a process that ends at once again and again must not hide what is late."""
    last: Any = valkey().hget(BEAT, "last")
    begins = last is None or now - float(last) > LATE
    valkey().hset(BEAT, mapping={"last": now, **({"since": now} if begins else {})})


def send(name: str) -> int:
    """Sends a task for each place of a duty that has none on its way; how many."""
    duty, sent = registry()[name], 0
    for place in range(duty.width):
        key = duty.key(place)
        if not valkey().set(key, SENT, nx=True, px=WAITS_MS[duty.kind]):
            continue
        try:
            if valkey().llen(QUEUES[duty.kind]) >= MOST_WAITING:
                break  # no worker takes anything: what waits there is enough
            current_app.send_task(TASK, (duty.name, place), queue=QUEUES[duty.kind], retry=False)
        except Exception:
            valkey().delete(key)
            raise
        sent += 1
    return sent


@dataclass(frozen=True)
class Due:
    """A commit made a duty due: its task need not wait for the beat."""

    name: str

    def send(self, _broker: "redis.Redis") -> None:
        """A piece that runs now may have looked already: then another one follows it."""
        if not send(self.name):
            valkey().set(registry()[self.name].again, 1, px=RUNS_MS["soon"])


def announce(name: str) -> None:
    """Sends a duty at once, after the commit; without it the beat finds it within a second."""
    after_commit.announce(Due(name))


# --- Doing


@shared_task(name=TASK)
def duty(name: str, place: int = 0) -> None:
    """One piece of a duty. One that this release does not know is of another: harmless."""
    one = registry().get(name)
    if one is None:
        log.warning("duty_unknown", duty=name)
    elif valkey().get(one.key(place)) == RUNS:
        log.debug("duty_sent_twice", duty=name)
    elif _has_room(one):
        if (done := _work(one, place)) and (done.more or (done.done and not one.idle and one.due)):
            after_commit.something_happens()
    else:
        valkey().set(one.key(place), SENT, px=NO_ROOM_MS)


def _work(duty: Duty, place: int) -> rows.Piece:
    valkey().set(duty.key(place), RUNS, px=RUNS_MS[duty.kind])
    try:
        done = work(duty.name)
    except Exception as error:
        pause = FIRST_PAUSE if rows.is_lost() else _failed(duty, error)
        with suppress(RedisError):
            valkey().set(duty.key(place), SENT, px=int(1000 * pause))
        raise
    with suppress(RedisError):
        pipe = valkey().pipeline(transaction=False)
        pipe.hset(DONE, duty.name, time())
        pipe.delete(duty.key(place))
        pipe.getdel(duty.again)
        if duty.every and not done.more:
            pipe.set(duty.rests, 1, px=int(1000 * duty.every))
        is_asked_again = pipe.execute()[2] is not None
        if done.more or is_asked_again:
            send(duty.name)
    return done


def work(name: str) -> rows.Piece:
    """Does one piece here and now, whether it is due or not; what it did."""
    duty, begun = registry()[name], perf_counter()
    with rows.piece(SECONDS[duty.kind]) as done:
        duty.piece()
    metrics.DUTY_SECONDS.labels(name).observe(perf_counter() - begun)
    if _has_failed(name):
        rows.forget(name, [""])
    return done


_done_here: set[str] = set()


def _has_failed(name: str) -> bool:
    """Whether it may have failed as a whole before, here or in another process."""
    is_first = name not in _done_here
    _done_here.add(name)
    try:
        return bool(valkey().srem(FAILING, name)) or is_first
    except RedisError:
        return True


def _failed(duty: Duty, error: Exception) -> float:
    """Seconds until a duty is tried again that failed as a whole."""
    with suppress(RedisError):
        valkey().sadd(FAILING, duty.name)
    with suppress(Error):
        trouble = rows.note(duty.name, "", error)
        return min(LONGEST_PAUSE, (trouble.next_at - trouble.last_at).total_seconds())
    return FIRST_PAUSE


def _has_room(duty: Duty) -> bool:
    """Whether a long duty may use a core of this machine now: not the only one of those who play.

    How many there may be at once is the number of processes of their worker
    (`config.host.crew`).
    """
    if duty.kind != "long" or len(os.sched_getaffinity(0)) > 1:
        return True
    return not any(plays() for plays in offered("somebody_plays"))


@worker_init.connect
def count_from_zero(**_: Any) -> None:
    """Starts the count of failures of each duty at 0, so that the first one is an increase."""
    for name in registry():
        metrics.TASKS.labels(f"{TASK} {name}", "FAILURE")


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    return valkey_client(settings.VALKEY_URL, **PATIENCE)


FORGOTTEN: Final = Duty(name="old troubles", piece=rows.forget_old, every=3600)

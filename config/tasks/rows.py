"""Rows of a duty, each by itself: one that fails stops no other one.

Every sweep goes through `each`, work on many rows in one transaction through `batch`. A row that
fails is noted (`config.models.Trouble`), named to operators, and skipped for a pause that grows; a
job that failed three times is set aside until an operator wants it tried again. A lost database is
no fault of a row: it ends the piece.

A piece of a duty has a budget (`config.tasks.duties.work`). Called without one, as by a command,
these do everything.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import inf
from time import monotonic
from traceback import extract_tb
from typing import Any, Final, TypeVar

import structlog
from django.db import Error, connection, transaction
from django.utils import timezone

from config.models import Trouble
from config.telemetry import metrics
from config.telemetry.pulse import pulse

FIRST_PAUSE: Final = 2.0  # seconds; four times as long after each failure
LONGEST_PAUSE: Final = 3600.0
TRIES: Final = 3  # of a job, which is then set aside
NEVER: Final = timedelta(days=36_500)
FRAMES: Final = 5
NO_LONGER_DUE: Final = timedelta(hours=2)

Row = TypeVar("Row")
Result = TypeVar("Result")
log = structlog.get_logger(__name__)
_place: dict[str, str] = {}
"""By duty, the last row that this process came to when a budget ended: the next piece goes on."""


@dataclass
class Piece:
    """The time that one piece of a duty may take, and the count of what it has done."""

    until: float = inf
    more: bool = False
    done: int = 0
    failed: int = 0


_piece: ContextVar[Piece | None] = ContextVar("piece", default=None)


@contextmanager
def piece(seconds: float) -> Iterator[Piece]:
    """The budget of what is done within."""
    now = Piece(until=monotonic() + seconds)
    token = _piece.set(now)
    try:
        yield now
    finally:
        _piece.reset(token)


def current() -> Piece:
    return _piece.get() or Piece()


def until(seconds: float) -> float:
    """The time to stop (``time.monotonic``): so many seconds from now, or with the budget."""
    return min(monotonic() + seconds, current().until)


def is_over() -> bool:
    """Whether the budget is used up. The process shows a sign of life."""
    pulse.waits()
    return monotonic() >= current().until


def more() -> None:
    """There is more to do: the next piece follows as soon as others had their turn."""
    current().more = True


def each(
    duty: str,
    rows: Iterable[Row],
    act: Callable[[Row], Result],
    *,
    key: Callable[[Row], object] = str,
    gives_up: bool = False,
    forgives: bool = True,
    whole: bool = False,
    durable: bool = False,
) -> list[Result]:
    """Acts on the rows, one after the other, while the budget lasts; the results of those that did.

    ``whole``: on all of them whatever the budget, as where a cursor moves on behind them.

    ``durable``: an act opens transactions of its own, which stand in no other one.

    ``gives_up``: these are jobs. Without ``forgives`` a row that did not fail keeps its trouble,
    as one does whose act only hands it on.
    """
    results: list[Result] = []
    in_turn, begun = _in_turn(duty, list(rows), key), False
    known = troubles(duty) if in_turn else {}
    for name, row in in_turn:
        if _waits(known.get(name)):
            continue
        if is_over() and begun and not whole:
            more()
            break
        begun, _place[duty] = True, name
        now = partial(act, row)
        done, result = attempt(
            duty, name, now, known=known, gives_up=gives_up, forgives=forgives, durable=durable
        )
        if done:
            results.append(result)
    else:
        _place.pop(duty, None)
    return results


def batch(
    duty: str,
    rows: Sequence[Row],
    act: Callable[[Sequence[Row]], Result],
    *,
    key: Callable[[Row], object] = str,
) -> list[Result]:
    """Acts on all rows in one savepoint, or, where that fails, on halves, down to the bad row."""
    known = troubles(duty) if rows else {}
    good = [row for row in rows if not _waits(known.get(str(key(row))))]
    return list(_halves(duty, good, act, key, known))


def _halves(
    duty: str,
    rows: Sequence[Row],
    act: Callable[[Sequence[Row]], Result],
    key: Callable[[Row], object],
    known: dict[str, Trouble],
) -> Iterator[Result]:
    if len(rows) == 1:
        done, result = attempt(
            duty, str(key(rows[0])), lambda: act(rows), known=known, savepoint=True
        )
        if done:
            yield result
        return
    if not rows:
        return
    try:
        with transaction.atomic():
            result = act(rows)
    except Exception:
        if is_lost():
            raise
        half = len(rows) // 2
        yield from _halves(duty, rows[:half], act, key, known)
        yield from _halves(duty, rows[half:], act, key, known)
        return
    current().done += len(rows)
    forget(duty, [name for row in rows if (name := str(key(row))) in known])
    yield result


def attempt(
    duty: str,
    row: str,
    act: Callable[[], Result],
    *,
    known: dict[str, Trouble] | None = None,
    gives_up: bool = False,
    forgives: bool = True,
    savepoint: bool = False,
    durable: bool = False,
) -> tuple[bool, Any]:
    """Whether the act did not fail, and its result. Raises only what a lost database raises."""
    inside = savepoint or (connection.in_atomic_block and not durable)
    try:
        with transaction.atomic() if inside else nullcontext():
            result = act()
    except Exception as error:
        if is_lost():
            raise
        frames = extract_tb(error.__traceback__)[-FRAMES:]  # what it says may be secret
        where = ", ".join(f"{frame.filename}:{frame.lineno}" for frame in frames)
        log.error("row_failed", duty=duty, row=row, cause=type(error).__name__, where=where)
        note(duty, row, error, gives_up=gives_up)
        return False, None
    current().done += 1
    if forgives and (known is None or row in known):
        forget(duty, [row])
    return True, result


def is_lost() -> bool:
    """Whether the error that is handled now is the loss of the database, not of one row."""
    error = sys.exc_info()[1]
    if not isinstance(error, Error):
        return False
    raw: Any = connection.connection
    return raw is None or raw.closed or raw.broken


def note(duty: str, row: str, error: BaseException, *, gives_up: bool = False) -> Trouble:
    """Notes a failure; the row is skipped for a while, and for good where it is a job that failed
    three times.
    """
    now, name = timezone.now(), type(error).__name__[:100]
    current().failed += 1
    metrics.ROWS_FAILED.labels(duty, name).inc()
    trouble, is_new = Trouble.objects.get_or_create(
        duty=duty,
        row=row[:100],
        defaults={"error": name, "first_at": now, "last_at": now, "next_at": now},
    )
    if not is_new:
        trouble.failures += 1
    trouble.is_set_aside = gives_up and trouble.failures >= TRIES
    trouble.error, trouble.last_at = name, now
    trouble.next_at = now + (NEVER if trouble.is_set_aside else pause_after(trouble.failures))
    trouble.save()
    return trouble


def pause_after(failures: int) -> timedelta:
    return timedelta(seconds=min(LONGEST_PAUSE, FIRST_PAUSE * 4.0 ** min(failures - 1, 10)))


def forget(duty: str, rows: Iterable[str]) -> None:
    """These are no trouble any more."""
    names = list(rows)
    if names:
        Trouble.objects.filter(duty=duty, row__in=names).delete()


def troubles(duty: str) -> dict[str, Trouble]:
    """The rows at which a duty fails, by their names."""
    return {one.row: one for one in Trouble.objects.filter(duty=duty)}


def to_try_again(duty: str) -> list[str]:
    """The rows that failed and whose pause is over, where nothing else leads to them."""
    due = Trouble.objects.filter(duty=duty, next_at__lte=timezone.now()).exclude(row="")
    return list(due.values_list("row", flat=True)[:100])


def lock(number: int, *, wait: bool = False) -> bool:
    """Until the transaction ends nobody else does what has this number."""
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        return bool(cursor.fetchone()[0])


def forget_old() -> None:
    """Troubles of rows that were not due any more when their pause was over."""
    before = timezone.now() - NO_LONGER_DUE
    Trouble.objects.filter(is_set_aside=False, next_at__lt=before).delete()


def _waits(trouble: Trouble | None) -> bool:
    return trouble is not None and trouble.next_at > timezone.now()


def _in_turn(duty: str, rows: list[Row], key: Callable[[Row], object]) -> Sequence[tuple[str, Row]]:
    """From the one after that at which the last piece stopped."""
    named = [(str(key(row)), row) for row in rows]
    last = _place.get(duty)
    at = next((n + 1 for n, (name, _) in enumerate(named) if name == last), 0) if last else 0
    return named[at:] + named[:at]

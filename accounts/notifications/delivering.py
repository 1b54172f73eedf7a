"""Making due deliveries: each is taken, called and noted, many at a time.

Taking pushes ``next_at`` a lease ahead, so that a delivery whose worker dies is due again. A
delivery is therefore made **at least once**: a worker that dies between the answer of a receiver
and its note makes it again, with the same id, and the receiver can see that (``webhook-id``,
``Message-ID``, the tag of a push message). In every other case it is made once. What was skipped,
because its person has the page open or it holds no more, is not made at all.

Calls are made in threads, reads and writes in the one of the task. A webhook that hangs keeps few
threads busy (``PER_ENDPOINT``), and no computer's turn: this is a worker of its own.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.notifications.choices import choices_of, may_be_mailed, quiet_until
from accounts.notifications.hooks import endpoints
from accounts.notifications.hooks import posting as hook
from accounts.notifications.looking import is_looking
from accounts.notifications.mail import sending as mail
from accounts.notifications.models import Attempt, Choices, Delivery, Endpoint
from accounts.notifications.outward.calling import Answer
from accounts.notifications.push import pushing as push
from accounts.notifications.routing import route
from config.offers import offered_by_name

THREADS: Final = 32
PER_ENDPOINT: Final = 4
SECONDS: Final = 12.0  # that a task goes on taking; the last calls may take ten more
LEASE: Final = timedelta(seconds=90)
# Two days together.
AGAIN_AFTER: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440)
)
MOST_FAILURES: Final = 50  # of a webhook, in a row
_GONE: Final = frozenset({404, 410})  # a browser's address that is no more

_DUE: Final = """
SELECT id FROM (
    SELECT id, next_at, row_number() OVER (PARTITION BY endpoint_id ORDER BY next_at) AS place,
        endpoint_id
    FROM notifications_delivery
    WHERE state = 'waiting' AND next_at <= now() AND NOT coalesce(endpoint_id = ANY(%s), false)
    ORDER BY next_at LIMIT 1000
) due WHERE endpoint_id IS NULL OR place <= %s ORDER BY next_at LIMIT %s
"""
_TAKE: Final = """
UPDATE notifications_delivery SET next_at = now() + %s, attempts = attempts + 1
WHERE id IN (
    SELECT id FROM notifications_delivery
    WHERE id = ANY(%s) AND state = 'waiting' AND next_at <= now() FOR UPDATE SKIP LOCKED
) RETURNING id
"""

log = structlog.get_logger(__name__)


class Job(NamedTuple):
    """Deliveries that one call makes: several in the mail of a day."""

    deliveries: tuple[Delivery, ...]
    call: Callable[[], Answer]

    @property
    def endpoint(self) -> UUID | None:
        return self.deliveries[0].endpoint_id


def deliver(seconds: float = SECONDS) -> int:
    """Makes what is due until nothing is, or the time is up; how many calls were made."""
    ends, made = time.monotonic() + seconds, 0
    running: dict[Future[Answer], Job] = {}
    with ThreadPoolExecutor(THREADS, thread_name_prefix="deliver") as pool:
        while True:
            if time.monotonic() < ends:
                route()
                for job in _next_jobs(running.values()):
                    running[pool.submit(job.call)] = job
            if not running:
                return made
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                _settle(running.pop(future), future)
                made += 1


def _settle(job: Job, future: Future[Answer]) -> None:
    """Notes what came of it. What fails here is made again when its lease is over."""
    try:
        _note(job, future.result())
    except Exception:
        log.exception("delivery_not_noted", deliveries=[str(one.pk) for one in job.deliveries])


def _next_jobs(running: Iterable[Job]) -> list[Job]:
    busy = list(running)
    free = THREADS - len(busy)
    taken = take(free, [job.endpoint for job in busy if job.endpoint]) if free else []
    return list(_jobs(taken))


def take(most: int, busy: Sequence[UUID] = ()) -> list[Delivery]:
    """Takes what is due, the oldest first, of one webhook a few; nobody else takes it now."""
    full = [endpoint for endpoint, number in Counter(busy).items() if number >= PER_ENDPOINT]
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [full, PER_ENDPOINT, most])
        ids = [row[0] for row in cursor.fetchall()]
        if not ids:
            return []
        cursor.execute(_TAKE, [LEASE, ids])
        taken = [row[0] for row in cursor.fetchall()]
    rows = Delivery.objects.filter(pk__in=taken).order_by("next_at", "pk")
    return list(rows.select_related("cause__account", "endpoint", "subscription"))


def _jobs(taken: Sequence[Delivery]) -> Iterator[Job]:
    days: dict[UUID, list[Delivery]] = {}
    for delivery in taken:
        if delivery.daily:
            days.setdefault(delivery.cause.account_id, []).append(delivery)
    alone = [[delivery] for delivery in taken if not delivery.daily]
    for several in [*alone, *days.values()]:
        job = _job(several)
        if job is not None:
            yield job


def _job(several: Sequence[Delivery]) -> Job | None:
    """``None`` if nothing is to be made. What cannot even be composed keeps no other waiting."""
    choices = choices_of(several[0].cause.account_id)
    try:
        wanted = tuple(one for one in several if _is_wanted(one, choices))
        return Job(wanted, _call_of(wanted, choices)) if wanted else None
    except Exception:
        log.exception("delivery_broken", deliveries=[str(one.pk) for one in several])
        for one in several:
            _try_again(one, Answer(None, "broken", 0))
        return None


def _call_of(several: Sequence[Delivery], choices: Choices) -> Callable[[], Answer]:
    delivery = several[0]
    if delivery.endpoint is not None:
        return hook.call_of(delivery, delivery.endpoint)
    if delivery.subscription is not None:
        return push.call_of(delivery, delivery.subscription, choices.time_zone)
    return mail.call_of(several, choices)


def _is_wanted(delivery: Delivery, choices: Choices) -> bool:
    """Whether it is still to be made now; else it is skipped, or waits for the end of the night."""
    why = _reason_to_skip(delivery, choices)
    if why:
        _end([delivery], "skipped", why=why)
        return False
    until = quiet_until(choices, timezone.now()) if delivery.endpoint is None else None
    if until is not None:
        _postpone(delivery, until)
    return until is None


def _reason_to_skip(delivery: Delivery, choices: Choices) -> str:
    cause, endpoint = delivery.cause, delivery.endpoint
    if not cause.account.is_active:
        return "closed"
    if endpoint is not None:
        return "off" if endpoint.disabled else ""
    if not _is_chosen(delivery, choices):
        return "off"
    if not delivery.daily and is_looking(cause.account_id):
        return "seen"
    holds = offered_by_name("cause_holds").get(cause.kind)
    return "" if holds is None or holds(cause.account_id, cause.payload) else "over"


def _is_chosen(delivery: Delivery, choices: Choices) -> bool:
    kind = delivery.cause.kind
    if delivery.channel == "push":
        return kind in choices.push and bool(settings.VAPID_PRIVATE_KEY)
    chosen = kind in choices.mail or kind in choices.daily
    return chosen and may_be_mailed(choices, delivery.cause.account)


def _postpone(delivery: Delivery, until: datetime) -> None:
    waiting = Delivery.objects.filter(pk=delivery.pk, state="waiting")
    waiting.update(next_at=until, attempts=F("attempts") - 1)


@transaction.atomic
def _note(job: Job, answer: Answer) -> None:
    """What came back, and what follows from it. A later worker's note of success stays."""
    Attempt.objects.bulk_create(
        Attempt(
            delivery=one,
            status=answer.status,
            milliseconds=answer.milliseconds,
            why=_why(answer),
        )
        for one in job.deliveries
        if Delivery.objects.filter(pk=one.pk).exists()  # it may be deleted with its account
    )
    _count(job.deliveries[0], answer)
    if answer.is_good:
        _end(job.deliveries, "sent", answer.status)
    else:
        for delivery in job.deliveries:
            _try_again(delivery, answer)


def _try_again(delivery: Delivery, answer: Answer) -> None:
    if delivery.attempts > len(AGAIN_AFTER) or _is_refused(delivery, answer):
        _end([delivery], "failed", answer.status, _why(answer))
        return
    at = timezone.now() + AGAIN_AFTER[delivery.attempts - 1]
    waiting = Delivery.objects.filter(pk=delivery.pk, state="waiting")
    waiting.update(next_at=at, status=answer.status, why=_why(answer))


def _is_refused(delivery: Delivery, answer: Answer) -> bool:
    """A mail server that refuses for good is not asked again."""
    return delivery.channel == "mail" and (answer.status or 0) in mail.PERMANENT


def _count(delivery: Delivery, answer: Answer) -> None:
    """Failures in a row turn a webhook off; a browser that is gone is forgotten."""
    if delivery.subscription is not None and answer.status in _GONE:
        delivery.subscription.delete()
    if delivery.endpoint is None:
        return
    row = Endpoint.objects.filter(pk=delivery.endpoint_id)
    if answer.is_good:
        row.exclude(failures=0).update(failures=0)
        return
    row.update(failures=F("failures") + 1)
    off = "gone" if answer.is_gone else "failures"
    tired = row.filter(disabled="") if answer.is_gone else row.filter(failures__gte=MOST_FAILURES)
    if tired.filter(disabled="").update(disabled=off):
        endpoints.drop_waiting(row.get().pk)


def _why(answer: Answer) -> str:
    if answer.why or answer.status is None:
        return answer.why
    if answer.is_good:
        return ""
    return "redirect" if 300 <= answer.status < 400 else "refused"


def _end(several: Iterable[Delivery], state: str, status: int | None = None, why: str = "") -> None:
    waiting = Delivery.objects.filter(pk__in=[one.pk for one in several], state="waiting")
    waiting.update(state=state, status=status, why=why, next_at=None, done_at=timezone.now())

"""Deliveries: which there are, which are due, sending them, noting what came of it.

Taking pushes ``next_at`` a lease ahead, so that a delivery whose worker dies is due again. A
delivery is therefore made **at least once**: a worker that dies between the answer of a receiver
and its note makes it again, with the same id, and the receiver can see that (``webhook-id``,
``Message-ID``, the tag of a push message). In every other case it is made once. What was skipped,
because its person has the page open or it holds no more, is not made at all.

Calls are made in threads, reads and writes in the one of the task. A webhook that hangs keeps few
threads busy (`taking`), and no computer's turn: this is a worker of its own.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.notifications import channels, endpoints
from accounts.notifications.choices import choices_of, may_be_mailed, next_daily, quiet_until
from accounts.notifications.models import (
    MATCH,
    PING,
    Attempt,
    Cause,
    Choices,
    Delivery,
    Endpoint,
    Subscription,
)
from accounts.notifications.outbox import is_looking
from accounts.notifications.outward import Answer
from config.offers import offered_by_name
from config.tasks.duties import Duty
from config.tasks.rows import each
from config.telemetry.pulse import pulse

# Outcomes of calls: noted, tried again with a back-off, given up; webhooks turned off.

# Two days together.
AGAIN_AFTER: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440)
)
MOST_FAILURES: Final = 50  # of a webhook, in a row
_GONE: Final = frozenset({404, 410})  # a browser's address that is no more


log = structlog.get_logger(__name__)


class Job(NamedTuple):
    """Deliveries that one call makes: several in the mail of a day."""

    deliveries: tuple[Delivery, ...]
    call: Callable[[], Answer]

    @property
    def endpoint(self) -> Endpoint | None:
        return self.deliveries[0].endpoint


Finished = tuple[Job, "Future[Answer]"]


def settle(finished: Sequence[Finished]) -> None:
    """Notes what came of it. What fails here is made again when its lease is over."""
    good = [one for one in finished if _is_good(one)]
    try:
        _note_good(good)
    except Exception:
        log.exception("deliveries_not_noted", number=len(good))
        good = []
    for job, future in finished:
        if (job, future) in good:
            continue
        try:
            _note(job, future.result())
        except Exception:
            log.exception("delivery_not_noted", deliveries=[str(one.pk) for one in job.deliveries])


def _is_good(one: Finished) -> bool:
    _, future = one
    return future.exception() is None and future.result().is_good


@transaction.atomic
def _note_good(finished: Sequence[Finished]) -> None:
    """All that was taken, in a few statements. A later worker's note of success stays."""
    if not finished:
        return
    answers = [(job, future.result()) for job, future in finished]
    _log(answers)
    called = {one.endpoint_id for job, _ in answers for one in job.deliveries if one.endpoint_id}
    Endpoint.objects.filter(pk__in=called).exclude(failures=0).update(failures=0)
    for status in {answer.status for _, answer in answers}:
        same = [one for job, answer in answers if answer.status == status for one in job.deliveries]
        end(same, "sent", status)


@transaction.atomic
def _note(job: Job, answer: Answer) -> None:
    """The answer of a call, and what follows from it."""
    _log([(job, answer)])
    _count(job.deliveries[0], answer)
    if answer.is_good:
        end(job.deliveries, "sent", answer.status)
    else:
        for delivery in job.deliveries:
            try_again(delivery, answer)


def _log(answers: Sequence[tuple[Job, Answer]]) -> None:
    calls = {one.pk: answer for job, answer in answers for one in job.deliveries}
    there = Delivery.objects.filter(pk__in=calls)  # one may be deleted with its account
    Attempt.objects.bulk_create(
        Attempt(
            delivery_id=pk,
            status=calls[pk].status,
            milliseconds=calls[pk].milliseconds,
            why=_why(calls[pk]),
            answer=calls[pk].text,
        )
        for pk in there.values_list("pk", flat=True)
    )


def try_again(delivery: Delivery, answer: Answer) -> None:
    if delivery.attempts > len(AGAIN_AFTER) or _is_refused(delivery, answer):
        end([delivery], "failed", answer.status, _why(answer))
        return
    at = timezone.now() + AGAIN_AFTER[delivery.attempts - 1]
    waiting = Delivery.objects.filter(pk=delivery.pk, state="waiting")
    waiting.update(next_at=at, status=answer.status, why=_why(answer))


def _is_refused(delivery: Delivery, answer: Answer) -> bool:
    """A mail server that refuses for good is not asked again, and a test call is made once."""
    if delivery.cause.kind == PING:
        return True
    return delivery.channel == "mail" and (answer.status or 0) in channels.PERMANENT


def _count(delivery: Delivery, answer: Answer) -> None:
    """Failures in a row turn a webhook off; a browser that is gone is forgotten."""
    if delivery.subscription is not None and answer.status in _GONE:
        delivery.subscription.delete()
    if delivery.endpoint is None:
        return
    row = Endpoint.objects.filter(pk=delivery.endpoint.pk)
    if answer.is_good:
        row.exclude(failures=0).update(failures=0)
        return
    if delivery.cause.kind == PING and not answer.is_gone:
        return
    row.update(failures=F("failures") + 1)
    off = "gone" if answer.is_gone else "failures"
    tired = row.filter(disabled="") if answer.is_gone else row.filter(failures__gte=MOST_FAILURES)
    if tired.filter(disabled="").update(disabled=off):
        endpoints.drop_waiting(delivery.endpoint.pk)


def _why(answer: Answer) -> str:
    if answer.why or answer.status is None:
        return answer.why
    if answer.is_good:
        return ""
    return "redirect" if 300 <= answer.status < 400 else "refused"


def end(several: Iterable[Delivery], state: str, status: int | None = None, why: str = "") -> None:
    waiting = Delivery.objects.filter(pk__in=[one.pk for one in several], state="waiting")
    waiting.update(state=state, status=status, why=why, next_at=None, done_at=timezone.now())


# From causes to deliveries: who is told on which channel, and when.

MOST_AT_ONCE: Final = 500
# People who play on are not written to; programs are called at once.
GRACE: Final = {"your_turn": timedelta(seconds=60)}


class Wishes:
    """The choices of the accounts of some causes, in three statements."""

    def __init__(self, accounts: set[UUID]) -> None:
        rows = Choices.objects.filter(account__in=accounts)
        self.choices = {row.account_id: row for row in rows}
        self.endpoints: defaultdict[UUID, list[Endpoint]] = defaultdict(list)
        for endpoint in Endpoint.objects.filter(account__in=accounts, disabled=""):
            self.endpoints[endpoint.account_id].append(endpoint)
        self.browsers: defaultdict[UUID, list[Subscription]] = defaultdict(list)
        for browser in Subscription.objects.filter(account__in=accounts):
            self.browsers[browser.account_id].append(browser)


@transaction.atomic
def route() -> int:
    """Writes the deliveries of causes that are due; how many causes. Two workers take others."""
    now = timezone.now()
    due = Cause.objects.filter(routed_at=None, due_at__lte=now).order_by("due_at")
    causes = list(due.select_for_update(skip_locked=True)[:MOST_AT_ONCE])
    if not causes:
        return 0
    wishes = Wishes({cause.account_id for cause in causes})
    routed = each(
        "deliveries",
        causes,
        lambda cause: (cause.pk, list(_deliveries(cause, wishes, now))),
        key=lambda cause: f"cause {cause.pk}",
        whole=True,
    )
    rows = [delivery for _, some in routed for delivery in some]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    Cause.objects.filter(pk__in=[pk for pk, _ in routed]).update(routed_at=now)
    return len(causes)


def _is_told(endpoint: Endpoint, cause: Cause) -> bool:
    """A cause of a match names the one webhook that it is for."""
    named = cause.payload.get("webhook", str(endpoint.pk))
    return cause.kind in endpoint.kinds and named == str(endpoint.pk)


def _deliveries(cause: Cause, wishes: Wishes, now: datetime) -> Iterator[Delivery]:
    for endpoint in wishes.endpoints[cause.account_id]:
        if _is_told(endpoint, cause):
            yield Delivery(cause=cause, channel="hook", endpoint=endpoint, next_at=now)
    choices = wishes.choices.get(cause.account_id)
    if choices is None:
        return
    later = now + GRACE.get(cause.kind, timedelta())
    if settings.MAIL_IS_SET_UP and cause.kind in choices.mail:
        yield Delivery(cause=cause, channel="mail", next_at=later)
    elif settings.MAIL_IS_SET_UP and cause.kind in choices.daily:
        yield Delivery(cause=cause, channel="mail", daily=True, next_at=next_daily(choices, now))
    if settings.VAPID_PRIVATE_KEY and cause.kind in choices.push:
        for browser in wishes.browsers[cause.account_id]:
            yield Delivery(cause=cause, channel="push", subscription=browser, next_at=later)


# Which due deliveries are made next: the oldest first, and few of a webhook that fails.
#
# A webhook that hangs holds a thread for ten seconds each time. One whose last call failed is
# called one at a time, and all of those together hold half of the threads at most, so that
# however many of them hang, those that answer are called on.

THREADS: Final = 32
PER_ENDPOINT: Final = 4
MOST_SHAKY: Final = THREADS // 2
LEASE: Final = timedelta(seconds=90)

_DUE: Final = """
SELECT id, shaky FROM (
    SELECT d.id, d.next_at, d.endpoint_id, coalesce(e.failures > 0, false) AS shaky,
        row_number() OVER (PARTITION BY d.endpoint_id ORDER BY d.next_at) AS place
    FROM notifications_delivery d LEFT JOIN notifications_endpoint e ON e.id = d.endpoint_id
    WHERE d.state = 'waiting' AND d.next_at <= now()
        AND NOT coalesce(d.endpoint_id = ANY(%s), false) AND (%s OR coalesce(e.failures, 0) = 0)
    ORDER BY d.next_at LIMIT 1000
) due WHERE endpoint_id IS NULL OR place <= CASE WHEN shaky THEN 1 ELSE %s END
ORDER BY next_at LIMIT %s
"""
_TAKE: Final = """
UPDATE notifications_delivery
SET next_at = now() + make_interval(secs => %s), attempts = attempts + 1
WHERE id IN (
    SELECT id FROM notifications_delivery
    WHERE id = ANY(%s) AND state = 'waiting' AND next_at <= now() FOR UPDATE SKIP LOCKED
) RETURNING id
"""


def take_deliveries(
    most: int, busy: Sequence[Endpoint] = (), *, shaky: bool = True
) -> list[Delivery]:
    """Takes what is due, so that nobody else takes it now; ``busy`` are the webhooks called now.

    Without ``shaky`` none of a webhook whose last call failed.
    """
    room = MOST_SHAKY - sum(_is_shaky(one) for one in busy)
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [_full(busy), shaky and room > 0, PER_ENDPOINT, most])
        ids = list(_within(cursor.fetchall(), room))
        if not ids:
            return []
        cursor.execute(_TAKE, [LEASE.total_seconds(), ids])
        taken = [row[0] for row in cursor.fetchall()]
    rows = Delivery.objects.filter(pk__in=taken).order_by("next_at", "pk")
    return list(rows.select_related("cause__account", "endpoint", "subscription"))


def _full(busy: Sequence[Endpoint]) -> list[UUID]:
    """The deliveries that are not called once more beside their calls of now."""
    calls = Counter(one.pk for one in busy)
    shaky = {one.pk for one in busy if _is_shaky(one)}
    return [pk for pk, number in calls.items() if pk in shaky or number >= PER_ENDPOINT]


def _is_shaky(endpoint: Endpoint) -> bool:
    return endpoint.failures > 0


def _within(rows: Sequence[tuple[UUID, bool]], room: int) -> Iterator[UUID]:
    """The ids, with as many of shaky webhooks as there is room for."""
    for delivery, is_shaky in rows:
        room -= is_shaky
        if not is_shaky or room >= 0:
            yield delivery


SECONDS: Final = 8.0  # that a task takes whatever is due
TICK: Final = 0.1  # after which what has ended is noted, though others have not
LONGER: Final = 10.0  # that it goes on with what answers, until the calls that hang have ended


def deliver(seconds: float = SECONDS) -> int:
    """Makes what is due until nothing is, or the time is up; how many calls were made.

    A call may take ten seconds. While the last ones are waited for, what answers is called on.
    """
    ends, made = time.monotonic() + seconds, 0
    running: dict[Future[Answer], Job] = {}
    with ThreadPoolExecutor(THREADS, thread_name_prefix="deliver") as pool:
        while True:
            left = ends - time.monotonic()
            if left > -LONGER:
                route()
                for job in _next_jobs(running.values(), shaky=left > 0):
                    running[pool.submit(job.call)] = job
            if not running:
                return made
            done, _ = wait(running, timeout=TICK)
            pulse.waits()
            finished = [(running.pop(future), future) for future in done]
            settle(finished)
            made += len(finished)


def _next_jobs(running: Iterable[Job], *, shaky: bool) -> list[Job]:
    busy = list(running)
    if len(busy) == THREADS:
        return []
    called = [job.endpoint for job in busy if job.endpoint is not None]
    return list(_jobs(take_deliveries(THREADS - len(busy), called, shaky=shaky)))


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
            try_again(one, Answer(None, "broken", 0))
        return None


def _call_of(several: Sequence[Delivery], choices: Choices) -> Callable[[], Answer]:
    delivery = several[0]
    if delivery.endpoint is not None:
        return channels.webhook_call(delivery, delivery.endpoint)
    if delivery.subscription is not None:
        return channels.push_call(delivery, delivery.subscription, choices.time_zone)
    return channels.mail_call(several, choices)


def _is_wanted(delivery: Delivery, choices: Choices) -> bool:
    """Whether it is still to be made now; else it is skipped, or waits for the end of the night."""
    why = _reason_to_skip(delivery, choices)
    if why:
        end([delivery], "skipped", why=why)
        return False
    until = quiet_until(choices, timezone.now()) if delivery.endpoint is None else None
    if until is not None:
        waiting = Delivery.objects.filter(pk=delivery.pk, state="waiting")
        waiting.update(next_at=until, attempts=F("attempts") - 1)
    return until is None


def _reason_to_skip(delivery: Delivery, choices: Choices) -> str:
    cause, endpoint = delivery.cause, delivery.endpoint
    if not cause.account.is_active:
        return "closed"
    if endpoint is not None and endpoint.disabled:
        return "off"
    if endpoint is not None and cause.kind != MATCH:
        return ""
    if endpoint is None and not _is_chosen(delivery, choices):
        return "off"
    if endpoint is None and not delivery.daily and is_looking(cause.account_id):
        return "seen"
    holds = offered_by_name("cause_holds").get(cause.kind)
    return "" if holds is None or holds(cause.account_id, cause.payload) else "over"


def _is_chosen(delivery: Delivery, choices: Choices) -> bool:
    kind = delivery.cause.kind
    if delivery.channel == "push":
        return kind in choices.push and bool(settings.VAPID_PRIVATE_KEY)
    chosen = kind in choices.mail or kind in choices.daily
    return chosen and may_be_mailed(choices, delivery.cause.account)


def ask_and_deliver() -> None:
    channels.ask_addresses()
    deliver()


DELIVERIES: Final = Duty(
    name="deliveries",
    kind="outward",
    piece=ask_and_deliver,
    due="""
SELECT next_at, NULL FROM notifications_delivery WHERE state = 'waiting' AND next_at <= %(now)s
UNION ALL SELECT due_at, 'cause ' || id FROM notifications_cause
WHERE routed_at IS NULL AND due_at <= %(now)s
UNION ALL SELECT ask_at, NULL FROM notifications_choices WHERE ask_at <= %(now)s""",
    is_look=True,  # one of a webhook that hangs waits for its turn
)

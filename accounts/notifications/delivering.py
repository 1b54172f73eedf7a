"""Making due deliveries: each is taken, called and noted, many at a time.

Taking pushes ``next_at`` a lease ahead, so that a delivery whose worker dies is due again. A
delivery is therefore made **at least once**: a worker that dies between the answer of a receiver
and its note makes it again, with the same id, and the receiver can see that (``webhook-id``,
``Message-ID``, the tag of a push message). In every other case it is made once. What was skipped,
because its person has the page open or it holds no more, is not made at all.

Calls are made in threads, reads and writes in the one of the task. A webhook that hangs keeps few
threads busy (`taking`), and no computer's turn: this is a worker of its own.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import F
from django.utils import timezone

from accounts.notifications.choices import choices_of, may_be_mailed, quiet_until
from accounts.notifications.hooks import posting as hook
from accounts.notifications.kinds import MATCH
from accounts.notifications.looking import is_looking
from accounts.notifications.mail import asking
from accounts.notifications.mail import sending as mail
from accounts.notifications.models import Choices, Delivery
from accounts.notifications.noting import Job, end, settle, try_again
from accounts.notifications.outward.calling import Answer
from accounts.notifications.push import pushing as push
from accounts.notifications.routing import route
from accounts.notifications.taking import THREADS, take
from config.offers import offered_by_name
from config.tasks.duties import Duty
from config.telemetry.pulse import pulse

SECONDS: Final = 8.0  # that a task takes whatever is due
TICK: Final = 0.1  # after which what has ended is noted, though others have not
LONGER: Final = 10.0  # that it goes on with what answers, until the calls that hang have ended
log = structlog.get_logger(__name__)


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
    return list(_jobs(take(THREADS - len(busy), called, shaky=shaky)))


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
        return hook.call_of(delivery, delivery.endpoint)
    if delivery.subscription is not None:
        return push.call_of(delivery, delivery.subscription, choices.time_zone)
    return mail.call_of(several, choices)


def _is_wanted(delivery: Delivery, choices: Choices) -> bool:
    """Whether it is still to be made now; else it is skipped, or waits for the end of the night."""
    why = _reason_to_skip(delivery, choices)
    if why:
        end([delivery], "skipped", why=why)
        return False
    until = quiet_until(choices, timezone.now()) if delivery.endpoint is None else None
    if until is not None:
        _postpone(delivery, until)
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


def _postpone(delivery: Delivery, until: datetime) -> None:
    waiting = Delivery.objects.filter(pk=delivery.pk, state="waiting")
    waiting.update(next_at=until, attempts=F("attempts") - 1)


def ask_and_deliver() -> None:
    asking.ask_all()
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

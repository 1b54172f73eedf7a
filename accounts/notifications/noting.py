"""What came of calls: noted, tried again with a back-off, given up; webhooks turned off."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from datetime import timedelta
from typing import Final, NamedTuple

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.notifications.hooks import endpoints
from accounts.notifications.mail import sending as mail
from accounts.notifications.models import Attempt, Delivery, Endpoint
from accounts.notifications.outward.calling import Answer

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
    """What came back, and what follows from it."""
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
    """A mail server that refuses for good is not asked again."""
    return delivery.channel == "mail" and (answer.status or 0) in mail.PERMANENT


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

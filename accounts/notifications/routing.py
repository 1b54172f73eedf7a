"""From causes to deliveries: who is told on which channel, and when."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.notifications.choices import next_daily
from accounts.notifications.models import Cause, Choices, Delivery, Endpoint, Subscription
from config.tasks.rows import each

MOST_AT_ONCE: Final = 500
# People who play on are not written to; programs are called at once.
GRACE: Final = {"your_turn": timedelta(seconds=60)}


class Wishes:
    """What the accounts of some causes chose, in three statements."""

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

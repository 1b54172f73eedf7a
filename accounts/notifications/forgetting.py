"""What is kept of an account here: handing it out, deleting it; and what is too old to keep."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.notifications.choices import choices_of
from accounts.notifications.models import Cause, Choices, Delivery, Endpoint, Subscription
from config.tasks.duties import Duty


def data_of(account: UUID) -> dict[str, Any]:
    """As plain values; the secrets of webhooks and browsers stay here."""
    row = choices_of(account)
    names = ("mail", "daily", "push", "mail_address", "time_zone")
    times = ("quiet_from", "quiet_until", "daily_at")
    causes = Cause.objects.filter(account=account).order_by("id")
    deliveries = Delivery.objects.filter(cause__account=account).order_by("id")
    return {
        "choices": {name: getattr(row, name) for name in names + times},
        "webhooks": list(
            Endpoint.objects.filter(account=account).values("id", "name", "url", "kinds", "topic")
        ),
        "browsers": list(
            Subscription.objects.filter(account=account).values("browser", "created_at")
        ),
        "messages": list(causes.values("kind", "created_at")),
        "deliveries": list(deliveries.values("channel", "state", "created_at", "done_at")),
    }


def forget(account: UUID) -> None:
    for model in (Cause, Choices, Endpoint, Subscription):
        model.objects.filter(account=account).delete()


def forget_old() -> int:
    """Deletes causes that nobody waits for any more; how many."""
    days = settings.RETENTION["notifications"]
    if not days:
        return 0
    old = Cause.objects.filter(created_at__lt=timezone.now() - timedelta(days=days))
    waiting = Delivery.objects.filter(state="waiting").values("cause")
    return old.exclude(pk__in=waiting).exclude(routed_at=None).delete()[0]


FORGOTTEN: Final = Duty(name="old notifications", piece=forget_old, every=3600)

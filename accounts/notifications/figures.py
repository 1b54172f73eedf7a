"""What is true of the queue, for Prometheus: how much waits, and for how long already."""

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone

from accounts.notifications.models import Cause, Delivery
from config.monitoring.installation import Figure


def figures() -> Iterator[Figure]:
    now = timezone.now()
    due = Delivery.objects.filter(state="waiting", next_at__lte=now).order_by()
    waiting = due.aggregate(count=Count("pk"), oldest=Min("next_at"))
    unrouted = Cause.objects.filter(routed_at=None, due_at__lte=now).order_by()
    oldest = unrouted.aggregate(oldest=Min("due_at"))["oldest"]
    times = [at for at in (waiting["oldest"], oldest) if at is not None]
    age = (now - min(times)).total_seconds() if times else 0.0
    failed = Delivery.objects.filter(state="failed").count()
    yield Figure("cardroom_deliveries_due", "Deliveries that are due", float(waiting["count"]))
    yield Figure("cardroom_delivery_overdue_seconds", "Since the oldest was due", age)
    yield Figure("cardroom_deliveries_failed", "Deliveries that were given up", float(failed))

"""Which due deliveries are made next: the oldest first, and few of a webhook that fails.

A webhook that hangs holds a thread for ten seconds each time. One whose last call failed is called
one at a time, and all of those together hold half of the threads at most, so that however many of
them hang, those that answer are called on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import connection

from accounts.notifications.models import Delivery, Endpoint

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


def take(most: int, busy: Sequence[Endpoint] = (), *, shaky: bool = True) -> list[Delivery]:
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
    """Those that are not called once more beside their calls of now."""
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

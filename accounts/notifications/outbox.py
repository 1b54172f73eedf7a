"""Writing causes. This is what other rooms call, in the transaction of what caused them::

    with transaction.atomic():
        challenge.save()
        owe(account.pk, "challenge", f"challenge:{challenge.pk}", {"person": str(me.pk), …})

A key names one fact for one account; the second time nothing is written. One statement, and no row
for an account that wants to be told of this kind on no channel: who has chosen nothing costs
nothing. What is read by people is written by `wording` from the payload, so it holds ids and plain
values (`wording.FIELDS`), never a card, a seed, a key or another person's name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone

from accounts.notifications.models import Cause, Delivery, HookKind, Kind
from config.monitoring.installation import Figure


class Owed(NamedTuple):
    """A cause that is not written yet."""

    account_id: UUID
    kind: HookKind
    key: str
    payload: Mapping[str, Any]
    due_at: datetime | None = None


# Active accounts only. A person who is erased at this moment holds the row: none is written after.
_OWE: Final = """
INSERT INTO notifications_cause (account_id, kind, key, payload, due_at)
SELECT v.account_id, v.kind, v.key, v.payload, v.due_at
FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::jsonb[], %s::timestamptz[])
    AS v(account_id, kind, key, payload, due_at)
JOIN accounts_user u ON u.id = v.account_id AND u.is_active
WHERE EXISTS (SELECT 1 FROM notifications_choices c WHERE c.account_id = v.account_id
        AND (v.kind = ANY(c.mail) OR v.kind = ANY(c.daily) OR v.kind = ANY(c.push)))
    OR EXISTS (SELECT 1 FROM notifications_endpoint e WHERE e.account_id = v.account_id
        AND e.disabled = '' AND v.kind = ANY(e.kinds))
ORDER BY v.account_id FOR KEY SHARE OF u
ON CONFLICT (key) DO NOTHING
"""

_WANTING: Final = """
SELECT account_id FROM notifications_choices
WHERE %s = ANY(mail) OR %s = ANY(daily) OR %s = ANY(push)
UNION
SELECT account_id FROM notifications_endpoint WHERE disabled = '' AND %s = ANY(kinds)
"""


def owe(account_id: UUID, kind: Kind, key: str, payload: Mapping[str, Any]) -> None:
    """Notify this account, not before ``due_at`` of the cause, which is now."""
    owe_all([Owed(account_id, kind, key, payload)])


def owe_all(causes: Iterable[Owed]) -> int:
    """The same of several, in one statement; how many were new and wanted."""
    rows, now = list(causes), timezone.now()
    if not rows:
        return 0
    columns: list[list[Any]] = [
        [row.account_id for row in rows],
        [row.kind for row in rows],
        [row.key for row in rows],
        [msgspec.json.encode(row.payload).decode() for row in rows],
        [row.due_at or now for row in rows],
    ]
    with connection.cursor() as cursor:
        cursor.execute(_OWE, columns)
        return int(cursor.rowcount)


def wanting(kind: Kind) -> list[UUID]:
    """The accounts with this kind on any channel, for rooms that derive causes."""
    with connection.cursor() as cursor:
        cursor.execute(_WANTING, [kind] * 4)
        return [row[0] for row in cursor.fetchall()]


def keys_not_owed(keys: Collection[str]) -> list[str]:
    """The keys for which no cause is written yet, in their order."""
    known = Cause.objects.filter(key__in=list(keys)) if keys else Cause.objects.none()
    written = set(known.values_list("key", flat=True))
    return [key for key in keys if key not in written]


# The people who have a page open. Kept in the cache for seconds and nowhere else.
#
# A program that listens with a key looks at no page.

SECONDS: Final = 15  # streams are looked at every five


def note_looking(accounts: Collection[UUID]) -> None:
    if accounts:
        cache.set_many(dict.fromkeys(map(_key, accounts), 1), timeout=SECONDS)


def is_looking(account: UUID) -> bool:
    return cache.get(_key(account)) is not None


def _key(account: UUID) -> str:
    return f"looking:{account}"


# Figures of the queue, for Prometheus: how much waits, and for how long already.


def queue_figures() -> Iterator[Figure]:
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

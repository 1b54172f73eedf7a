"""Every read of a seek."""

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.social.models import Block
from games.lobby.grouping import Company, Pair
from games.lobby.models import Seek
from games.lobby.refusals import NoSuchSeek

SHOWN: Final = timedelta(minutes=10)  # a seek that waits no longer
MOST_SHOWN: Final = 20
OPENS: Final = timedelta(seconds=60)  # a page that was away learns of its match

_QUEUES = """
SELECT game, pace, count(*) FILTER (WHERE match_id IS NULL),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM paired_at - created_at))
        FILTER (WHERE match_id IS NOT NULL)
FROM lobby_seek
WHERE ended_at IS NULL AND (match_id IS NULL OR paired_at > now() - interval '1 hour')
GROUP BY game, pace ORDER BY game, pace
"""

# The last two matches of each account, and who was paired into both of them.
_TWICE = """
WITH last AS (
    SELECT person.id AS account_id, found.match_id FROM unnest(%s::uuid[]) AS person(id), LATERAL (
        SELECT match_id FROM lobby_seek
        WHERE account_id = person.id AND match_id IS NOT NULL ORDER BY id DESC LIMIT 2
    ) AS found
)
SELECT last.account_id, other.account_id FROM last
JOIN lobby_seek other ON other.match_id = last.match_id AND other.account_id <> last.account_id
GROUP BY 1, 2 HAVING count(*) = 2
"""


class Queue(NamedTuple):
    """How many people wait for a game at a pace, and how long it took lately, in seconds."""

    game: str
    pace: str
    waiting: int
    seconds: int | None


def waiting() -> QuerySet[Seek]:
    return Seek.objects.filter(match__isnull=True, ended_at__isnull=True)


def seeks_of(account: UUID) -> QuerySet[Seek]:
    """Those that wait, and those that ended or were paired a while ago, the newest first."""
    since = timezone.now() - SHOWN
    shown = Q(match__isnull=True, ended_at__isnull=True)
    shown |= Q(paired_at__gt=since) | Q(ended_at__gt=since)
    return Seek.objects.filter(shown, account=account).order_by("-id")


def seek_of(account: UUID | None, seek_id: UUID) -> Seek:
    """Raises NoSuchSeek."""
    rows = Seek.objects.filter(id=seek_id, account=account).first()
    if rows is None:
        raise NoSuchSeek
    return rows


def queues() -> list[Queue]:
    """Of each game and pace for which somebody waits, or was paired in the last hour."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUES)
        return [
            Queue(game, pace, count, None if median is None else round(median))
            for game, pace, count, median in cursor.fetchall()
        ]


def queue_of(seek: Seek) -> Queue:
    """The queue in which a seek waits, or waited."""
    return queue_among(queues(), seek)


def queue_among(queues: Iterable[Queue], seek: Seek) -> Queue:
    rows = (one for one in queues if (one.game, one.pace) == (seek.game, seek.pace))
    return next(rows, Queue(seek.game, seek.pace, 0, None))


def paired_lately(accounts: Collection[UUID]) -> dict[UUID, UUID]:
    """The newest match into which each of these accounts was paired a moment ago."""
    lately = Seek.objects.filter(
        account__in=accounts,
        paired_at__gt=timezone.now() - OPENS,
        match__status="active",
    ).order_by("paired_at")
    rows: dict[UUID, UUID] = dict(lately.values_list("account_id", "match_id"))
    return rows


def company_of(accounts: Collection[UUID]) -> Company:
    """Which of these accounts blocked each other, and which met twice in a row."""
    if len(accounts) < 2:
        return Company()
    return Company(blocks_among(accounts), _met_twice(accounts))


def blocks_among(accounts: Collection[UUID]) -> set[Pair]:
    rows = Block.objects.filter(owner__in=accounts, blocked__in=accounts)
    return {frozenset(pair) for pair in rows.values_list("owner_id", "blocked_id")}


def _met_twice(accounts: Collection[UUID]) -> set[Pair]:
    with connection.cursor() as cursor:
        cursor.execute(_TWICE, [list(accounts)])
        rows: list[tuple[Any, Any]] = cursor.fetchall()
    return {frozenset(pair) for pair in rows}

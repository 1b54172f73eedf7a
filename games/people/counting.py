"""Counts finished matches: results, tallies and meetings, each match once.

A duty. One statement inserts the results that are not there yet and adds to the tallies what it
inserted, so that a result is counted exactly if it is stored. One process counts at a time. A match
that cannot be counted stands in nobody's way; it is tried again after a growing pause.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.standing import CLOSED_SQL
from config.postgres.rows import Rows
from config.tasks import rows as of_duties
from config.tasks.duties import Duty
from games.matches.models import Match
from games.people.counted import NUMBERS, meetings_of, tallies_of
from games.people.finished import Earned, finished_matches, results_of
from games.people.models import Progress, Result

LATEST_COMMIT: Final = timedelta(seconds=60)  # a match may become visible so long after its end
AT_ONCE: Final = 500
NAME: Final = "results"
LAG: Final = timedelta(seconds=60)  # then the cursor is written though nothing moved
LOCK: Final = 0x70656F706C65
_BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)
_ADDED: Final = ", ".join(f"{name} = t.{name} + excluded.{name}" for name in NUMBERS)
_ROWS: Final = Rows(
    {"match_id": "uuid", "account_id": "uuid", "game": "text", "side": "integer"}
    | {"outcome": "text", "place": "integer", "bot": "text", "is_public": "boolean"}
)
COLUMNS: Final = ", ".join(Earned._fields)

# An erasure takes the same lock of its account: what it deleted is not written again.
_STORE: Final = f"""
INSERT INTO people_result ({COLUMNS})
SELECT {", ".join(f"v.{name}" for name in Earned._fields)} FROM {{rows}}
JOIN accounts_user u ON u.id = v.account_id AND NOT ({CLOSED_SQL})
ORDER BY v.account_id FOR KEY SHARE OF u
ON CONFLICT (match_id, account_id) DO NOTHING
RETURNING {COLUMNS}
"""  # noqa: S608 - the names are our own

_COUNT: Final = f"""
WITH stored AS ({_STORE}), tallies AS (
    INSERT INTO people_tally AS t (account_id, game, bot, won, drawn, lost)
    {tallies_of("stored")}
    ON CONFLICT (account_id, game, bot) DO UPDATE SET {_ADDED}
), meetings AS (
    INSERT INTO people_meeting AS t (account_id, opponent_id, game, won, drawn, lost)
    {meetings_of("stored")}
    ON CONFLICT (account_id, opponent_id, game) DO UPDATE SET {_ADDED}
)
SELECT count(*) FROM stored
"""  # noqa: S608 - the names are our own
_STORE_ONLY: Final = f"WITH stored AS ({_STORE}) SELECT count(*) FROM stored"  # noqa: S608


def count_finished(*, most: int = 20_000) -> int:
    """Counts what finished since the last time, and says how many results that were."""
    begun, counted, looked_at = timezone.now(), 0, 0
    after: tuple[datetime, UUID] | None = None
    while looked_at < most:
        with transaction.atomic():
            if not lock():
                break  # another process counts
            progress = Progress.objects.first() or Progress(until=_BEGINNING)
            matches = _next(progress.until - LATEST_COMMIT, after)
            if after is None:
                matches = _again(matches) + matches
            new = sum(of_duties.batch(NAME, matches, _count, key=lambda match: match.id))
            done = len(matches) < AT_ONCE
            _advance(progress, begun if done else _end(matches[-1]), begun, moved=new > 0)
            counted += new
        if done:
            break
        looked_at += len(matches)
        after = _end(matches[-1]), matches[-1].id
        if of_duties.is_over():
            of_duties.more()
            break
    return counted


def _count(matches: Sequence[Match]) -> int:
    return count(results_of(matches))


def _again(beside: Sequence[Match]) -> list[Match]:
    """Those that failed and whose pause is over; the cursor may be far behind them."""
    ids = of_duties.to_try_again(NAME)
    again = list(finished_matches().filter(id__in=ids)) if ids else []
    of_duties.forget(NAME, set(ids) - {str(match.id) for match in again})
    known = {match.id for match in beside}
    return [match for match in again if match.id not in known]


def lock(*, wait: bool = False) -> bool:
    """Until the transaction ends nobody else counts."""
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        return bool(cursor.fetchone()[0])


def count(results: Sequence[Earned]) -> int:
    """Stores and counts those that are not stored yet."""
    return _execute(_COUNT, results)


def store(results: Sequence[Earned]) -> None:
    """Stores results whose tallies are counted again afterwards."""
    _execute(_STORE_ONLY, results)


def _execute(sql: str, results: Sequence[Earned]) -> int:
    if not results:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("{rows}", _ROWS.sql(results)), _ROWS.values(results))
        return int(cursor.fetchone()[0])


def _next(since: datetime, after: tuple[datetime, UUID] | None) -> list[Match]:
    """The matches to look at next, in the order of their ends."""
    rows = finished_matches().filter(finished_at__gte=since)
    if after is not None:
        at, match_id = after
        rows = rows.filter(Q(finished_at__gt=at) | Q(finished_at=at, id__gt=match_id))
    rows = rows.filter(~Exists(Result.objects.filter(match=OuterRef("pk"))))
    return list(rows.order_by("finished_at", "id")[:AT_ONCE])


def _end(match: Match) -> datetime:
    return match.finished_at or _BEGINNING


def _advance(progress: Progress, to: datetime, begun: datetime, *, moved: bool) -> None:
    """Never beyond the beginning of this count: what ended since is for the next.

    Where nothing was counted it is written once a minute: an idle service writes nothing.
    """
    until = max(progress.until, min(to, begun))
    if moved or until - progress.until >= LAG:
        progress.until = until
        progress.save()


RESULTS: Final = Duty(
    name=NAME,
    piece=count_finished,
    due="""
SELECT CASE WHEN m.finished_at > p.until THEN m.finished_at END, m.id::text
FROM (SELECT coalesce(max(until), '2000-01-01') until FROM people_progress) p, games_match m
WHERE m.status = 'finished' AND m.finished_at > p.until - interval '60 seconds'
    AND m.parent_id IS NULL AND NOT m.coached AND m.game = ANY(%(games)s)
    AND EXISTS (SELECT FROM games_seat s WHERE s.match_id = m.id AND s.kind = 'user')
    AND NOT EXISTS (SELECT FROM people_result r WHERE r.match_id = m.id)
UNION ALL SELECT NULL, NULL FROM people_progress WHERE until < %(now)s - interval '60 seconds'
    AND EXISTS (SELECT FROM games_match
        WHERE status = 'finished' AND finished_at > until - interval '60 seconds')
UNION ALL SELECT next_at, row FROM config_trouble
WHERE duty = 'results' AND row <> '' AND next_at <= %(now)s""",
    every=1,
)

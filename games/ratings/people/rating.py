"""Keeps the fold as rows: matches that finished are added, annulled ones taken out.

The beat calls it; one process folds at a time. A match that became visible late, or is taken out,
stands before others: those of its players, and of all whom they met since, are folded again from
there on, so that the rows do not depend on the order in which they were read.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.matches.models import Match
from games.mirrored.selectors import matches_of_the_same_sets
from games.people.counting import LATEST_COMMIT
from games.ratings.models import RatedMatch, RatingEra
from games.ratings.people.facts import Facts, facts_of, rated_matches
from games.ratings.people.splicing import splice

AT_ONCE: Final = 500
LOCK: Final = 0x726174696E67

BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)

Position = tuple[datetime, UUID]


class Work(NamedTuple):
    """What changes on a board."""

    new: list[Facts]
    gone: list[UUID]


def rate_finished(*, most: int = 20_000) -> int:
    """Rates what finished since the last time, and says how many matches that were."""
    begun, rated, looked_at = timezone.now(), 0, 0
    after: Position | None = None
    while looked_at < most:
        with transaction.atomic():
            if not lock():
                break  # another process folds
            era = current_era()
            matches = _next(era, after)
            rated += _fold(facts_of(matches))
            done = len(matches) < AT_ONCE
            after = _end(matches)
            _advance(era, begun if done or after is None else after[0])
        if done:
            break
        looked_at += len(matches)
    return rated


def lock(*, wait: bool = False) -> bool:
    """Until the transaction ends nobody else folds."""
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        return bool(cursor.fetchone()[0])


@transaction.atomic
def annul(matches: Iterable[UUID]) -> int:
    """Takes finished matches out of the ratings; how many. The beat takes back what they changed.

    Of a set of mirrored matches all are taken out with any of them: they are one result.
    The lock keeps a match from being rated between the two statements.
    """
    lock(wait=True)
    ids, now = matches_of_the_same_sets(matches), timezone.now()
    changed = Match.objects.filter(id__in=ids, status="finished", rated=True)
    count = changed.update(rated=False, updated_at=now)
    rated = RatedMatch.objects.filter(match__in=ids, annulled_at=None)
    rated.update(annulled_at=now, is_settled=False)
    return count


def current_era() -> RatingEra:
    """The migration begins it; without it every match counts."""
    return RatingEra.objects.first() or RatingEra(since=BEGINNING, until=BEGINNING)


def _next(era: RatingEra, after: Position | None) -> list[Match]:
    missing = ~Exists(RatedMatch.objects.filter(match=OuterRef("pk")))
    rows = rated_matches(era.since).filter(missing, finished_at__gte=era.until - LATEST_COMMIT)
    if after is not None:
        at, match_id = after
        rows = rows.filter(Q(finished_at__gt=at) | Q(finished_at=at, id__gt=match_id))
    return list(rows.order_by("finished_at", "id")[:AT_ONCE])


def _end(matches: Sequence[Match]) -> Position | None:
    finished = [(one.finished_at, one.id) for one in matches if one.finished_at is not None]
    return finished[-1] if finished else None


def _fold(new: Sequence[Facts]) -> int:
    boards: dict[str, Work] = {}
    for facts in new:
        boards.setdefault(facts.board, Work([], [])).new.append(facts)
    for row in RatedMatch.objects.filter(is_settled=False):
        boards.setdefault(row.board, Work([], [])).gone.append(row.match_id)
    for board in sorted(boards):
        splice(board, boards[board].new, frozenset(boards[board].gone))
    return len(new)


def _advance(era: RatingEra, until: datetime) -> None:
    if era.until < until:
        era.until = until
        era.save()

"""Proves results, tallies and meetings from the matches, and repairs them (``manage.py recount``).

Results are compared with the matches, tallies and meetings with the results. Matches that ended in
the last minute may not be counted yet, and are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from games.absent import of_installed_games
from games.matches.models import Match
from games.people import counting
from games.people.counted import meetings_of, tallies_of
from games.people.counting import LATEST_COMMIT
from games.people.finished import Earned, finished_matches, results_of
from games.people.models import Result

AT_ONCE: Final = 1000


def results(*, mend: bool) -> Iterator[str]:
    """Every result that is not what its match says, as a sentence."""
    while counting.count_finished():
        pass
    before, last = timezone.now() - LATEST_COMMIT, UUID(int=0)
    while True:
        rows = finished_matches().filter(id__gt=last, finished_at__lt=before)
        matches = list(rows.order_by("id")[:AT_ONCE])
        if not matches:
            break
        last = matches[-1].id
        yield from _compare(matches, mend=mend)
    yield from _without_a_match(mend=mend)


def tallies(*, mend: bool) -> Iterator[str]:
    yield from _derived(
        "people_tally", ("account_id", "game", "bot"), tallies_of("people_result"), mend=mend
    )


def meetings(*, mend: bool) -> Iterator[str]:
    key = ("account_id", "opponent_id", "game")
    yield from _derived("people_meeting", key, meetings_of("people_result"), mend=mend)


def _compare(matches: Sequence[Match], *, mend: bool) -> Iterator[str]:
    """The results of these matches, stored and as they follow from them."""
    right: dict[UUID, set[Earned]] = {match.id: set() for match in matches}
    for earned in results_of(matches):
        right[earned.match_id].add(earned)
    stored: defaultdict[UUID, set[Earned]] = defaultdict(set)
    for row in Result.objects.filter(match__in=right).values_list(*Earned._fields):
        stored[row[0]].add(Earned(*row))
    wrong = [match_id for match_id, each in right.items() if each != stored[match_id]]
    for match_id in wrong:
        yield f"match {match_id}: {len(stored[match_id])} results are stored, not as it ended"
    if wrong and mend:
        with transaction.atomic():
            counting.lock(wait=True)
            Result.objects.filter(match__in=wrong).delete()
            counting.store([earned for match_id in wrong for earned in right[match_id]])


def _without_a_match(*, mend: bool) -> Iterator[str]:
    """Results of matches that do not count."""
    counts = Q(match__status="finished", match__parent=None)
    rows = Result.objects.filter(of_installed_games("match__")).exclude(counts)
    for match_id in rows.order_by().values_list("match_id", flat=True).distinct():
        yield f"match {match_id}: it has results and does not count"
    if mend:
        rows.delete()


def _derived(table: str, key: Sequence[str], right: str, *, mend: bool) -> Iterator[str]:
    """The rows of a table that differ from what they are counted from."""
    with transaction.atomic():
        if mend:
            counting.lock(wait=True)
        for row in _differences(table, key, right):
            at, kept, counted = row[: len(key)], row[len(key)], row[len(key) + 1]
            if mend:
                _write(table, key, at, counted)
            yield f"{table} {' '.join(map(str, at))}: {kept} is stored, {counted} counted"


def _differences(table: str, key: Sequence[str], right: str) -> list[tuple[Any, ...]]:
    names, same = ", ".join(key), " AND ".join(f"t.{name} = r.{name}" for name in key)
    columns = ", ".join(f"coalesce(t.{name}, r.{name})" for name in key)
    sql = f"""
    SELECT {columns}, CASE WHEN t.won IS NOT NULL THEN ARRAY[t.won, t.drawn, t.lost] END,
        CASE WHEN r.won IS NOT NULL THEN ARRAY[r.won, r.drawn, r.lost] END
    FROM (SELECT {names}, won, drawn, lost FROM {table}) t FULL JOIN ({right}) r ON {same}
    WHERE (t.won, t.drawn, t.lost) IS DISTINCT FROM (r.won, r.drawn, r.lost)
    """  # noqa: S608 - the names are our own
    with connection.cursor() as cursor:
        cursor.execute(sql)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _write(table: str, key: Sequence[str], at: Sequence[Any], counted: list[int] | None) -> None:
    where = " AND ".join(f"{name} = %s" for name in key)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE {where}", list(at))  # noqa: S608 - our own names
        if counted is not None:
            names, values = ", ".join([*key, "won", "drawn", "lost"]), [*at, *counted]
            places = ", ".join(["%s"] * len(values))
            sql = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608 - our own names
            cursor.execute(sql, values)

"""Counting of finished matches for people, and the proof of what was counted.

A duty. One statement inserts the results that are not there yet and adds to the tallies what it
inserted, so that a result is counted exactly if it is stored. One process counts at a time. A match
that cannot be counted stands in nobody's way; it is tried again after a growing pause.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.names import CLOSED_SQL, is_nobodys
from config.postgres.arrays import Rows
from config.tasks import rows as of_duties
from config.tasks.duties import Duty
from games.absent import of_installed_games, rules_of
from games.matches.models import Match, Seat
from games.people.models import SEVERAL, Outcome, Progress, Result

# Tallies and meetings as SQL over a table of results: for counting and for recounting.

NUMBERS: Final = ("won", "drawn", "lost")
_MET: Final = {"won": "<", "drawn": "=", "lost": ">"}


def tallies_of(results: str) -> str:
    counts = ", ".join(f"count(*) FILTER (WHERE outcome = '{name}') AS {name}" for name in NUMBERS)
    return f"""
    SELECT account_id, game, bot, {counts} FROM {results} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """  # noqa: S608 - the names are our own


def meetings_of(results: str) -> str:
    """Two people compare their places: of eight seats the fourth has beaten the fifth."""
    counts = ", ".join(
        f"count(*) FILTER (WHERE one.place {sign} other.place) AS {name}"
        for name, sign in _MET.items()
    )
    return f"""
    SELECT one.account_id, other.account_id AS opponent_id, one.game, {counts} FROM {results} one
    JOIN {results} other ON other.match_id = one.match_id AND other.side <> one.side
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """  # noqa: S608 - the names are our own


# The results that follow from a finished match: a pure reading of its row and its seats.

_COLUMNS: Final = ("id", "game", "rules_version", "options", "visibility", "finished_at")


class Earned(NamedTuple):
    """A result, not yet stored."""

    match_id: UUID
    account_id: UUID
    game: str
    side: int
    outcome: str
    place: int
    bot: str
    is_public: bool


def finished_matches() -> QuerySet[Match]:
    """Matches that were played here to their end from their first card, with their seats.

    Loads do not count: a loser could load until they win. Nor do coached matches: who won
    them was told what to play.
    """
    people = Exists(Seat.objects.filter(match=OuterRef("pk"), kind="user"))
    seats = Seat.objects.select_related("user").only(
        *("match", "index", "kind", "bot", "place", "user__username", "user__is_active")
    )
    rows = Match.objects.filter(
        people, of_installed_games(), status="finished", parent=None, coached=False
    )
    return rows.only(*_COLUMNS).prefetch_related(Prefetch("seats", seats))


def results_of(matches: Iterable[Match]) -> list[Earned]:
    return [earned for match in matches for earned in _results(match)]


def _results(match: Match) -> Iterator[Earned]:
    """A person who held several seats at one device won and lost at once: no result."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    if _was_imported(match):
        return
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    held = Counter(seat.user.pk for seat in seats if seat.user)
    for seat in seats:
        if seat.user is None or seat.place is None or held[seat.user.pk] > 1:
            continue
        if seat.kind != Seat.Kind.USER or is_nobodys(seat.user):
            continue
        others = [other for other in seats if sides[other.index] != sides[seat.index]]
        yield Earned(
            match.id,
            seat.user.pk,
            match.game,
            sides[seat.index],
            _outcome(seat.place, [other.place for other in others]),
            seat.place,
            _computer(others),
            match.visibility == Match.Visibility.PUBLIC,
        )


def _was_imported(match: Match) -> bool:
    """A match that was over before its row was made was played elsewhere."""
    made_at = datetime.fromtimestamp((match.id.int >> 80) / 1000, UTC)
    return match.finished_at is None or match.finished_at < made_at - timedelta(milliseconds=1)


@lru_cache(maxsize=512)
def sides_of(slug: str, version: int, options: bytes) -> tuple[int, ...]:
    """The number of each seat's side."""
    game = rules_of(slug, version)
    sides = game.sides_of(game.decode_options(options))
    number = {seat: at for at, side in enumerate(sides) for seat in side}
    return tuple(number[seat] for seat in sorted(number))


def _outcome(place: int, others: Sequence[int | None]) -> str:
    if place != 1:
        return Outcome.LOST.value
    return Outcome.DRAWN.value if 1 in others else Outcome.WON.value


def _computer(others: Sequence[Seat]) -> str:
    bots = {seat.bot for seat in others}
    if "" in bots or not bots:
        return ""
    return bots.pop() if len(bots) == 1 else SEVERAL


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
            if not of_duties.lock(LOCK):
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
    """Matches that failed and whose pause is over; the cursor may be far behind them."""
    ids = of_duties.to_try_again(NAME)
    again = list(finished_matches().filter(id__in=ids)) if ids else []
    of_duties.forget(NAME, set(ids) - {str(match.id) for match in again})
    known = {match.id for match in beside}
    return [match for match in again if match.id not in known]


@transaction.atomic
def count_again(matches: Sequence[UUID]) -> None:
    """Counts these matches as they stand now, whatever was counted of them before."""
    of_duties.lock(LOCK, wait=True)
    stored = Result.objects.filter(match__in=matches)
    earned = results_of(finished_matches().filter(id__in=matches))
    people = {*stored.values_list("account", flat=True), *(one.account_id for one in earned)}
    stored.delete()
    store(earned)
    for recount in (recount_tallies, recount_meetings):
        list(recount(mend=True, people=people))


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

# Proves results, tallies and meetings from the matches, and repairs them (``manage.py recount``).
#
# Results are compared with the matches, tallies and meetings with the results. Matches that ended
# in the last minute may not be counted yet, and are left out.

RECOUNT_AT_ONCE: Final = 1000


def recount_results(*, mend: bool) -> Iterator[str]:
    """Every result that is not what its match says, as a sentence."""
    while count_finished():
        pass
    before, last = timezone.now() - LATEST_COMMIT, UUID(int=0)
    while True:
        rows = finished_matches().filter(id__gt=last, finished_at__lt=before)
        matches = list(rows.order_by("id")[:RECOUNT_AT_ONCE])
        if not matches:
            break
        last = matches[-1].id
        yield from _compare(matches, mend=mend)
    yield from _without_a_match(mend=mend)


People = Collection[UUID] | None  # none: everybody


def recount_tallies(*, mend: bool, people: People = None) -> Iterator[str]:
    key = ("account_id", "game", "bot")
    yield from _derived("people_tally", key, tallies_of("people_result"), people, mend=mend)


def recount_meetings(*, mend: bool, people: People = None) -> Iterator[str]:
    key = ("account_id", "opponent_id", "game")
    yield from _derived("people_meeting", key, meetings_of("people_result"), people, mend=mend)


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
            of_duties.lock(LOCK, wait=True)
            Result.objects.filter(match__in=wrong).delete()
            store([earned for match_id in wrong for earned in right[match_id]])


def _without_a_match(*, mend: bool) -> Iterator[str]:
    """Results of matches that do not count."""
    counts = Q(match__status="finished", match__parent=None)
    rows = Result.objects.filter(of_installed_games("match__")).exclude(counts)
    for match_id in rows.order_by().values_list("match_id", flat=True).distinct():
        yield f"match {match_id}: it has results and does not count"
    if mend:
        rows.delete()


def _derived(
    table: str, key: Sequence[str], right: str, people: People, *, mend: bool
) -> Iterator[str]:
    """The rows of a table that differ from what they are counted from."""
    with transaction.atomic():
        if mend:
            of_duties.lock(LOCK, wait=True)
        for row in _differences(table, key, right, people):
            at, kept, counted = row[: len(key)], row[len(key)], row[len(key) + 1]
            if mend:
                _write(table, key, at, counted)
            yield f"{table} {' '.join(map(str, at))}: {kept} is stored, {counted} counted"


def _differences(
    table: str, key: Sequence[str], right: str, people: People
) -> list[tuple[Any, ...]]:
    names, same = ", ".join(key), " AND ".join(f"t.{name} = r.{name}" for name in key)
    columns = ", ".join(f"coalesce(t.{name}, r.{name})" for name in key)
    theirs = "(%(people)s::uuid[] IS NULL OR account_id = ANY (%(people)s::uuid[]))"
    sql = f"""
    SELECT {columns}, CASE WHEN t.won IS NOT NULL THEN ARRAY[t.won, t.drawn, t.lost] END,
        CASE WHEN r.won IS NOT NULL THEN ARRAY[r.won, r.drawn, r.lost] END
    FROM (SELECT {names}, won, drawn, lost FROM {table} WHERE {theirs}) t
    FULL JOIN (SELECT * FROM ({right}) counted WHERE {theirs}) r ON {same}
    WHERE (t.won, t.drawn, t.lost) IS DISTINCT FROM (r.won, r.drawn, r.lost)
    """  # noqa: S608 - the names are our own
    with connection.cursor() as cursor:
        cursor.execute(sql, {"people": None if people is None else list(people)})
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

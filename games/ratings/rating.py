"""Keeps the fold as rows: matches that finished are added, annulled ones taken out.

A duty; one process folds at a time. A match that became visible late, or is taken out,
stands before others: those of its players, and of all whom they met since, are folded again from
there on, so that the rows do not depend on the order in which they were read.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from config.tasks import rows as of_duties
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.matches.models import Match
from games.mirrored.results import matches_of_the_same_sets
from games.people.counting import LATEST_COMMIT
from games.ratings import folding
from games.ratings.models import PersonRating, RatedMatch, RatedSeat, RatingEra
from games.ratings.scale import Belief

AT_ONCE: Final = 100  # matches of a transaction: a piece ends between two of them
NAME: Final = "ratings"
LAG: Final = timedelta(seconds=60)  # then the cursor is written though nothing moved
LOCK: Final = 0x726174696E67
BOARD: Final = "board "  # before the name of one, where its annulled matches cannot be taken out

BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)

Position = tuple[datetime, UUID]


def rate_finished(*, most: int = 20_000) -> int:
    """Rates what finished since the last time, and says how many matches that were."""
    begun, rated, looked_at = timezone.now(), 0, 0
    after: Position | None = None
    while looked_at < most:
        with transaction.atomic():
            if not of_duties.lock(LOCK):
                break  # another process folds
            era = current_era()
            matches = _next(era, after)
            again = _again(era, matches) if after is None else []
            new = sum(of_duties.batch(NAME, again + matches, _rate, key=lambda match: match.id))
            new += sum(of_duties.each(NAME, _gone(), lambda board: _take_out(*board), key=_board))
            done = len(matches) < AT_ONCE
            after = _end(matches)
            _advance(era, begun if done or after is None else after[0], moved=new > 0)
            rated += new
        if done:
            break
        looked_at += len(matches)
        if of_duties.is_over():
            of_duties.more()
            break
    return rated


def _again(era: RatingEra, beside: Sequence[Match]) -> list[Match]:
    """Matches that failed and whose pause is over; the cursor may be far behind them."""
    ids = [one for one in of_duties.to_try_again(NAME) if not one.startswith(BOARD)]
    again = list(folding.rated_matches(era.since).filter(_missing(), id__in=ids)) if ids else []
    of_duties.forget(NAME, set(ids) - {str(match.id) for match in again})
    known = {match.id for match in beside}
    return sorted(
        (match for match in again if match.id not in known),
        key=lambda match: (match.finished_at or BEGINNING, match.id),
    )


@transaction.atomic
def annul(matches: Iterable[UUID]) -> int:
    """Takes finished matches out of the ratings; how many. The beat takes back what they changed.

    Of a set of mirrored matches all are taken out with any of them: they are one result.
    The lock keeps a match from being rated between the two statements.
    """
    of_duties.lock(LOCK, wait=True)
    ids, now = matches_of_the_same_sets(matches), timezone.now()
    changed = Match.objects.filter(id__in=ids, status="finished", rated=True)
    count = changed.update(rated=False, updated_at=now)
    rated = RatedMatch.objects.filter(match__in=ids, annulled_at=None)
    rated.update(annulled_at=now, is_settled=False)
    return count


def settle_annulled() -> None:
    """Takes back now what annulled matches changed. Call it with the lock of ``annul``."""
    for board, gone in _gone():
        _take_out(board, gone)


@transaction.atomic
def rate_again(matches: Iterable[UUID]) -> None:
    """Rates these matches as they stand now, whatever was made of them before.

    One that is not over any more, or not rated, leaves no trace; one that was annulled counts.
    """
    of_duties.lock(LOCK, wait=True)
    ids = matches_of_the_same_sets(matches)
    rows = RatedMatch.objects.filter(match__in=ids)
    rows.filter(annulled_at=None).update(annulled_at=timezone.now(), is_settled=False)
    settle_annulled()
    rows.delete()
    _rate(list(folding.rated_matches(current_era().since).filter(id__in=ids)))


def current_era() -> RatingEra:
    """The migration begins it; without it every match counts."""
    return RatingEra.objects.first() or RatingEra(since=BEGINNING, until=BEGINNING)


def _next(era: RatingEra, after: Position | None) -> list[Match]:
    rows = folding.rated_matches(era.since).filter(
        _missing(), finished_at__gte=era.until - LATEST_COMMIT
    )
    if after is not None:
        at, match_id = after
        rows = rows.filter(Q(finished_at__gt=at) | Q(finished_at=at, id__gt=match_id))
    return list(rows.order_by("finished_at", "id")[:AT_ONCE])


def _missing() -> Q:
    return Q(~Exists(RatedMatch.objects.filter(match=OuterRef("pk"))))


def _end(matches: Sequence[Match]) -> Position | None:
    finished = [(one.finished_at, one.id) for one in matches if one.finished_at is not None]
    return finished[-1] if finished else None


def _rate(matches: Sequence[Match]) -> int:
    """Rates these, each on its board."""
    new = folding.facts_of(matches)
    boards: defaultdict[str, list[folding.Facts]] = defaultdict(list)
    for facts in new:
        boards[facts.board].append(facts)
    for board in sorted(boards):
        folding.splice(board, boards[board], frozenset())
    return len(new)


def _gone() -> list[tuple[str, frozenset[UUID]]]:
    """The matches to be taken out, by board."""
    boards: defaultdict[str, set[UUID]] = defaultdict(set)
    for row in RatedMatch.objects.filter(is_settled=False):
        boards[row.board].add(row.match_id)
    return [(board, frozenset(boards[board])) for board in sorted(boards)]


def _board(gone: tuple[str, frozenset[UUID]]) -> str:
    return f"{BOARD}{gone[0]}"


def _take_out(board: str, gone: frozenset[UUID]) -> int:
    folding.splice(board, [], gone)
    return 0


def _advance(era: RatingEra, until: datetime, *, moved: bool) -> None:
    """If nothing was rated it is written once a minute: an idle service writes nothing."""
    if era.until < until and (moved or until - era.until >= LAG):
        era.until = until
        era.save()


RATINGS: Final = Duty(
    name=NAME,
    piece=rate_finished,
    due="""
SELECT CASE WHEN m.finished_at > e.until THEN m.finished_at END, m.id::text
FROM ratings_ratingera e, games_match m
WHERE m.status = 'finished' AND m.finished_at > e.until - interval '60 seconds' AND m.rated
    AND m.parent_id IS NULL AND m.started_at >= e.since AND m.game = ANY(%(games)s)
    AND NOT EXISTS (SELECT FROM ratings_ratedmatch r WHERE r.match_id = m.id)
UNION ALL SELECT annulled_at, 'board ' || board FROM ratings_ratedmatch WHERE NOT is_settled
UNION ALL SELECT NULL, NULL FROM ratings_ratingera WHERE until < %(now)s - interval '60 seconds'
    AND EXISTS (SELECT FROM games_match
        WHERE status = 'finished' AND finished_at > until - interval '60 seconds')
UNION ALL SELECT next_at, row FROM config_trouble
WHERE duty = 'ratings' AND row <> '' AND NOT row ^@ 'board ' AND next_at <= %(now)s""",
    every=1,
)

# Proves the ratings from the matches, to the last bit, and repairs them (``manage.py recount``).
#
# Everything is folded again from the first match on. What a computer was rated when it was met is
# no fact of the match, and is taken as it was stored then.

RECOUNT_AT_ONCE: Final = 1000
OF_SEAT: Final = folding.Change._fields
OF_PERSON: Final = ("mean", "variance", "matches", "at", "settled_until")

Key = tuple[UUID, str]


def recount_ratings(*, mend: bool) -> Iterator[str]:
    """Every rated match and rating of a person that does not follow from the matches."""
    while rate_finished():
        pass
    with transaction.atomic():
        if mend:
            of_duties.lock(LOCK, wait=True)
        yield from _Recount(timezone.now() - LATEST_COMMIT, mend=mend).run()


class _Recount:
    def __init__(self, before: datetime, *, mend: bool) -> None:
        self.before, self.mend = before, mend
        self.known: dict[Key, folding.Known] = {}
        self.counts: Counter[Key] = Counter()

    def run(self) -> Iterator[str]:
        for several in self._in_order():
            yield from self._compare(several)
        yield from self._without_a_match()
        yield from self._people()

    def _in_order(self) -> Iterator[list[folding.Facts]]:
        rows = folding.rated_matches(current_era().since).filter(finished_at__lt=self.before)
        rows, after = rows.order_by("finished_at", "id"), Q()
        while matches := list(rows.filter(after)[:RECOUNT_AT_ONCE]):
            yield folding.facts_of(matches)
            at, match_id = matches[-1].finished_at, matches[-1].id
            after = Q(finished_at__gt=at) | Q(finished_at=at, id__gt=match_id)

    def _compare(self, several: Sequence[folding.Facts]) -> Iterator[str]:
        ids = [facts.match_id for facts in several]
        stored: dict[UUID, dict[int, RatedSeat]] = {match_id: {} for match_id in ids}
        rows = RatedSeat.objects.filter(rated_match__in=ids, rated_match__annulled_at=None)
        for row in rows.order_by("seat"):
            stored[row.rated_match_id][row.seat] = row
        for facts in several:
            made = self._changes(facts, stored[facts.match_id])
            if list(map(_values, folding.rated_seats(facts, made))) != list(
                map(_values, stored[facts.match_id].values())
            ):
                yield f"match {facts.match_id}: it is not rated as it follows from the matches"
                if self.mend:
                    _write(facts, made)

    def _changes(self, facts: folding.Facts, stored: dict[int, RatedSeat]) -> list[folding.Change]:
        made = folding.changes(
            facts.seats, [self._before(facts, seat, stored) for seat in facts.seats]
        )
        for one in made:
            if one.account is not None:
                key = one.account, facts.board
                self.known[key] = folding.Known(Belief(one.mean, one.variance), facts.at)
                self.counts[key] += 1
        return made

    def _before(
        self, facts: folding.Facts, seat: folding.Taken, stored: dict[int, RatedSeat]
    ) -> Belief:
        if seat.account is not None:
            return folding.belief_at(self.known.get((seat.account, facts.board)), facts.at)
        if row := stored.get(seat.number):
            return Belief(row.mean_before, row.variance_before)
        return folding.computer(facts.game, seat.bot)

    def _without_a_match(self) -> Iterator[str]:
        """Rated matches that do not count."""
        counts = Q(match__status="finished", match__parent=None, match__rated=True)
        rows = RatedMatch.objects.filter(of_installed_games("match__"), annulled_at=None)
        wrong = rows.exclude(counts)
        for match_id in wrong.values_list("match_id", flat=True):
            yield f"match {match_id}: people are rated by it, and it is not rated"
        if self.mend:
            wrong.delete()

    def _people(self) -> Iterator[str]:
        """Changes by a match of the last minute are left out."""
        right = self._newest()
        rows = PersonRating.objects.all()
        for row in rows.iterator(chunk_size=RECOUNT_AT_ONCE):
            expected = right.pop((row.account_id, row.board), None)
            if row.at < self.before and (
                expected is None or _of_person(row) != _of_person(expected)
            ):
                yield f"{row.board} {row.account_id}: the rating does not follow from the matches"
                self._mend_person(row, expected)
        for missing in right.values():
            yield f"{missing.board} {missing.account_id}: the rating is missing"
            self._mend_person(None, missing)

    def _newest(self) -> dict[Key, PersonRating]:
        there = set(folding.not_erased({account for account, _ in self.known}))
        return {
            key: folding.newest(*key, last, self.counts[key])
            for key, last in self.known.items()
            if key[0] in there
        }

    def _mend_person(self, row: PersonRating | None, right: PersonRating | None) -> None:
        if self.mend and row is not None:
            row.delete()
        if self.mend and right is not None:
            right.save(force_insert=True)


def _values(row: RatedSeat) -> tuple[object, ...]:
    return row.board, row.at, *(_value(row, name) for name in OF_SEAT)


def _value(row: RatedSeat, name: str) -> object:
    return row.account_id if name == "account" else getattr(row, name)


def _of_person(row: PersonRating) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in OF_PERSON)


def _write(facts: folding.Facts, made: Sequence[folding.Change]) -> None:
    RatedMatch.objects.filter(match=facts.match_id).delete()
    RatedMatch.objects.create(match_id=facts.match_id, board=facts.board, at=facts.at)
    RatedSeat.objects.bulk_create(folding.rated_seats(facts, made))

"""Matches put into the order of a board, and taken out of it; what follows is folded again.

Call it with the lock of ``games.ratings.people.rating``.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from heapq import merge
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Q

from games.ratings.models import RatedMatch, RatedSeat
from games.ratings.people.facts import Facts, Taken
from games.ratings.people.folding import Change, Known, belief_at, changes
from games.ratings.people.newest import store_ratings
from games.ratings.scale import NEWCOMER, belief
from games.ratings.selectors import ratings_of
from games.ratings.strengths import Belief

NORMAL_INTERVAL: Final = 2 * 1.96  # deviations between the ends of a 95 % interval
CHUNK: Final = 1000
BELIEFS: Final = ("mean_before", "variance_before", "mean", "variance")

_LAST: Final = """
SELECT person.id, last.mean, last.variance, last.at FROM unnest(%s::uuid[]) AS person(id),
LATERAL (
    SELECT mean, variance, at FROM ratings_ratedseat
    WHERE account_id = person.id AND board = %s AND (at, rated_match_id) < (%s, %s)
    ORDER BY at DESC, rated_match_id DESC LIMIT 1
) AS last
"""

Later = tuple[datetime, UUID, RatedMatch | Facts]


def splice(board: str, new: Sequence[Facts], gone: frozenset[UUID]) -> None:
    """Adds the new matches and takes the settled ones out, each at its place."""
    _Splice(board, new, gone).run()


class _Splice:
    """``known``: what is known of those it is about before the match that is looked at.

    ``changed``: those whose belief is another than was stored.
    """

    def __init__(self, board: str, new: Sequence[Facts], gone: frozenset[UUID]) -> None:
        self.board, self.new, self.gone = board, new, gone
        self.rated = RatedMatch.objects.filter(board=board).prefetch_related("rated_seats")
        self.changed: set[UUID] = set()
        self.counts: dict[UUID, int] = {}
        self.written: list[RatedSeat] = []
        self.known: dict[UUID, Known | None] = {}

    def run(self) -> None:
        out = list(self.rated.filter(match__in=self.gone))
        first = min([(one.at, one.match_id) for one in out] + [each.position for each in self.new])
        self._begin(first, out)
        for _, _, row in merge(self._stored(first), self._added(), key=lambda one: one[:2]):
            if isinstance(row, Facts):
                self._add(row)
            elif row.match_id in self.gone:
                self._take_out(row)
            else:
                self._pass(row)
        self._store(out)

    def _begin(self, first: tuple[datetime, UUID], out: Sequence[RatedMatch]) -> None:
        people = {seat.account for each in self.new for seat in each.seats}
        people |= {seat.account_id for row in out for seat in row.rated_seats.all()}
        about = sorted(one for one in people if one is not None)
        self.known = dict.fromkeys(about)
        with connection.cursor() as cursor:
            cursor.execute(_LAST, [about, self.board, *first])
            for account, mean, variance, at in cursor.fetchall():
                self.known[account] = Known(Belief(mean, variance), at)

    def _stored(self, first: tuple[datetime, UUID]) -> Iterator[Later]:
        at, match_id = first
        later = Q(at__gt=at) | Q(at=at, match__gte=match_id)
        rows = self.rated.filter(later, at__gte=at).filter(
            Q(is_settled=False) | Q(annulled_at=None)
        )
        for row in rows.order_by("at", "match").iterator(chunk_size=CHUNK):
            yield row.at, row.match_id, row

    def _added(self) -> Iterator[Later]:
        for facts in sorted(self.new, key=lambda each: each.position):
            yield facts.at, facts.match_id, facts

    def _add(self, facts: Facts) -> None:
        before = [
            computer(facts.game, seat.bot)
            if seat.account is None
            else belief_at(self.known[seat.account], facts.at)
            for seat in facts.seats
        ]
        made = changes(facts.seats, before)
        RatedMatch.objects.create(match_id=facts.match_id, board=self.board, at=facts.at)
        RatedSeat.objects.bulk_create(rated_seats(facts, made))
        self._learn(made, facts.at, 1)

    def _take_out(self, row: RatedMatch) -> None:
        for seat in row.rated_seats.all():
            if seat.account_id is not None:
                self.changed.add(seat.account_id)
                self._count(seat.account_id, -1)

    def _pass(self, row: RatedMatch) -> None:
        seats = list(row.rated_seats.all())
        if self.changed.isdisjoint({seat.account_id for seat in seats}):
            for seat in seats:
                if seat.account_id in self.known:
                    self.known[seat.account_id] = Known(Belief(seat.mean, seat.variance), row.at)
            return
        taken = [Taken(s.seat, s.account_id, "", s.side, s.place) for s in seats]
        made = changes(taken, [self._before_again(seat) for seat in seats])
        for seat, one in zip(seats, made, strict=True):
            for name in BELIEFS:
                setattr(seat, name, getattr(one, name))
        self.written += seats
        self._learn(made, row.at, 0)

    def _before_again(self, seat: RatedSeat) -> Belief:
        if seat.account_id is None or seat.account_id not in self.changed:
            return Belief(seat.mean_before, seat.variance_before)
        return belief_at(self.known[seat.account_id], seat.at)

    def _learn(self, made: Iterable[Change], at: datetime, count: int) -> None:
        for one in made:
            if one.account is not None:
                self.known[one.account] = Known(Belief(one.mean, one.variance), at)
                self.changed.add(one.account)
                self._count(one.account, count)

    def _count(self, account: UUID, by: int) -> None:
        self.counts[account] = self.counts.get(account, 0) + by

    def _store(self, out: Sequence[RatedMatch]) -> None:
        RatedSeat.objects.bulk_update(self.written, BELIEFS, batch_size=CHUNK)
        RatedSeat.objects.filter(rated_match__in=out).delete()
        RatedMatch.objects.filter(match__in=[row.match_id for row in out]).update(is_settled=True)
        store_ratings(self.board, {one: self.known[one] for one in self.changed}, self.counts)


def rated_seats(facts: Facts, made: Iterable[Change]) -> list[RatedSeat]:
    return [
        RatedSeat(
            rated_match_id=facts.match_id,
            board=facts.board,
            at=facts.at,
            account_id=one.account,
            **{name: getattr(one, name) for name in ("seat", "side", "place", *BELIEFS)},
        )
        for one in made
    ]


def computer(game: str, bot: str) -> Belief:
    """What is known of a computer; one that was never measured is like a newcomer."""
    row = ratings_of(game).get(bot)
    if row is None:
        return NEWCOMER
    return belief(row.rating, (row.high - row.low) / NORMAL_INTERVAL)

"""Results of people as facts, folded into ratings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import merge
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Prefetch, Q, QuerySet

from accounts.names import CLOSED_SQL
from games.absent import of_installed_games, rules_of
from games.matches.models import Match, Seat
from games.matches.time_bank import terms_of
from games.mirrored.results import RatedSet, rated_sets
from games.people.counting import sides_of
from games.ratings.computers import ratings_of
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.scale import (
    COMPUTERS,
    DIGITS,
    MIRRORED,
    MORE,
    NEWCOMER,
    PEOPLE,
    TWO,
    Belief,
    Board,
    after,
    belief,
    learnt,
    pace_of,
    settled_until,
)

# The facts of a finished match that people are rated by: a pure reading of its row and its seats.
#
# Mirrored matches are rated together: what all of a set say stands at the last one.
#
# Whether it is rated at all was settled before it began (``games.matches.rating``), and is kept
# in its row; what happened since, such as a seat that was handed over, is kept there too.

_COLUMNS = (
    *("id", "game", "rules_version", "options", "turn_seconds", "clock", "finished_at"),
    "deal",
)


class Taken(NamedTuple):
    """A seat as it ended: of a person, or of the computer that is named."""

    number: int
    account: UUID | None
    bot: str
    side: int
    place: int
    is_program: bool = False


class Facts(NamedTuple):
    match_id: UUID
    board: str
    game: str
    at: datetime
    seats: tuple[Taken, ...]

    @property
    def position(self) -> tuple[datetime, UUID]:
        return self.at, self.match_id


def rated_matches(since: datetime) -> QuerySet[Match]:
    """Finished matches that were rated from their start on, with their seats."""
    seats = Seat.objects.select_related("user").order_by("index")
    seats = seats.only("match", "index", "kind", "bot", "place", "user__is_bot")
    rows = Match.objects.filter(
        of_installed_games(), status="finished", rated=True, parent=None, started_at__gte=since
    )
    return rows.only(*_COLUMNS).prefetch_related(Prefetch("seats", seats))


def facts_of(matches: Iterable[Match]) -> list[Facts]:
    read = list(matches)
    sets = rated_sets({match.id for match in read if match.deal_id is not None})
    return [
        facts
        for match in read
        for facts in (_facts(match) if match.deal_id is None else _facts_of_set(match, sets))
    ]


def _facts_of_set(match: Match, sets: Mapping[UUID, RatedSet]) -> Iterator[Facts]:
    """Of all matches that are mirrored with this one, where it is the last of them."""
    if (rated := sets.get(match.id)) is None:
        return
    seats = [
        _taken(one.seat, number=one.number, side=one.side, place=one.place) for one in rated.holders
    ]
    if (opponents := _opponents(seats)) is not None:
        board = Board(match.game, MIRRORED, TWO, opponents)
        yield Facts(match.id, str(board), match.game, rated.at, tuple(seats))


def _facts(match: Match) -> Iterator[Facts]:
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    seats = [
        _taken(seat, number=seat.index, side=sides[seat.index], place=seat.place)
        for seat in match.seats.all()
        if seat.place is not None
    ]
    opponents = _opponents(seats)
    if len(seats) < len(sides) or opponents is None or match.finished_at is None:
        return
    if rules_of(match.game, match.rules_version).is_luck:
        return
    pace = pace_of(match.turn_seconds, terms_of(match.clock))
    board = Board(match.game, pace, TWO if len(set(sides)) == 2 else MORE, opponents)
    yield Facts(match.id, str(board), match.game, match.finished_at, tuple(seats))


def _taken(seat: Seat, *, number: int, side: int, place: int) -> Taken:
    is_program = seat.user is not None and seat.user.is_bot
    return Taken(number, seat.user_id, seat.bot, side, place, is_program)


def _opponents(seats: Sequence[Taken]) -> str | None:
    """Against whom people play; None where they could not say whom they are compared with.

    Bot accounts count as computers: they are rated on that scale, also among themselves.
    """
    accounts = [seat.account for seat in seats if seat.account]
    people = [seat for seat in seats if seat.account and not seat.is_program]
    if len(set(accounts)) != len(accounts) or not accounts:
        return None
    if len(people) == len(seats):
        return PEOPLE
    return COMPUTERS if len(people) <= 1 else None


LEAST: Final = 10.0**-DIGITS


class Known(NamedTuple):
    """The belief after a person's last match on a board."""

    belief: Belief
    at: datetime


class Change(NamedTuple):
    """One seat's belief after a match; the columns of a ``RatedSeat`` but for its board."""

    seat: int
    account: UUID | None
    side: int
    place: int
    mean_before: float
    variance_before: float
    mean: float
    variance: float


def belief_at(last: Known | None, at: datetime) -> Belief:
    """The belief in a person when a match begins that finishes at this time."""
    return NEWCOMER if last is None else after(last.belief, at - last.at)


def changes(seats: Sequence[Taken], before: Sequence[Belief]) -> list[Change]:
    """These beliefs after a match; that in a computer stays as it is."""
    after_it = _after(seats, before)
    return [
        Change(seat.number, seat.account, seat.side, seat.place, *was, *becomes)
        for seat, was, becomes in zip(seats, before, after_it, strict=True)
    ]


def _after(seats: Sequence[Taken], before: Sequence[Belief]) -> list[Belief]:
    """Partners are as strong as they are on average, and share what is learnt of them."""
    numbers = sorted({seat.side for seat in seats})
    members = [[at for at, seat in enumerate(seats) if seat.side == side] for side in numbers]
    sides = [_together([before[at] for at in each]) for each in members]
    places = [min(seats[at].place for at in each) for each in members]
    later = list(before)
    for each, was, becomes in zip(members, sides, learnt(sides, places), strict=True):
        for at in each:
            if seats[at].account is not None:
                later[at] = _share(before[at], len(each), was, becomes)
    return later


def _together(beliefs: Sequence[Belief]) -> Belief:
    count = len(beliefs)
    return Belief(
        sum(one.mean for one in beliefs) / count, sum(one.variance for one in beliefs) / count**2
    )


def _share(own: Belief, count: int, was: Belief, becomes: Belief) -> Belief:
    part = own.variance / (count * was.variance)
    mean = own.mean + part * (becomes.mean - was.mean)
    variance = own.variance - part * part * (was.variance - becomes.variance)
    return Belief(round(mean, DIGITS), max(LEAST, round(variance, DIGITS)))


# The newest rating of each person on a board: what the last match left, and of how many.

_NOT_ERASED: Final = f"""
SELECT id FROM accounts_user WHERE id = ANY(%s) AND NOT ({CLOSED_SQL})
ORDER BY id FOR KEY SHARE
"""  # noqa: S608 - the names are our own


def store_ratings(
    board: str, known: Mapping[UUID, Known | None], counts: Mapping[UUID, int]
) -> None:
    """The newest ratings of these people; ``counts`` are matches more than before."""
    kept = not_erased(known)
    before = PersonRating.objects.filter(board=board, account__in=kept)
    matches = dict(before.values_list("account_id", "matches"))
    rows = [
        newest(account, board, last, matches.get(account, 0) + counts.get(account, 0))
        for account in kept
        if (last := known[account]) is not None
    ]
    PersonRating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["account", "board"],
        update_fields=["mean", "variance", "matches", "at", "settled_until"],
    )
    none = [account for account in kept if known[account] is None]
    PersonRating.objects.filter(board=board, account__in=none).delete()


def newest(account: UUID, board: str, last: Known, matches: int) -> PersonRating:
    return PersonRating(
        account_id=account,
        board=board,
        mean=last.belief.mean,
        variance=last.belief.variance,
        matches=matches,
        at=last.at,
        settled_until=settled_until(last.belief.variance, last.at),
    )


def not_erased(people: Iterable[UUID]) -> list[UUID]:
    """Locked, so that an erasure at the same moment deletes what is written."""
    with connection.cursor() as cursor:
        cursor.execute(_NOT_ERASED, [list(people)])
        return [row[0] for row in cursor.fetchall()]


# Matches put into the order of a board, and taken out of it; what follows is folded again.
#
# Call it with the lock of ``games.ratings.rating``.

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
    """The belief in a computer; one that was never measured is like a newcomer."""
    row = ratings_of(game).get(bot)
    if row is None:
        return NEWCOMER
    return belief(row.rating, (row.high - row.low) / NORMAL_INTERVAL)

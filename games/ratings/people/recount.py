"""Proves the ratings from the matches, to the last bit, and repairs them (``manage.py recount``).

Everything is folded again from the first match on. What a computer was rated when it was met is no
fact of the match, and is taken as it was stored then.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.absent import of_installed_games
from games.people.counting import LATEST_COMMIT
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.people import rating
from games.ratings.people.facts import Facts, Taken, facts_of, rated_matches
from games.ratings.people.folding import Change, Known, belief_at, changes
from games.ratings.people.newest import newest, not_erased
from games.ratings.people.splicing import computer, rated_seats
from games.ratings.strengths import Belief

AT_ONCE: Final = 1000
OF_SEAT: Final = Change._fields
OF_PERSON: Final = ("mean", "variance", "matches", "at", "settled_until")

Key = tuple[UUID, str]


def ratings(*, mend: bool) -> Iterator[str]:
    """Every rated match and rating of a person that does not follow from the matches."""
    while rating.rate_finished():
        pass
    with transaction.atomic():
        if mend:
            rating.lock(wait=True)
        yield from _Recount(timezone.now() - LATEST_COMMIT, mend=mend).run()


class _Recount:
    def __init__(self, before: datetime, *, mend: bool) -> None:
        self.before, self.mend = before, mend
        self.known: dict[Key, Known] = {}
        self.counts: Counter[Key] = Counter()

    def run(self) -> Iterator[str]:
        for several in self._in_order():
            yield from self._compare(several)
        yield from self._without_a_match()
        yield from self._people()

    def _in_order(self) -> Iterator[list[Facts]]:
        rows = rated_matches(rating.current_era().since).filter(finished_at__lt=self.before)
        rows, after = rows.order_by("finished_at", "id"), Q()
        while matches := list(rows.filter(after)[:AT_ONCE]):
            yield facts_of(matches)
            at, match_id = matches[-1].finished_at, matches[-1].id
            after = Q(finished_at__gt=at) | Q(finished_at=at, id__gt=match_id)

    def _compare(self, several: Sequence[Facts]) -> Iterator[str]:
        ids = [facts.match_id for facts in several]
        stored: dict[UUID, dict[int, RatedSeat]] = {match_id: {} for match_id in ids}
        rows = RatedSeat.objects.filter(rated_match__in=ids, rated_match__annulled_at=None)
        for row in rows.order_by("seat"):
            stored[row.rated_match_id][row.seat] = row
        for facts in several:
            made = self._changes(facts, stored[facts.match_id])
            if list(map(_values, rated_seats(facts, made))) != list(
                map(_values, stored[facts.match_id].values())
            ):
                yield f"match {facts.match_id}: it is not rated as it follows from the matches"
                if self.mend:
                    _write(facts, made)

    def _changes(self, facts: Facts, stored: dict[int, RatedSeat]) -> list[Change]:
        made = changes(facts.seats, [self._before(facts, seat, stored) for seat in facts.seats])
        for one in made:
            if one.account is not None:
                key = one.account, facts.board
                self.known[key] = Known(Belief(one.mean, one.variance), facts.at)
                self.counts[key] += 1
        return made

    def _before(self, facts: Facts, seat: Taken, stored: dict[int, RatedSeat]) -> Belief:
        if seat.account is not None:
            return belief_at(self.known.get((seat.account, facts.board)), facts.at)
        if row := stored.get(seat.number):
            return Belief(row.mean_before, row.variance_before)
        return computer(facts.game, seat.bot)

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
        """What a match of the last minute changed is left out."""
        right = self._newest()
        rows = PersonRating.objects.all()
        for row in rows.iterator(chunk_size=AT_ONCE):
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
        there = set(not_erased({account for account, _ in self.known}))
        return {
            key: newest(*key, last, self.counts[key])
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


def _write(facts: Facts, made: Sequence[Change]) -> None:
    RatedMatch.objects.filter(match=facts.match_id).delete()
    RatedMatch.objects.create(match_id=facts.match_id, board=facts.board, at=facts.at)
    RatedSeat.objects.bulk_create(rated_seats(facts, made))

"""The newest matches that somebody may find, however many there are.

Each way to a match is asked for its own newest few by its own index; what they have together is
the list. One condition for all ways would read every match of the person, or of everybody.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet

from config.postgres.literals import literal
from games.matches.models import Match, Seat

NOT_OVER: Final = frozenset({Match.Status.OPEN, Match.Status.ACTIVE})


class Sought(msgspec.Struct, frozen=True):
    """Which matches: of a game, of some statuses, opened before a match."""

    game: str | None = None
    statuses: Collection[str] = ()
    before: UUID | None = None

    def terms(self, to: str = "") -> Q:
        """Of a match, or of what leads to it by the name ``to``."""
        terms = Q()
        if self.game:
            terms &= Q((f"{to}game", self.game))
        if self.statuses:
            terms &= Q((f"{to}status__in", [literal(each) for each in sorted(self.statuses)]))
        if self.before:
            terms &= Q((f"{to}id__lt", self.before))
        return terms

    @property
    def is_not_over(self) -> bool:
        return bool(self.statuses) and NOT_OVER.issuperset(self.statuses)


def newest_of(user: UUID, sought: Sought, *, most: int) -> QuerySet[Match]:
    """Those in which the user sits, to which they are invited, and which they opened."""
    return _listed(_own(user, sought, most), most)


def newest_seated(user: UUID, sought: Sought, *, most: int) -> QuerySet[Match]:
    """Those in which the user sits."""
    return _listed([_seated(user, sought, most)], most)


def newest_for(user: UUID | None, sought: Sought, *, most: int) -> QuerySet[Match]:
    """The public ones, and those of the user."""
    public = Match.objects.filter(sought.terms(), visibility=literal(Match.Visibility.PUBLIC))
    own = _own(user, sought, most) if user is not None else ()
    return _listed([public.order_by("-id").values("id")[:most], *own], most)


def unfinished_seats(user: UUID) -> dict[UUID, set[int]]:
    """The seats of the user without a place, by match: of all that are not over, and few others.

    They are asked for alone, by an index that has no others: in a join Postgres takes them for few
    and reads every running match.
    """
    own: defaultdict[UUID, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(user=user, place=None).order_by()
    for match, index in seats.values_list("match_id", "index"):
        own[match].add(index)
    return own


def open_with(user: UUID) -> list[UUID]:
    """The open matches in which the user sits."""
    waiting = Match.objects.filter(id__in=list(unfinished_seats(user)))
    return list(waiting.filter(status=literal(Match.Status.OPEN)).values_list("id", flat=True))


def _own(user: UUID, sought: Sought, most: int) -> Iterator[QuerySet[Any, Any]]:
    yield _seated(user, sought, most)
    invited = Seat.objects.filter(sought.terms("match__"), invited=user, declined="")
    yield _matches_of(invited.filter(kind=literal(Seat.Kind.OPEN)), most)
    yield _opened(user, sought, most)


def not_kept_from_its_host() -> Q:
    """The table of others that is mirrored with the host's own says nothing to the host.

    Where the host has a seat, that is the way to it. A match loaded from one has no such deal.
    """
    return Q(deal=None) | Q(status=literal(Match.Status.OPEN)) | ~Q(visibility=literal("private"))


def _opened(user: UUID, sought: Sought, most: int) -> QuerySet[Any, Any]:
    opened = Match.objects.filter(sought.terms(), not_kept_from_its_host(), creator=user)
    return opened.order_by("-id").values("id")[:most]


def _seated(user: UUID, sought: Sought, most: int) -> QuerySet[Any, Any]:
    if sought.is_not_over:
        running = Match.objects.filter(sought.terms(), id__in=list(unfinished_seats(user)))
        return running.order_by("-id").values("id")[:most]
    return _matches_of(Seat.objects.filter(sought.terms("match__"), user=user), most)


def _matches_of(seats: QuerySet[Seat], most: int) -> QuerySet[Any, Any]:
    """A match in which somebody holds several seats once."""
    return seats.order_by("-match_id").distinct("match_id").values("match_id")[:most]


def _listed(ways: Collection[Any] | Iterator[Any], most: int) -> QuerySet[Match]:
    first, *others = ways
    matches = Match.objects.defer("state", "loaded").prefetch_related("seats")
    return matches.filter(id__in=first.union(*others) if others else first).order_by("-id")[:most]

"""Reads of mirrored sets."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from games.matches.models import Match, Seat
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.refusals import NotMirrored

_SECRET = ("match__state", "match__seed", "match__loaded")


def leg_of(match_id: UUID) -> Leg | None:
    """With its set."""
    return Leg.objects.select_related("of").filter(match=match_id).first()


def find_leg(match_id: UUID) -> Leg:
    """Raises NotMirrored."""
    leg = leg_of(match_id)
    if leg is None:
        raise NotMirrored
    return leg


def legs_of(sets: Collection[UUID] | QuerySet[Leg, UUID]) -> QuerySet[Leg]:
    """All matches of these sets in their order, with what results are read from; no secret."""
    rows = Leg.objects.filter(of__in=sets).select_related("of", "match").defer(*_SECRET)
    return rows.order_by("of", "position")


def with_seats(legs: QuerySet[Leg]) -> QuerySet[Leg]:
    seats = Seat.objects.select_related("user").order_by("index")
    return legs.prefetch_related(Prefetch("match__seats", seats))


def sets_with(matches: Collection[UUID]) -> QuerySet[Leg, UUID]:
    return Leg.objects.filter(match__in=matches).order_by().values_list("of", flat=True)


def matches_of_the_same_sets(matches: Iterable[UUID]) -> set[UUID]:
    """These, and all that are mirrored in one set with any of them."""
    given = set(matches)
    others = Leg.objects.filter(of__in=sets_with(given), match__isnull=False)
    return given | {one for one in others.values_list("match_id", flat=True) if one is not None}


def running_sets() -> list[UUID]:
    """Those of which no match runs, so that the next one, or the result, is due."""
    running = Leg.objects.filter(match__status__in=[Match.Status.OPEN, Match.Status.ACTIVE])
    due = MirroredSet.objects.filter(over_at=None).exclude(legs__in=running)
    return list(due.order_by("id").values_list("id", flat=True))

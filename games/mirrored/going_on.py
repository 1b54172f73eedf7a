"""A duty: the next match of a set begins when the one before is over, then its result.

Each step is a transaction that looks again under a lock, so that any process may die between two of
them, and several may do the same at once. A set ends early where a match was called off or nobody
may be seated any more: then nothing is left that its secrets are kept for.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from config.refusals import Refusal
from config.tasks import after_commit
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import is_absent
from games.matches.announcements import announce
from games.matches.models import Match, Seat, SharedDeal
from games.matches.seating.rating import is_rated
from games.matches.seating.starting import write_new
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.selectors import legs_of, running_sets

log = structlog.get_logger(__name__)


def go_on_with_all() -> int:
    """How many sets went on; one that cannot keeps no other one waiting."""
    return sum(each("mirrored", running_sets(), go_on))


@transaction.atomic
def go_on(set_id: UUID) -> bool:
    """Begins the next match of a set or ends it, unless one of its matches runs."""
    of = MirroredSet.objects.select_for_update().get(id=set_id)
    legs = list(legs_of([set_id]))
    begun = [leg.match for leg in legs if leg.match is not None]
    played = [leg for leg in legs if leg.match is not None]
    if of.over_at is not None or any(one.status in ("open", "active") for one in begun):
        return False
    if any(is_absent(one.rules) for one in begun):
        return False  # it goes on once the game is installed again
    following = next((leg for leg in legs if leg.match is None), None)
    called_off = any(one.status == Match.Status.ABORTED for one in begun)
    if following is None or called_off or not played or not _begin(played[-1], following):
        _end(of, begun)
    return True


def _begin(before: Leg, leg: Leg) -> bool:
    """Whether it could be: nobody begins it for a person who was suspended meanwhile."""
    assert before.match_id is not None  # noqa: S101 - it was played
    try:
        with transaction.atomic():
            match = _opened(get_match(before.match_id), before, leg)
    except Refusal:
        return False
    Leg.objects.filter(pk=leg.pk).update(match=match.id)
    return True


def _opened(before: MatchSnapshot, earlier: Leg, leg: Leg) -> MatchSnapshot:
    deal = SharedDeal.objects.get(id=leg.deal_id)
    seats = _seats(before, swaps=earlier.is_swapped != leg.is_swapped, back=earlier.is_swapped)
    row = Match.on_same_terms(
        before,
        rules_version=before.rules_version,
        creator_id=before.creator_id,
        rated=before.rated
        and is_rated(before.rules, before.options, seats, on_timeout=before.on_timeout),
        rated_wish=None if before.rated else False,
        deal=deal,
        seed=deal.salted_seed,
    )
    return write_new(row, seats, limited=False, goes_on=True)


def _seats(before: MatchSnapshot, *, swaps: bool, back: bool) -> list[Seat]:
    """The same people, computers and side decks, on the other side where the match ``swaps``."""
    first = (-1 if back else 1) if swaps else 0
    order = [(first + n) % len(before.seats) for n in range(len(before.seats))]
    return [
        Seat(
            index=index,
            kind=seat.kind,
            user_id=seat.user_id,
            bot=seat.bot,
            name=seat.name,
            side_deck=None if seat.side_deck is None else list(seat.side_deck),
        )
        for index, seat in enumerate(before.seats[at] for at in order)
    ]


def _end(of: MirroredSet, begun: Sequence[Match]) -> None:
    """Reveals the deals; the matches are as visible as their host wanted, but in no public list."""
    now = timezone.now()
    deals = SharedDeal.objects.filter(id__in=of.legs.values("deal"), revealed_at=None)
    deals.update(revealed_at=now)
    of.over_at = now
    of.save(update_fields=["over_at"])
    ids = [match.id for match in begun]
    matches = Match.objects.filter(id__in=ids)
    matches.update(updated_at=now)  # they show more than before
    if of.visibility != Match.Visibility.PRIVATE:
        private = matches.filter(visibility=Match.Visibility.PRIVATE)
        private.update(visibility=Match.Visibility.UNLISTED)
    after_commit.when_committed(lambda: announce(*map(get_match, ids)))
    log.info("mirrored_set_is_over", set=str(of.id), form=of.form)


MIRRORED: Final = Duty(
    name="mirrored",
    piece=go_on_with_all,
    due="""
SELECT (SELECT max(m.finished_at) FROM mirrored_leg l JOIN games_match m ON m.id = l.match_id
    WHERE l.of_id = s.id), s.id::text
FROM mirrored_mirroredset s
WHERE s.over_at IS NULL AND NOT EXISTS (
    SELECT FROM mirrored_leg l JOIN games_match m ON m.id = l.match_id
    WHERE l.of_id = s.id AND (m.status IN ('open', 'active') OR m.game <> ALL(%(games)s)))""",
    every=2,
)

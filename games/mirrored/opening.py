"""Opening a set of mirrored matches: all are drawn, the first one is opened."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random, SystemRandom
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import commitment
from cardroom.rules.text import Words, say
from cardroom.rules.values import Options
from config.refusals import Refusal
from config.tasks import after_commit
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import is_absent
from games.matches import opening
from games.matches.announcements import announce
from games.matches.models import Match, Seat, SharedDeal
from games.matches.opening import write_new
from games.matches.rating import is_rated
from games.matches.refusals import CannotBeRated
from games.matches.seats import SeatRequest, find_bot, find_invited
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.results import CannotBeMirrored, legs_of, running_sets

# The order in which the matches of a set are played: drawn by lot, no match beside its twin.

LEAST_PAIRS: Final = 3  # of two pairs the third match would always be the twin of the first
MOST_PAIRS: Final = 8

_chance = SystemRandom()


class Place(NamedTuple):
    """A match of a set: of which pair, and whether its sides are swapped."""

    pair: int
    is_swapped: bool


def drawn_order(pairs: int, chance: Random = _chance) -> list[Place]:
    """Every order without twins beside each other is as likely as any other.

    The first match is never swapped: it is the one that people sit down to. Pairs are numbered as
    they come.
    """
    places = [Place(pair, swapped) for pair in range(pairs) for swapped in (False, True)]
    while True:
        chance.shuffle(places)
        if all(one.pair != other.pair for one, other in pairwise(places)):
            return _numbered(places)


def _numbered(places: Sequence[Place]) -> list[Place]:
    numbers = list(dict.fromkeys(place.pair for place in places))
    return [
        Place(numbers.index(pair), is_swapped != places[0].is_swapped)
        for pair, is_swapped in places
    ]


# Which matches can be mirrored, and who plays them.

TWINS_ARE_KNOWN = say(
    "A set is not rated: a player who remembers a deal knows all cards of its twin. "
    "Two teams at two tables are rated."
)
NO_PROGRAMS = say("A bot account would recognise the cards. It can play as a duplicate.")


def check_terms(game: AnyGame, options: Options, seats: Sequence[SeatRequest]) -> None:
    """Raises CannotBeMirrored where swapped seats would say nothing of skill."""
    if game.is_luck:
        raise CannotBeMirrored(
            say("{game} is luck alone: played twice it would go the same way.", game=game.name)
        )
    sides = game.sides_of(options)
    if len(sides) != 2 or len({len(side) for side in sides}) != 1:
        raise CannotBeMirrored("Only matches between two sides are mirrored.")
    for seat in seats:
        _check_seat(game, seat)


def _check_seat(game: AnyGame, seat: SeatRequest) -> None:
    if seat.kind == "local":
        raise CannotBeMirrored("People at one device see both hands, so nothing is mirrored.")
    if seat.kind == "bot" and not find_bot(game, seat.bot).rated:
        raise CannotBeMirrored("This computer sees hidden cards, so nothing is mirrored.")


def check_pairs(pairs: int) -> None:
    if not LEAST_PAIRS <= pairs <= MOST_PAIRS:
        raise CannotBeMirrored(
            say("A set has {least} to {most} pairs.", least=LEAST_PAIRS, most=MOST_PAIRS)
        )


def check_set(host: User, seats: Sequence[SeatRequest], pairs: int) -> None:
    """Of a set: that there are enough pairs, the host plays, and nobody is a program."""
    check_pairs(pairs)
    if all(seat.kind != "me" for seat in seats):
        raise CannotBeMirrored("Take a seat of a mirrored match yourself.")
    guests = [find_invited(host, seat.username) for seat in seats if seat.kind == "user"]
    if host.is_bot or any(guest.is_bot for guest in guests):
        raise CannotBeMirrored(NO_PROGRAMS)


def check_duplicate(host: User, at_tables: Sequence[Sequence[SeatRequest]]) -> None:
    """Of a duplicate: that everybody is named, and nobody sits at both tables."""
    seats = [seat for table in at_tables for seat in table]
    if any(seat.kind == "open" for seat in seats):
        raise CannotBeMirrored("Everybody who plays a duplicate is named: nobody sits at both.")
    if all(seat.kind != "me" for seat in at_tables[0]):
        raise CannotBeMirrored("Take a seat at the first table of a duplicate yourself.")
    if any(seat.kind == "me" for seat in at_tables[1]):
        raise CannotBeMirrored("You can take one seat yourself, at the first table.")
    guests = [find_invited(host, seat.username).pk for seat in seats if seat.kind == "user"]
    if len(set(guests)) < len(guests):
        raise CannotBeMirrored("Nobody can be invited to two seats of a duplicate.")


def refuses_seat(_account: User, match: Match, *, by_pairing: bool) -> Words | None:  # noqa: ARG001
    """The reason why a bot account takes no seat in a match (``config.offers``)."""
    if match.deal_id is None:
        return None
    of_set = Leg.objects.filter(deal=match.deal_id, of__form=MirroredSet.Form.SET)
    return NO_PROGRAMS if of_set.exists() else None


DUPLICATE: Final = [Place(0, is_swapped=False), Place(0, is_swapped=True)]


def open_asked(
    *, mirrored: bool, rated: bool | None, pairs: int | None = None, **match: Any
) -> MatchSnapshot:
    """A match as a person asks for it. ``rated``: it must be, it is not, or where it can be.

    ``match`` is what ``open_match`` takes, here and below. Raises ``Refusal`` by cause.
    """
    match |= {"rated": rated is not False, "only_rated": rated is True}
    return open_mirrored(pairs=pairs, **match) if mirrored else opening.open_match(**match)


def open_mirrored(*, pairs: int | None = None, **match: Any) -> MatchSnapshot:
    """A set, or a duplicate where twice as many seats are named as the game has."""
    rules, chosen = _terms(match)
    if len(match["seats"]) != 2 * rules.seats(chosen):
        return open_set(pairs=LEAST_PAIRS if pairs is None else pairs, **match)
    if pairs is not None:
        raise CannotBeMirrored("A duplicate is one pair: nobody plays a deal twice.")
    return open_duplicate(**match)


def _terms(match: Mapping[str, Any]) -> tuple[AnyGame, Options]:
    return opening.find_terms(match["game"], match.get("options"), match.get("preset"))


def open_set(*, pairs: int, **match: Any) -> MatchSnapshot:
    """The first match of a set of so many pairs; the others begin by themselves (``going_on``).

    It is not rated, which raises ``CannotBeRated`` where the host wants no other. The host of one
    that a tournament arranges has no seat; no bot account plays it, since none joins a tournament.
    """
    check_terms(*_terms(match), match["seats"])
    if match.get("arranged"):
        check_pairs(pairs)
    else:
        check_set(match["creator"], match["seats"], pairs)
    if match.pop("only_rated", False):
        raise CannotBeRated(TWINS_ARE_KNOWN)
    with transaction.atomic():
        legs = _drawn(MirroredSet.Form.SET, match, drawn_order(pairs))
        return _opened(legs[0], {**match, "rated": False})


def open_duplicate(**match: Any) -> MatchSnapshot:
    """The host's table of two: ``seats`` names those at it, then the partner of each of them.

    The other table is opened too, where the partners have the sides of those they are not partners
    of. Its host sees nothing of it until both are over.
    """
    (rules, chosen), seats = _terms(match), match["seats"]
    count = rules.seats(chosen)
    own, partners = seats[:count], seats[count:]
    check_terms(rules, chosen, seats)
    check_duplicate(match["creator"], (own, partners))
    with transaction.atomic():
        first, second = _drawn(MirroredSet.Form.DUPLICATE, match, DUPLICATE)
        opened = _opened(first, {**match, "seats": own})
        _opened(second, {**match, "seats": [*partners[1:], *partners[:1]]})
    return opened


def _drawn(form: str, match: Mapping[str, Any], order: Sequence[Place]) -> list[Leg]:
    visibility = match.get("visibility", Match.Visibility.UNLISTED)
    of = MirroredSet.objects.create(form=form, visibility=visibility)
    deals = [_new_deal() for _ in range(len(order) // 2)]
    return Leg.objects.bulk_create(
        Leg(of=of, position=n, deal=deals[place.pair], is_swapped=place.is_swapped)
        for n, place in enumerate(order)
    )


def _new_deal() -> SharedDeal:
    deal = SharedDeal()
    deal.commitment = commitment(bytes(deal.seed))  # that of no match
    deal.save(force_insert=True)
    return deal


def _opened(leg: Leg, match: Mapping[str, Any]) -> MatchSnapshot:
    opened = opening.open_match(**match, deal=leg.deal)
    leg.match_id = opened.id
    leg.save(update_fields=["match"])
    return opened


# A duty: the next match of a set begins when the one before is over, then its result.
#
# Each step is a transaction that looks again under a lock, so that any process may die between
# two of them, and several may do the same at once. A set ends early where a match was called off
# or nobody may be seated any more: then nothing is left that its secrets are kept for.

log = structlog.get_logger(__name__)


def go_on_with_all() -> int:
    """The number of sets that went on; one that cannot keeps no other one waiting."""
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
            match = _going_on_opened(get_match(before.match_id), before, leg)
    except Refusal:
        return False
    Leg.objects.filter(pk=leg.pk).update(match=match.id)
    return True


def _going_on_opened(before: MatchSnapshot, earlier: Leg, leg: Leg) -> MatchSnapshot:
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

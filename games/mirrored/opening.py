"""Opening a set of mirrored matches: all are drawn, the first one is opened."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from cardroom.rules.shuffles import commitment
from games.matches.models import Match, SharedDeal
from games.matches.refusals import CannotBeRated
from games.matches.seating import opening
from games.matches.seating.seats import SeatRequest
from games.matches.snapshot import MatchSnapshot
from games.mirrored import terms
from games.mirrored.models import Leg, MirroredSet
from games.mirrored.order import LEAST_PAIRS, Place, drawn_order
from games.mirrored.refusals import CannotBeMirrored

DUPLICATE: Final = [Place(0, is_swapped=False), Place(0, is_swapped=True)]


def open_mirrored(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    pairs: int | None = None,
    **others: Any,
) -> MatchSnapshot:
    """A set, or a duplicate where twice as many seats are named as the game has.

    ``others`` are what ``open_match`` takes. Raises ``Refusal`` by cause.
    """
    same: dict[str, Any] = {"creator": creator, "game": game, "seats": seats, "options": options}
    rules, chosen = opening.find_terms(game, options, preset)
    if len(seats) != 2 * rules.seats(chosen):
        count = LEAST_PAIRS if pairs is None else pairs
        return open_set(**same, preset=preset, pairs=count, **others)
    if pairs is not None:
        raise CannotBeMirrored("A duplicate is one pair: nobody plays a deal twice.")
    return open_duplicate(**same, preset=preset, **others)


def open_set(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    pairs: int = LEAST_PAIRS,
    visibility: str = Match.Visibility.UNLISTED,
    **others: Any,
) -> MatchSnapshot:
    """The first match of a set of so many pairs; the others begin by themselves (``going_on``).

    It is not rated, which raises ``CannotBeRated`` where the host wants no other.
    """
    rules, chosen = opening.find_terms(game, options, preset)
    terms.judge(rules, chosen, seats)
    terms.judge_set(creator, seats, pairs)
    if others.pop("only_rated", False):
        raise CannotBeRated(terms.TWINS_ARE_KNOWN)
    match = {"creator": creator, "game": game, "seats": seats, "options": options}
    return _begun(pairs, visibility, {**match, "preset": preset, **others, "rated": False})


def open_arranged(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any],
    pairs: int,
    visibility: str,
    **others: Any,
) -> MatchSnapshot:
    """The first match of a set that a tournament opens: its host has no seat at it.

    Those who play are no bot accounts, since none joins a tournament.
    """
    rules, chosen = opening.find_terms(game, options, None)
    terms.judge(rules, chosen, seats)
    terms.judge_pairs(pairs)
    match = {"creator": creator, "game": game, "seats": seats, "options": options}
    return _begun(pairs, visibility, {**match, **others})


def open_duplicate(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    visibility: str = Match.Visibility.UNLISTED,
    **others: Any,
) -> MatchSnapshot:
    """The host's table of two: ``seats`` names those at it, then the partner of each of them.

    The other table is opened too, where the partners have the sides of those they are not partners
    of. Its host sees nothing of it until both are over.
    """
    rules, chosen = opening.find_terms(game, options, preset)
    count = rules.seats(chosen)
    own, partners = seats[:count], seats[count:]
    terms.judge(rules, chosen, seats)
    terms.judge_duplicate(creator, (own, partners))
    swapped = [*partners[1:], *partners[:1]]
    table = {"creator": creator, "game": game, "options": options, "preset": preset, **others}
    with transaction.atomic():
        first, second = _drawn(MirroredSet.Form.DUPLICATE, visibility, DUPLICATE)
        match = _opened(first, visibility, {**table, "seats": own})
        _opened(second, visibility, {**table, "seats": swapped})
    return match


def _begun(pairs: int, visibility: str, match: Mapping[str, Any]) -> MatchSnapshot:
    with transaction.atomic():
        legs = _drawn(MirroredSet.Form.SET, visibility, drawn_order(pairs))
        return _opened(legs[0], visibility, match)


def _drawn(form: str, visibility: str, order: Sequence[Place]) -> list[Leg]:
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


def _opened(leg: Leg, visibility: str, match: Mapping[str, Any]) -> MatchSnapshot:
    """``match`` is what ``open_match`` takes."""
    opened = opening.open_match(**match, visibility=visibility, deal=leg.deal)
    leg.match_id = opened.id
    leg.save(update_fields=["match"])
    return opened

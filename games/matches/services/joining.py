"""Coming and going while a match is open: join, leave, abort."""

from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games.matches.models import Match, Seat
from games.matches.refusals import (
    AlreadySeated,
    BadDeck,
    MatchNotOpen,
    NotAllowed,
    NotFound,
    SeatTaken,
)
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import closed_scores
from games.matches.services.seats import equip
from games.matches.services.starting import start_if_full
from games.matches.snapshot import Table
from games.rules import resigning


def join(*, match_id: UUID, user: User, seat: int | None = None, deck: str | None = None) -> Table:
    """Takes an open seat, or the one the user is invited to; starts the match when it is full."""
    try:
        with transaction.atomic():
            match = locked_match(match_id, user)
            chosen = _free_seat(match, user, seat)
            chosen.kind, chosen.user, chosen.invited = Seat.Kind.USER, user, None
            chosen.name = user.display_name
            _equip_joining(match, chosen, user, deck)
            chosen.save()
            return _changed(match)
    except IntegrityError:
        raise AlreadySeated from None


def _equip_joining(match: Match, seat: Seat, user: User, deck: str | None) -> None:
    if match.state is None:
        equip(match.rules, match.rules.decode_options(bytes(match.options)), seat, user, deck)
    elif deck is not None:
        raise BadDeck("This match plays on with the side decks that it was begun with.")


def locked_match(match_id: UUID, user: User) -> Match:
    match = Match.objects.select_for_update().filter(id=match_id).first()
    if match is None or not get_match(match_id).is_visible_to(user.id):
        raise NotFound
    return match


def _free_seat(match: Match, user: User, index: int | None) -> Seat:
    seats = list(match.seats.order_by("index"))
    if any(seat.user_id == user.id for seat in seats):
        raise AlreadySeated
    if match.status != Match.Status.OPEN:
        raise SeatTaken("All seats of this match are taken.")
    mine = [s for s in seats if s.kind == Seat.Kind.OPEN and s.invited_id == user.id]
    free = [s for s in seats if s.kind == Seat.Kind.OPEN and s.invited_id is None]
    if index is None and mine + free:
        return (mine + free)[0]
    chosen = next((s for s in mine + free if s.index == index), None)
    if chosen is None:
        raise SeatTaken("This seat is taken or kept for somebody." if seats else "")
    return chosen


@transaction.atomic
def leave(*, match_id: UUID, user: User) -> Table:
    """Gives the seat back while the match is open; the creator leaving aborts it."""
    match = locked_match(match_id, user)
    if match.status != Match.Status.OPEN:
        raise MatchNotOpen("The match has started; you can resign from it instead.")
    if match.creator_id == user.id:
        return abort(match)
    seats = match.seats.filter(user=user) | match.seats.filter(invited=user)
    if match.state is None:
        seats.update(side_deck=None)  # a match that was loaded plays on with its decks
    if not seats.update(kind="open", user=None, invited=None, name=""):
        raise NotAllowed("You have no seat in this match to give back.")
    return _changed(match)


def _changed(match: Match) -> Table:
    """The table after somebody came or left; the version stays, so the time says that it did."""
    match.updated_at = timezone.now()
    match.save(update_fields=["updated_at"])
    return start_if_full(match)


def abort(match: Match) -> Table:
    """Calls a match off; nobody wins. Call it with the match locked."""
    table = get_match(match.id)
    outcome = resigning.aborted(table.sides, closed_scores(table))
    match.status = Match.Status.ABORTED
    match.outcome = msgspec.json.encode(outcome)
    match.to_act, match.bot_due_at, match.deadline_at = [], None, None
    match.finished_at = match.updated_at = timezone.now()
    match.save()
    return start_if_full(match)

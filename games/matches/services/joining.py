"""Coming and going while a match is open: join, leave, abort."""

from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from config.refusals import NotAllowed
from games.matches.models import Match, Seat
from games.matches.refusals import AlreadySeated, BadDeck, MatchNotOpen, NoSuchMatch, SeatTaken
from games.matches.selectors.access import get_match
from games.matches.selectors.lists import closed_scores
from games.matches.services.seats import assign_side_deck
from games.matches.services.starting import start_if_full
from games.matches.snapshot import MatchSnapshot
from games.rules import resigning


def join(
    *, match_id: UUID, user: User, seat: int | None = None, deck: str | None = None
) -> MatchSnapshot:
    """Takes an open seat, or the one the user is invited to; starts the match when it is full."""
    try:
        with transaction.atomic():
            row = locked_match(match_id, user)
            chosen = _free_seat(row, user, seat)
            chosen.kind, chosen.user, chosen.invited = Seat.Kind.USER, user, None
            chosen.name = user.display_name
            _equip_joining(row, chosen, user, deck)
            chosen.save()
            return _changed(row)
    except IntegrityError:
        raise AlreadySeated from None


def _equip_joining(row: Match, seat: Seat, user: User, deck: str | None) -> None:
    if row.state is None:
        assign_side_deck(row.rules, row.rules.decode_options(bytes(row.options)), seat, user, deck)
    elif deck is not None:
        raise BadDeck("This match plays on with the side decks that it was begun with.")


def locked_match(match_id: UUID, user: User) -> Match:
    row = Match.objects.select_for_update().filter(id=match_id).first()
    if row is None or not get_match(match_id).is_visible_to(user.id):
        raise NoSuchMatch
    return row


def _free_seat(row: Match, user: User, index: int | None) -> Seat:
    seats = list(row.seats.order_by("index"))
    if any(seat.user_id == user.id for seat in seats):
        raise AlreadySeated
    if row.status != Match.Status.OPEN:
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
def leave(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Gives the seat back while the match is open; the creator leaving aborts it."""
    row = locked_match(match_id, user)
    if row.status != Match.Status.OPEN:
        raise MatchNotOpen("The match has started; you can resign from it instead.")
    if row.creator_id == user.id:
        return abort(row)
    seats = row.seats.filter(user=user) | row.seats.filter(invited=user)
    if row.state is None:
        seats.update(side_deck=None)  # a match that was loaded plays on with its decks
    if not seats.update(kind="open", user=None, invited=None, name=""):
        raise NotAllowed("You have no seat in this match to give back.")
    return _changed(row)


def _changed(row: Match) -> MatchSnapshot:
    """The table after somebody came or left; the version stays, so the time says that it did."""
    row.updated_at = timezone.now()
    row.save(update_fields=["updated_at"])
    return start_if_full(row)


def abort(row: Match) -> MatchSnapshot:
    """Calls a match off; nobody wins. Call it with the match locked."""
    match = get_match(row.id)
    outcome = resigning.aborted(match.sides, closed_scores(match))
    row.status = Match.Status.ABORTED
    row.outcome = msgspec.json.encode(outcome)
    row.to_act, row.bot_due_at, row.deadline_at = [], None, None
    row.finished_at = row.updated_at = timezone.now()
    row.save()
    return start_if_full(row)

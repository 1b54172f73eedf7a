"""Coming and going while a match is open: join, leave, abort."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import check_may_play
from cardroom.rules import course
from config import club
from config.refusals import NotAllowed
from config.tasks.rows import each
from games.absent import check_installed, of_installed_games
from games.matches.models import InvitationNews, Match, Seat
from games.matches.refusals import (
    AlreadySeated,
    BadDeck,
    CannotAbort,
    MatchNotActive,
    MatchNotOpen,
    NoSuchMatch,
    SeatTaken,
)
from games.matches.seating import programs, rating
from games.matches.seating.company import is_kept_away
from games.matches.seating.friends import is_free_for
from games.matches.seating.invitations import awaits, keep_news
from games.matches.seating.seats import assign_side_deck
from games.matches.seating.starting import write_change
from games.matches.selectors.access import snapshot_of
from games.matches.selectors.lists import closed_scores
from games.matches.selectors.secrecy import keeps_back_alone, may_sit
from games.matches.snapshot import MatchSnapshot


def join(
    *, match_id: UUID, user: User, seat: int | None = None, deck: str | None = None
) -> MatchSnapshot:
    """Takes an open seat, or the one the user is invited to; starts the match when it is full."""
    try:
        with transaction.atomic():
            row, seats = locked_match(match_id, user)
            club.check_new_matches(row.game)
            check_may_play(user.id)
            chosen = _free_seat(row, seats, user, seat)
            chosen.kind, chosen.user, chosen.invited = Seat.Kind.USER.value, user, None
            chosen.name = user.display_name
            programs.judge_seats(row, [user.id] if user.is_bot else [])
            rating.settle(row, seats)
            _equip_joining(row, chosen, user, deck)
            chosen.save()
            return write_change(row, seats)
    except IntegrityError:
        raise AlreadySeated from None


def _equip_joining(row: Match, seat: Seat, user: User, deck: str | None) -> None:
    if row.state is None:
        assign_side_deck(row.rules, row.rules.decode_options(bytes(row.options)), seat, user, deck)
    elif deck is not None:
        raise BadDeck("This match plays on with the side decks that it was begun with.")


def locked_match(match_id: UUID, user: User) -> tuple[Match, list[Seat]]:
    """The match and its seats, which nobody else changes until the transaction ends."""
    row, seats = locked(match_id)
    if not snapshot_of(row, seats).is_visible_to(user.id):
        raise NoSuchMatch
    check_installed(row.rules)
    return row, seats


def locked(match_id: UUID) -> tuple[Match, list[Seat]]:
    """The same for the service itself."""
    row = Match.objects.select_for_update().filter(id=match_id).first()
    if row is None:
        raise NoSuchMatch
    return row, list(row.seats.order_by("index"))


def _free_seat(row: Match, seats: Sequence[Seat], user: User, index: int | None) -> Seat:
    if any(seat.user_id == user.id for seat in seats):
        raise AlreadySeated
    if row.status == Match.Status.ABORTED:
        raise MatchNotOpen("The match was called off; nobody can join it any more.")
    if row.status != Match.Status.OPEN:
        raise SeatTaken("All seats of this match are taken.")
    if row.answer_by is not None and row.answer_by <= timezone.now():
        raise MatchNotOpen("The challenge has expired.")
    mine = [s for s in seats if s.kind == Seat.Kind.OPEN and awaits(s, user.id)]
    free = [s for s in seats if is_free_for(s, row.creator_id, user.id)]
    if free and is_kept_away(user.id, row.creator_id, seats):
        free = []
    if row.parent_id is not None:
        free = [seat for seat in free if may_sit(row.id, seat.index, user.id)]
    if index is None and mine + free:
        return (mine + free)[0]
    chosen = next((s for s in mine + free if s.index == index), None)
    if chosen is None:
        raise SeatTaken("This seat is taken or kept for somebody." if seats else "")
    return chosen


@transaction.atomic
def leave(*, match_id: UUID, user: User, reason: str = Seat.Declined.GENERIC) -> MatchSnapshot:
    """Gives the seat back while the match is open, or declines an invitation for this reason.

    If the creator leaves, the match is aborted. A declined seat is kept until the creator decides,
    and so is one that was left in a private match, where nobody else could see it; a challenge that
    is declined is over. Declining again changes nothing.
    """
    row, seats = locked(match_id)
    own = [
        seat
        for seat in seats
        if user.id in (seat.user_id, seat.invited_id) and seat.resigned_at is None
    ]
    if not own and not snapshot_of(row, seats).is_visible_to(user.id):
        raise NoSuchMatch
    check_installed(row.rules)
    if row.status != Match.Status.OPEN:
        raise MatchNotOpen("The match has started; you can resign from it instead.")
    if row.creator_id == user.id:
        return abort(row, seats)
    if not own:
        raise NotAllowed("You have no seat in this match to give back.")
    if all(seat.declined for seat in own):
        return snapshot_of(row, seats)
    for seat in own:
        if seat.invited_id or row.visibility == Match.Visibility.PRIVATE:
            decline(row, seat, user, reason)
        else:
            give_back(row, seat)
        seat.save()
    return write_change(row, seats) if row.answer_by is None else abort(row, seats)


def decline(row: Match, seat: Seat, user: User, reason: str = Seat.Declined.GENERIC) -> None:
    """Notes that this person does not come, for the host; the seat stays kept."""
    seat.kind, seat.user, seat.invited = Seat.Kind.OPEN.value, None, user
    seat.declined = reason
    keep_news(row, seat, row.creator_id, InvitationNews.Kind.DECLINED)


def give_back(row: Match, seat: Seat) -> None:
    """Frees a seat: nobody holds it or is invited to it."""
    seat.kind, seat.user, seat.invited = Seat.Kind.OPEN.value, None, None
    seat.name = seat.declined = ""
    if row.state is None:
        seat.side_deck = None  # a match that was loaded plays on with its decks


@transaction.atomic
def stop(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Calls off a match that nobody but its creator ever sat in; raises ``Refusal`` by cause."""
    row, seats = locked_match(match_id, user)
    match = snapshot_of(row, seats)
    if match.is_over:
        raise MatchNotActive("The match is over already.")
    if not match.may_be_aborted_by(user.id):
        raise CannotAbort
    return abort(row, seats)


def call_off_waiting_loads(**which: UUID) -> None:
    """Ends matches that were loaded from a running one and not begun when that one was over.

    Otherwise they would keep its record back for as long as nobody joins them (FORMAT.md §2).
    """
    parent_over = Q(parent__status__in=["finished", "aborted"])
    secret = Q(past_was_told=False)
    secret |= Q(past_was_told=None, created_at__lt=F("parent__finished_at"))
    waiting = Match.objects.filter(
        of_installed_games(), parent_over, secret, status="open", **which
    ).order_by()
    loads = list(waiting.values_list("id", "parent_id"))
    each("loads", loads, lambda load: _call_off_alone(*load), key=lambda load: load[0])


def _call_off_alone(match_id: UUID, parent_id: UUID) -> None:
    if keeps_back_alone(parent_id):
        _call_off_if_open(match_id)


@transaction.atomic
def _call_off_if_open(match_id: UUID) -> None:
    row = Match.objects.select_for_update().get(id=match_id)
    if row.status == Match.Status.OPEN:
        abort(row, list(row.seats.order_by("index")))


def abort(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    """Calls a match off; nobody wins. Call it with the match locked."""
    match = snapshot_of(row, seats)
    outcome = course.aborted(match.sides, closed_scores(match))
    row.status, row.outcome = Match.Status.ABORTED.value, msgspec.json.encode(outcome)
    row.to_act, row.bot_due_at, row.deadline_at = [], None, None
    return write_change(row, seats)

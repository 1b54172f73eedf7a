"""Taking a seat: joining, inviting, blocking, rematches."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.locking import check_may_play, locked_accounts, refusal_of
from accounts.models import User
from accounts.social import services
from cardroom.rules import catalog, course
from config import club
from config.refusals import NotAllowed
from config.tasks.rows import each
from games.absent import check_installed, of_installed_games
from games.matches import opening, rating, refusals
from games.matches import seats as programs
from games.matches.models import InvitationNews, Match, Seat
from games.matches.opening import awaits, keep_news, write_change, write_new
from games.matches.rating import is_rated
from games.matches.seats import (
    assign_side_deck,
    carry_over_seat,
    check_has_friends,
    check_offered,
    find_bot,
    find_invited,
    is_free_for,
    is_kept_away,
)
from games.matches.selectors.access import Caller, MatchAccess, find_match, get_match, snapshot_of
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
            programs.check_seats(row, [user.id] if user.is_bot else [])
            rating.settle(row, seats)
            _equip_joining(row, chosen, user, deck)
            chosen.save()
            return write_change(row, seats)
    except IntegrityError:
        raise refusals.AlreadySeated from None


def _equip_joining(row: Match, seat: Seat, user: User, deck: str | None) -> None:
    if row.state is None:
        assign_side_deck(row.rules, row.rules.decode_options(bytes(row.options)), seat, user, deck)
    elif deck is not None:
        raise refusals.BadDeck("This match plays on with the side decks that it was begun with.")


def locked_match(match_id: UUID, user: User) -> tuple[Match, list[Seat]]:
    """The match and its seats, which nobody else changes until the transaction ends."""
    row, seats = locked(match_id)
    if not snapshot_of(row, seats).is_visible_to(user.id):
        raise refusals.NoSuchMatch
    check_installed(row.rules)
    return row, seats


def locked(match_id: UUID) -> tuple[Match, list[Seat]]:
    """The same for the service itself."""
    row = Match.objects.select_for_update().filter(id=match_id).first()
    if row is None:
        raise refusals.NoSuchMatch
    return row, list(row.seats.order_by("index"))


def _free_seat(row: Match, seats: Sequence[Seat], user: User, index: int | None) -> Seat:
    if any(seat.user_id == user.id for seat in seats):
        raise refusals.AlreadySeated
    if row.status == Match.Status.ABORTED:
        raise refusals.MatchNotOpen("The match was called off; nobody can join it any more.")
    if row.status != Match.Status.OPEN:
        raise refusals.SeatTaken("All seats of this match are taken.")
    if row.answer_by is not None and row.answer_by <= timezone.now():
        raise refusals.MatchNotOpen("The challenge has expired.")
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
        raise refusals.SeatTaken("This seat is taken or kept for somebody." if seats else "")
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
        raise refusals.NoSuchMatch
    check_installed(row.rules)
    if row.status != Match.Status.OPEN:
        raise refusals.MatchNotOpen("The match has started; you can resign from it instead.")
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
        raise refusals.MatchNotActive("The match is over already.")
    if not match.may_be_aborted_by(user.id):
        raise refusals.CannotAbort
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


# The host and a free seat of an open match: invite somebody, open it, let a computer play.
#
# Each gives the seat to somebody else: a person who was invited before and has not answered gets
# news that the invitation is withdrawn. Doing the same again changes nothing and sends no news.


def invite(*, match_id: UUID, host: User, seat: int, username: str) -> MatchSnapshot:
    """Invites a person to a free seat, for the first time or again."""
    _check_host(find_match(match_id, Caller(user=host.id)), host)
    person = find_invited(host, username)
    with _seat_of_host(match_id, host, seat, person) as (row, seats, chosen, active):
        is_open = chosen.kind == Seat.Kind.OPEN
        if chosen.user_id == person.id or (is_open and opening.awaits(chosen, person.id)):
            return snapshot_of(row, seats)
        _check_free(row, chosen)
        _check_cards(row, chosen, person.id)
        if any(person.id in (s.user_id, s.invited_id) for s in seats if s is not chosen):
            raise refusals.BadSeats("Nobody can be invited to two seats of one match.")
        again, more = chosen.invited_id == person.id, 0 if _is_pending(chosen) else 1
        _withdraw(row, chosen)
        if not again:
            give_back(row, chosen)
        chosen.invited, chosen.name, chosen.declined = person, person.display_name, ""
        chosen.for_friends = False
        opening.check_invitation_limit(row, more)
        opening.check_invitations(row, [chosen], active)
        programs.check_seats(row, [person.id] if person.is_bot else [])
        chosen.save()
        opening.keep_news(row, chosen, person.id, InvitationNews.Kind.INVITED)
        return write_change(row, seats)


def open_seat(*, match_id: UUID, host: User, seat: int, friends: bool = False) -> MatchSnapshot:
    """Lets anybody, or any of the host's friends, take a seat that was kept for somebody else."""
    with _seat_of_host(match_id, host, seat) as (row, seats, chosen, _):
        is_open = chosen.kind == Seat.Kind.OPEN and chosen.invited_id is None
        if is_open and chosen.for_friends == friends:
            return snapshot_of(row, seats)
        if friends:
            check_has_friends("open", host)
        if row.visibility == Match.Visibility.PRIVATE:
            raise NotAllowed("Nobody else can see a private match. Invite somebody to the seat.")
        _check_free(row, chosen)
        _withdraw(row, chosen)
        give_back(row, chosen)
        chosen.for_friends = friends
        chosen.save()
        return write_change(row, seats)


def fill_seat(*, match_id: UUID, host: User, seat: int, bot: str) -> MatchSnapshot:
    """Lets a computer play on a free seat; the match starts if it was the last one."""
    with _seat_of_host(match_id, host, seat) as (row, seats, chosen, _):
        player = find_bot(row.rules, bot)
        if chosen.kind == Seat.Kind.BOT and chosen.bot == player.slug:
            return snapshot_of(row, seats)
        _check_free(row, chosen)
        check_offered(row.rules, row.rules.decode_options(bytes(row.options)), [bot])
        _check_cards(row, chosen, None)
        _withdraw(row, chosen)
        give_back(row, chosen)
        chosen.kind, chosen.bot, chosen.name = Seat.Kind.BOT.value, player.slug, player.name
        chosen.for_friends = False
        if row.state is None:
            options = row.rules.decode_options(bytes(row.options))
            assign_side_deck(row.rules, options, chosen, host, None)
        if all(each.kind != Seat.Kind.OPEN for each in seats):
            opening.check_active_limit(row, seats)
        rating.settle(row, seats)
        chosen.save()
        return write_change(row, seats)


def _check_host(access: MatchAccess | None, host: User) -> None:
    """Comes first: others learn nothing about the account that is to be invited."""
    if access is None or not access.match.is_visible_to(host.id):
        raise refusals.NoSuchMatch
    if access.match.creator_id != host.id:
        raise refusals.NotTheHost


@contextmanager
def _seat_of_host(
    match_id: UUID, host: User, index: int, *others: User
) -> Iterator[tuple[Match, list[Seat], Seat, frozenset[UUID]]]:
    """The match with this seat, and which of these accounts may play; all are locked."""
    with transaction.atomic():
        row, seats = locked_match(match_id, host)
        if row.creator_id != host.id:
            raise refusals.NotTheHost
        if row.answer_by is not None:
            raise NotAllowed("A challenge is to one person. Withdraw it to ask somebody else.")
        if index >= len(seats):
            raise refusals.BadSeats("This match has no such seat.")
        with locked_accounts(host.id, *(other.id for other in others)) as active:
            if host.id not in active:
                raise refusal_of(host.id)
            yield row, seats, seats[index], active


def _check_free(row: Match, seat: Seat) -> None:
    if row.status != Match.Status.OPEN:
        raise refusals.MatchNotOpen
    if seat.kind != Seat.Kind.OPEN:
        raise refusals.SeatTaken


def _check_cards(row: Match, seat: Seat, person: UUID | None) -> None:
    """A person who sits down sees the cards of the seat, also those of the parent match."""
    if row.parent_id is not None and not may_sit(row.id, seat.index, person):
        raise NotAllowed("Somebody else holds these cards in a match that still runs.")


def _is_pending(seat: Seat) -> bool:
    return seat.invited_id is not None and not seat.declined


def _withdraw(row: Match, seat: Seat) -> None:
    """Gives news to a person who was invited and has not answered."""
    if seat.invited_id is not None and _is_pending(seat):
        opening.keep_news(row, seat, seat.invited_id, InvitationNews.Kind.WITHDRAWN)


# Blocking a person met at a match, and what a block does to invitations.


def block_player(*, match_id: UUID, user: User, seat: int | None = None) -> MatchSnapshot:
    """Blocks the person on a seat or, without one, the match's host. The match goes on."""
    access = find_match(match_id, Caller(user=user.id))
    if access is None or not access.match.is_visible_to(user.id):
        raise refusals.NoSuchMatch
    services.block(owner=user, blocked=_person(access.match, seat))
    return access.match


def _person(match: MatchSnapshot, index: int | None) -> UUID:
    if index is None:
        return match.creator_id
    person = match.seats[index].user_id if index < len(match.seats) else None
    if person is None:
        raise NotAllowed("Nobody sits there whom you could block.")
    return person


def decline_between(owner: UUID, blocked: UUID) -> None:
    """Declines every waiting invitation of one to the other, as if the invited had done it."""
    for creator, invited in ((blocked, owner), (owner, blocked)):
        waiting = Seat.objects.filter(
            invited=invited, kind="open", declined="", match__status="open"
        )
        guest = User.objects.get(pk=invited)
        for match_id in waiting.filter(match__creator=creator).values_list("match_id", flat=True):
            leave(match_id=match_id, user=guest)


# The same players, options and decks once more.


def open_rematch(*, match_id: UUID, user: User) -> MatchSnapshot:
    """The same once more with seats rotated by one: seat 1 becomes seat 0.

    Other people are invited to their seats. The same player's second request gives the rematch that
    runs already. A second player's request for a rematch joins the one
    that another player has opened already, so that two who press the button meet.
    """
    with transaction.atomic():
        row, seats = locked_match(match_id, user)
        if all(seat.user_id != user.id for seat in seats):
            raise NotAllowed("Only its players can ask for a rematch.")
        if row.status not in (Match.Status.FINISHED, Match.Status.ABORTED):
            raise refusals.MatchNotOver("A rematch can be asked for when the match is over.")
        own = row.rematches.filter(creator=user, status__in=["open", "active"]).first()
        if own is not None:  # the same button pressed twice
            return get_match(own.id)
        waiting = row.rematches.filter(
            status="open", seats__invited=user, seats__declined=""
        ).first()
        if waiting is None:
            return _rematch(snapshot_of(row, seats), user)
    return join(match_id=waiting.id, user=user)


@transaction.atomic
def decline_rematch(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Ends every rematch of this match that waits for others; the match that was played.

    A rematch is of the same players: without one of them, who was asked or had asked, it is called
    off. A person who does not want it keeps the seat in name, so that the others learn who it was.
    Once all have agreed it has begun and is refused: it can be resigned like any other match.
    """
    concerned = Q(seats__user=user) | Q(seats__invited=user, seats__declined="")
    waiting = Match.objects.filter(concerned, previous=match_id, status=Match.Status.OPEN)
    called_off = False
    for rematch_id in waiting.order_by("id").values_list("id", flat=True).distinct():
        row, seats = locked_match(rematch_id, user)
        if row.status == Match.Status.OPEN:
            _say_no(row, seats, user)
            abort(row, seats)
            called_off = True
    begun = Match.objects.filter(previous=match_id, status="active", seats__user=user)
    if not called_off and begun.exists():
        raise refusals.MatchNotOpen("All have agreed already: the next match has begun.")
    return get_match(match_id)


def _say_no(row: Match, seats: Sequence[Seat], user: User) -> None:
    for seat in seats:
        if user.id in (seat.user_id, seat.invited_id) and row.creator_id != user.id:
            decline(row, seat, user)
            seat.save()


def _rematch(old: MatchSnapshot, user: User) -> MatchSnapshot:
    wish = Match.objects.values_list("rated_wish", flat=True).get(id=old.id)
    row = Match.on_same_terms(
        old,
        rules_version=catalog.find(old.game).rules_version,
        creator=user,
        rated=wish is not False
        and is_rated(old.rules, old.options, old.seats, on_timeout=old.on_timeout),
        rated_wish=wish,
        previous_id=old.id,
    )
    rotated = enumerate(old.seats[1:] + old.seats[:1])
    return write_new(row, [carry_over_seat(old.rules, seat, n, user) for n, seat in rotated])

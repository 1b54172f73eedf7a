"""The host and a free seat of an open match: invite somebody, open it, let a computer play.

Each gives the seat to somebody else: a person who was invited before and has not answered gets news
that the invitation is withdrawn. Doing the same again changes nothing and sends no news.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.suspensions import refusal_of
from config.refusals import NotAllowed
from games.matches.models import InvitationNews, Match, Seat
from games.matches.refusals import BadSeats, MatchNotOpen, NoSuchMatch, NotTheHost, SeatTaken
from games.matches.seating import invitations, limits, programs, rating
from games.matches.seating.joining import give_back, locked_match
from games.matches.seating.seats import (
    assign_side_deck,
    check_has_friends,
    find_bot,
    find_invited,
)
from games.matches.seating.starting import write_change
from games.matches.selectors.access import Caller, MatchAccess, find_match, snapshot_of
from games.matches.selectors.secrecy import may_sit
from games.matches.snapshot import MatchSnapshot


def invite(*, match_id: UUID, host: User, seat: int, username: str) -> MatchSnapshot:
    """Invites a person to a free seat, for the first time or again."""
    _check_host(find_match(match_id, Caller(user=host.id)), host)
    person = find_invited(host, username)
    with _seat_of_host(match_id, host, seat, person) as (row, seats, chosen, active):
        if chosen.user_id == person.id or _waits_for(chosen, person):
            return snapshot_of(row, seats)
        _check_free(row, chosen)
        _check_cards(row, chosen, person.id)
        if any(person.id in (s.user_id, s.invited_id) for s in seats if s is not chosen):
            raise BadSeats("Nobody can be invited to two seats of one match.")
        again, more = chosen.invited_id == person.id, 0 if _is_pending(chosen) else 1
        _withdraw(row, chosen)
        if not again:
            give_back(row, chosen)
        chosen.invited, chosen.name, chosen.declined = person, person.display_name, ""
        chosen.for_friends = False
        limits.judge_invitations(row, more)
        invitations.judge(row, [chosen], active)
        programs.judge_seats(row, [person.id] if person.is_bot else [])
        chosen.save()
        invitations.keep_news(row, chosen, person.id, InvitationNews.Kind.INVITED)
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
        _check_cards(row, chosen, None)
        _withdraw(row, chosen)
        give_back(row, chosen)
        chosen.kind, chosen.bot, chosen.name = Seat.Kind.BOT.value, player.slug, player.name
        chosen.for_friends = False
        if row.state is None:
            options = row.rules.decode_options(bytes(row.options))
            assign_side_deck(row.rules, options, chosen, host, None)
        if all(each.kind != Seat.Kind.OPEN for each in seats):
            limits.judge_active(row, seats)
        rating.settle(row, seats)
        chosen.save()
        return write_change(row, seats)


def _check_host(access: MatchAccess | None, host: User) -> None:
    """Comes first: others learn nothing about the account that is to be invited."""
    if access is None or not access.match.is_visible_to(host.id):
        raise NoSuchMatch
    if access.match.creator_id != host.id:
        raise NotTheHost


@contextmanager
def _seat_of_host(
    match_id: UUID, host: User, index: int, *others: User
) -> Iterator[tuple[Match, list[Seat], Seat, frozenset[UUID]]]:
    """The match with this seat, and which of these accounts may play; all are locked."""
    with transaction.atomic():
        row, seats = locked_match(match_id, host)
        if row.creator_id != host.id:
            raise NotTheHost
        if row.answer_by is not None:
            raise NotAllowed("A challenge is to one person. Withdraw it to ask somebody else.")
        if index >= len(seats):
            raise BadSeats("This match has no such seat.")
        with locked_accounts(host.id, *(other.id for other in others)) as active:
            if host.id not in active:
                raise refusal_of(host.id)
            yield row, seats, seats[index], active


def _waits_for(seat: Seat, person: User) -> bool:
    return seat.kind == Seat.Kind.OPEN and invitations.awaits(seat, person.id)


def _check_free(row: Match, seat: Seat) -> None:
    if row.status != Match.Status.OPEN:
        raise MatchNotOpen
    if seat.kind != Seat.Kind.OPEN:
        raise SeatTaken


def _check_cards(row: Match, seat: Seat, person: UUID | None) -> None:
    """A person who sits down sees the cards of the seat, also those of the parent match."""
    if row.parent_id is not None and not may_sit(row.id, seat.index, person):
        raise NotAllowed("Somebody else holds these cards in a match that still runs.")


def _is_pending(seat: Seat) -> bool:
    return seat.invited_id is not None and not seat.declined


def _withdraw(row: Match, seat: Seat) -> None:
    """Gives news to a person who was invited and has not answered."""
    if seat.invited_id is not None and _is_pending(seat):
        invitations.keep_news(row, seat, seat.invited_id, InvitationNews.Kind.WITHDRAWN)

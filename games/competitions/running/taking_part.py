"""Joining, inviting and withdrawing. What becomes of the boards is paid by the beat."""

from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import check_may_play
from accounts.social.selectors import blocked_by, who_blocked
from cardroom.rules.text import say
from config.refusals import NotAllowed
from games.competitions import selectors
from games.competitions.models import Entrant, Tournament
from games.competitions.refusals import (
    AlreadyBegun,
    BadTournament,
    NotTakingPart,
    NotTheOrganiser,
    TooLateToJoin,
    TournamentIsFull,
    TournamentIsOver,
)
from games.competitions.rules.standings import ARENA, SWISS
from games.competitions.running.locking import changed
from games.matches.models import Seat
from games.matches.refusals import UnknownUser
from games.matches.seating.seats import assign_side_deck, find_invited

SEATS = 2
IN, INVITED = Entrant.State.JOINED, Entrant.State.INVITED
GONE = Entrant.State.WITHDRAWN


def may_still_join(tournament: Tournament) -> bool:
    """Before it begins; afterwards in the first half of a Swiss, and as long as an arena pairs.

    A late player has no points for the rounds that were missed.
    """
    if tournament.status == Tournament.Status.ANNOUNCED:
        return True
    if tournament.status != Tournament.Status.RUNNING:
        return False
    if tournament.form == ARENA:
        ends = selectors.ends_at(tournament)
        return ends is not None and timezone.now() < ends
    return tournament.form == SWISS and 2 * tournament.round <= (tournament.rounds or 0)


def join(*, tournament_id: UUID, user: User) -> Tournament:
    """Takes part; again is no error. Raises a refusal where this person may not or cannot play."""
    row = selectors.find(tournament_id, user.pk)
    if user.is_bot:
        raise NotAllowed("Tournaments are for people.")
    _judge_side_deck(row, user)
    with changed(row.id) as tournament:
        own = selectors.entrant_of(tournament, user.pk)
        if own is not None and own.state == IN:
            return tournament
        _judge(tournament, own)
        check_may_play(user.pk)
        entrant = own or Entrant(tournament=tournament, account=user)
        entrant.state, entrant.missed = IN.value, 0
        entrant.joined_at = entrant.free_since = timezone.now()
        if tournament.begun_at is not None and entrant.number is None:
            entrant.number = _next_number(tournament)
        entrant.save()
        if tournament.by_hand and _joined(tournament) >= tournament.most:
            tournament.starts_at = min(tournament.starts_at, timezone.now())
    return tournament


def begin(*, tournament_id: UUID, user: User) -> Tournament:
    """By its creator, as soon as two take part; the beat does the rest."""
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    with changed(row.id) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED:
            raise AlreadyBegun
        if max(_joined(tournament), min(tournament.fill_to, tournament.most)) < SEATS:
            raise BadTournament(say("Two have to take part before it begins."))
        tournament.starts_at = timezone.now()
    return tournament


def _judge(tournament: Tournament, own: Entrant | None) -> None:
    """An invited person may join; a removed one not again."""
    if tournament.is_over:
        raise TournamentIsOver
    if not may_still_join(tournament) or (own and own.state == Entrant.State.REMOVED):
        raise TooLateToJoin
    if _joined(tournament) >= tournament.most:
        raise TournamentIsFull


def _joined(tournament: Tournament) -> int:
    return Entrant.objects.filter(tournament=tournament, state=IN).count()


def _next_number(tournament: Tournament) -> int:
    numbers = Entrant.objects.filter(tournament=tournament, number__isnull=False)
    return 1 + (numbers.aggregate(last=Max("number"))["last"] or 0)


def _judge_side_deck(tournament: Tournament, user: User) -> None:
    """Refuses who could not sit down at a table of this tournament."""
    seat = Seat(index=0, kind=Seat.Kind.USER, user=user, name=user.display_name)
    assign_side_deck(tournament.rules, tournament.chosen_options, seat, user, None)


def withdraw(*, tournament_id: UUID, user: User) -> Tournament:
    """Gives up: the match that runs is resigned, the others win without playing."""
    row = selectors.find(tournament_id, user.pk)
    with changed(row.id) as tournament:
        if tournament.is_over:
            raise TournamentIsOver
        own = selectors.entrant_of(tournament, user.pk)
        if own is None or own.state not in (IN, INVITED):
            raise NotTakingPart
        leave(tournament, own, GONE)
    return tournament


def leave(tournament: Tournament, entrant: Entrant, state: Entrant.State) -> None:
    """Under the lock of the tournament."""
    if tournament.begun_at is None and state == GONE and tournament.visibility != "private":
        entrant.delete()
        return
    Entrant.objects.filter(pk=entrant.pk).update(state=state)


def invite(*, tournament_id: UUID, user: User, username: str) -> Tournament:
    """Lets another person see and join a tournament; again is no error.

    People who block each other find nobody of this name.
    """
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    guest = find_invited(user, username)
    if blocked_by(user.pk).filter(blocked=guest).exists() or who_blocked(user.pk, [guest.pk]):
        raise UnknownUser(say("There is no player called {name}.", name=repr(username)))
    with changed(row.id) as tournament:
        if tournament.is_over:
            raise TournamentIsOver
        if Entrant.objects.filter(tournament=tournament).count() >= 4 * tournament.most:
            raise TournamentIsFull
        Entrant.objects.get_or_create(
            tournament=tournament, account=guest, defaults={"state": INVITED}
        )
    return tournament


def call_off(*, tournament_id: UUID, user: User) -> Tournament:
    """By its creator, before it begins."""
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    with changed(row.id) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED:
            raise AlreadyBegun
        end(tournament, Tournament.Ending.CREATOR)
    return tournament


def end(tournament: Tournament, ending: Tournament.Ending) -> None:
    """Calls it off, under its lock. Matches that run are played on as any other match."""
    tournament.status, tournament.ending = Tournament.Status.ABORTED, ending
    tournament.ended_at, tournament.paused_at = timezone.now(), None


def check_organiser(tournament: Tournament, user: User) -> None:
    if tournament.creator_id != user.pk and not user.has_perm(selectors.RIGHT):
        raise NotTheOrganiser

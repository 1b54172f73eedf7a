"""Opening and starting a match, and the limits of both."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, QuerySet

from accounts.locking import Together, counted_with, hosts_with, locked_accounts, refusal_of
from accounts.models import User
from accounts.social.selectors import blocked_by, who_blocked
from cardroom.rules import catalog
from cardroom.rules import values as errors
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import RecordingShuffle, Sealed, commitment
from cardroom.rules.text import Words, one_after_the_other, say
from cardroom.rules.values import Options
from config import club
from config.clock import now_in_milliseconds
from config.tasks import after_commit
from decks import selectors
from games.matches import refusals
from games.matches import seats as programs
from games.matches.announcements import announce
from games.matches.models import InvitationNews, Match, Ply, Round, Seat, SharedDeal
from games.matches.rating import await_first_moves, confirm, settle
from games.matches.resting import rest_from_the_start
from games.matches.seats import (
    SeatRequest,
    assign_side_deck,
    check_offered,
    find_bot,
    is_anybodys,
    seat_from_request,
    sit_down,
)
from games.matches.selectors.access import snapshot_of
from games.matches.snapshot import MatchSnapshot, Progress, bots_due_at, columns, people_among
from games.matches.time_bank import LEAST_BANK, MOST_BANK, MOST_INCREMENT, Clock, is_in_bounds

# How many matches one account may have at a time. Judge and write under the account's lock.
#
# Guests at one address count as one account, and so do all hosts there in the lobby.


def check_limits(row: Match, seats: Sequence[Seat]) -> None:
    """Raises a refusal if the creator has as many matches like this new one as allowed."""
    if row.status == Match.Status.OPEN:
        _check_open(row, seats)
        _check_lobby(row, seats)
    else:
        check_active_limit(row, seats)


def _check_open(row: Match, seats: Sequence[Seat]) -> None:
    creators = counted_with(row.creator_id)
    most = creators.most(settings.LIMITS["open_matches"])
    if _matches_of(creators, "open").count() >= most:
        raise refusals.TooManyOpenMatches(limit=most)
    check_invitation_limit(row, sum(seat.invited_id is not None for seat in seats))


def check_invitation_limit(row: Match, more: int) -> None:
    """Raises a refusal if the creator has too many invitations waiting for as many more."""
    if not more:
        return
    creators = counted_with(row.creator_id)
    sent = Seat.objects.filter(
        match__in=_matches_of(creators, "open"), invited__isnull=False, kind="open", declined=""
    )
    if sent.count() + more > (most := creators.most(settings.LIMITS["invitations"])):
        raise refusals.TooManyInvitations(limit=most)


def _check_lobby(row: Match, seats: Sequence[Seat]) -> None:
    """Limits the tables that wait for anybody, so that no host fills the lobby."""
    if row.visibility != Match.Visibility.PUBLIC or not any(map(is_anybodys, seats)):
        return
    free = Seat.objects.filter(
        match=OuterRef("pk"), kind=Seat.Kind.OPEN, invited=None, for_friends=False
    )
    waiting = _matches_of(Together(hosts_with(row.creator_id)), "open")
    waiting = waiting.filter(Exists(free), visibility=Match.Visibility.PUBLIC)
    if waiting.count() >= (most := settings.LIMITS["lobby_tables"]):
        raise refusals.TooManyLobbyTables(limit=most)


def check_active_limit(row: Match, seats: Sequence[Seat]) -> None:
    """Raises a refusal if the creator has as many running matches as allowed."""
    creators = counted_with(row.creator_id)
    active = _matches_of(creators, "active")
    if active.count() >= (most := creators.most(settings.LIMITS["active_matches"])):
        raise refusals.TooManyActiveMatches(limit=most)
    if any(seat.user_id and seat.resigned_at is None for seat in seats):
        return
    person = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False, resigned_at=None)
    alone = active.exclude(Exists(person))
    if alone.count() >= (most := creators.most(settings.LIMITS["bot_matches"])):
        raise refusals.TooManyBotMatches(limit=most)


def _matches_of(creators: Together, status: str) -> QuerySet[Match]:
    return Match.objects.filter(creator__in=creators.ids, status=status).order_by()


# Whether an account may be invited: who blocks whom, and how many invitations wait already.
#
# One refusal for all causes, so that it does not reveal who is blocked or suspended. Judge and
# write under the locks of the invited accounts. The person whom a change concerns gets news of it
# (``keep_news``).


def awaits(seat: Seat, user_id: UUID | None) -> bool:
    """Whether a free seat waits for this person's answer (``SeatSnapshot.awaits``)."""
    return user_id is not None and seat.invited_id == user_id and not seat.declined


def keep_news(row: Match, seat: Seat, user_id: UUID, kind: InvitationNews.Kind) -> None:
    """Stores what became of an invitation, for this person; the last of a kind counts."""
    news = InvitationNews(
        match=row, seat=seat.index, user_id=user_id, kind=kind.value, at=now_in_milliseconds()
    )
    InvitationNews.objects.bulk_create(
        [news],
        update_conflicts=True,
        unique_fields=["match", "seat", "user", "kind"],
        update_fields=["at"],
    )


def invited_ids(seats: Sequence[Seat]) -> list[UUID]:
    return [seat.invited_id for seat in seats if seat.invited_id is not None]


def check_invitations(row: Match, seats: Sequence[Seat], active: Collection[UUID]) -> None:
    """Raises a refusal if one of the invited may not be invited by the match's creator.

    ``active`` are the accounts that may play at all.
    """
    invited = invited_ids(seats)
    if not invited:
        return
    if blocked_by(row.creator_id).filter(blocked__in=invited).exists():
        raise refusals.InvitedIsBlocked
    closed = who_blocked(row.creator_id, invited) | (set(invited) - set(active))
    for seat in seats:
        if seat.invited_id in closed or not _has_room(row, seat):
            raise refusals.NoMoreInvitations(
                say(
                    "{name} takes no more invitations now. "
                    "Try again later, or open the seat to anybody.",
                    name=seat.name,
                )
            )


def _has_room(row: Match, seat: Seat) -> bool:
    if seat.invited_id is None:
        return True
    waiting = _waiting(seat.invited_id)
    if waiting.count() >= settings.LIMITS["invitations_received"]:
        return False
    if _have_played(row.creator_id, seat.invited_id).exists():
        return True
    acquainted = Exists(_have_played(OuterRef("match__creator"), seat.invited_id))
    return waiting.exclude(acquainted).count() < settings.LIMITS["invitations_by_strangers"]


def _waiting(user_id: UUID) -> QuerySet[Seat]:
    waiting = Seat.objects.filter(invited=user_id, kind="open", declined="")
    return waiting.filter(match__status="open").order_by()


def _have_played(by: UUID | OuterRef, who: UUID) -> QuerySet[Seat]:
    """Seats of ``by`` in matches that began with ``who``: the two are no strangers."""
    shared = Seat.objects.filter(
        match=OuterRef("match"), user=who, match__started_at__isnull=False
    ).order_by()
    return Seat.objects.filter(Exists(shared), user=by).order_by()


# Writing a new match, and dealing its first round once every seat is taken.
#
# All is computed first: each row is written once.

_encode = msgspec.json.encode


def write_new(
    row: Match, seats: Sequence[Seat], *, limited: bool = True, goes_on: bool = False
) -> MatchSnapshot:
    """Writes a new match with its seats, started if none is free.

    The seed is sealed before the first card. Refused where the creator has too many matches and is
    ``limited``, or an invited account takes no more invitations. ``goes_on``: its people have
    played others of the same set.
    """
    if not goes_on:
        club.check_new_matches(row.game if limited else "")
    row.commitment = commitment(bytes(row.seed))
    row.created_at = row.updated_at = at = now_in_milliseconds()
    for seat in seats:
        seat.match = row
    dealt = _start_if_full(row, seats, at, goes_on=goes_on)
    people = {row.creator_id, *(seat.user_id for seat in seats if seat.user_id)}
    with locked_accounts(*people, *invited_ids(seats)) as active:
        if missing := people - active:
            raise refusal_of(min(missing))
        if limited:
            check_limits(row, seats)
            if row.creator_id in active.bots:
                programs.check_openings(row)
        programs.check_seats(row, active.bots)
        check_invitations(row, seats, active)
        row.save(force_insert=True)
        Seat.objects.bulk_create(seats)
        return _written(row, seats, dealt)


def write_change(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    """Writes a match that somebody joined, left or called off, started if no seat is free now.

    Call it in a transaction, with the match locked and its seats written.
    """
    row.updated_at = at = now_in_milliseconds()
    if row.status == Match.Status.ABORTED:
        row.finished_at = at
    dealt = _start_if_full(row, seats, at)
    for seat in seats:
        if seat.extra_version is not None:
            seat.save(update_fields=["extra_seconds", "extra_version"])
    if row.started_at == at and (new := [seat.pk for seat in seats if seat.awaited]):
        Seat.objects.filter(pk__in=new).update(awaited=True)
    row.save(update_fields=[*columns(Progress), "started_at", "rated", "visibility"])
    return _written(row, seats, dealt)


def _written(row: Match, seats: Sequence[Seat], dealt: Sequence[models.Model]) -> MatchSnapshot:
    for new in dealt:
        new.save(force_insert=True)
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match


def _start_if_full(
    row: Match, seats: Sequence[Seat], at: datetime, *, goes_on: bool = False
) -> Sequence[models.Model]:
    """Starts the match if no seat is free; the rows to be written beside it."""
    if row.status != Match.Status.OPEN or any(seat.kind == Seat.Kind.OPEN for seat in seats):
        return ()
    if not goes_on:
        club.check_new_matches()
    row.status, row.started_at = Match.Status.ACTIVE.value, at
    if snapshot_of(row, seats).is_mirrored:
        row.visibility = Match.Visibility.PRIVATE.value  # who looks on could tell of these cards
    dealt = () if row.state else deal(row, snapshot_of(row, seats), at)
    if not goes_on:
        await_first_moves(row, seats)
    match = snapshot_of(row, seats)
    row.to_act = list(match.rules.to_act(match.state))
    people = people_among(row.to_act, match.rules, match.seats, match.state)
    row.bot_due_at = bots_due_at(row.to_act, people, match.seats, at)
    row.deadline_at = rest_from_the_start(row, [seats[index] for index in people], at)
    if match.banks is not None:
        persons = [seat.index for seat in match.seats if seat.user_id is not None]
        banks = match.banks.terms.begun(persons, len(seats), people, at)
        row.clock, row.deadline_at = banks.encode(), banks.deadline(match.awaited)
    return dealt


def deal(row: Match, match: MatchSnapshot, at: datetime) -> tuple[Ply, Round]:
    sealed = Sealed(match.seed)
    shuffle = RecordingShuffle(sealed)
    step = match.rules.start(match.options, match.setups, shuffle)
    state, decks = _encode(step.state), _encode(shuffle.decks)
    row.state, row.round, row.shuffles_used = state, 1, sealed.used
    return (
        Ply(match=row, version=0, events=_encode(step.events), at=at),
        Round(
            match=row, number=1, opening_version=0, opening_state=state, decks=decks, opened_at=at
        ),
    )


LONGEST_DELAY = 20  # plies
SHORTEST_TURN = 10
LONGEST_TURN = 14 * 24 * 3600


def open_match(
    *,
    creator: User,
    game: str,
    seats: Sequence[SeatRequest],
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    visibility: str = Match.Visibility.UNLISTED,
    turn_seconds: int | None = None,
    clock: Clock | None = None,
    on_timeout: str | None = None,
    together: Sequence[User] = (),
    rated: bool = True,
    only_rated: bool = False,
    watch_delay: int = 0,
    arranged: bool = False,
    answer_by: datetime | None = None,
    deal: SharedDeal | None = None,
) -> MatchSnapshot:
    """Opens a match and starts it if nobody is missing; raises ``Refusal`` by cause.

    ``turn_seconds`` limits each move, ``clock`` gives everybody a bank for the whole match.
    ``on_timeout`` says what happens when the time is up: a late player resigns, unless a
    bot plays on instead; then the match is not rated. ``together`` are people who asked for this
    match as the creator did; they take the open seats in order, or raise ``CannotSit``. Those who
    look on see it ``watch_delay`` plies later. ``rated``: where it can be;
    ``only_rated``: else nobody opens or joins it (``CannotBeRated``).
    One that is ``arranged`` was asked for by nobody: a tournament opens it, and it counts against
    nobody's limits. With ``answer_by`` it is a challenge: it is called off by a no, or then.
    With a ``deal`` it is mirrored: another match is dealt from it too.
    """
    rules = _game(game)
    chosen = _terms(rules, options, preset, _faults_of_clock(turn_seconds, clock, on_timeout))
    at_zero = on_timeout or Match.OnTimeout.RESIGN.value
    _check_count(rules, chosen, seats)
    rows = [seat_from_request(rules, chosen, creator, seat, n) for n, seat in enumerate(seats)]
    if not arranged:
        check_offered(rules, chosen, [seat.bot for seat in rows])
    free = [seat for seat in rows if seat.kind == Seat.Kind.OPEN and seat.invited_id is None]
    for seat, person in zip(free, together, strict=False):
        sit_down(rules, chosen, seat, person)
    if not arranged and not club.may("rated", creator):
        if only_rated:
            raise refusals.CannotBeRated(say("Not everybody may open rated matches here."))
        rated = False
    row = Match(
        game=rules.slug,
        rules_version=rules.rules_version,
        options=msgspec.json.encode(chosen),
        creator=creator,
        visibility=visibility,
        turn_seconds=turn_seconds,
        clock=clock.encode() if clock else None,
        on_timeout=at_zero,
        watch_delay=watch_delay,
        rated_wish=only_rated or (None if rated else False),
        answer_by=answer_by,
        **{"deal": deal, "seed": deal.salted_seed} if deal else {},
    )
    settle(row, rows)
    return confirm(write_new(row, rows, limited=not arranged))


def open_harder(match: MatchSnapshot, user: User, bot: str) -> MatchSnapshot:
    """The same rules once more for the same player, against this bot on every other seat."""
    return open_match(
        creator=user,
        game=match.game,
        seats=[
            SeatRequest("me") if seat.user_id == user.id else SeatRequest("bot", bot=bot)
            for seat in match.seats
        ],
        options=msgspec.to_builtins(match.options),
        visibility=match.visibility,
        turn_seconds=match.turn_seconds,
        clock=match.banks.terms if match.banks else None,
    )


def find_terms(
    game: str,
    options: Mapping[str, Any] | None,
    preset: str | None,
    clock: Clock | None = None,
) -> tuple[AnyGame, Options]:
    """The game of this name and what these options come to; raises UnknownGame, BadOptions,
    NotAllowed where they are switched off.
    """
    rules = _game(game)
    chosen = _terms(rules, options, preset, _faults_of_clock(None, clock, None))
    check_offered(rules, chosen)
    return rules, chosen


def _game(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        known = ", ".join(game.slug for game in catalog.GAMES)
        raise refusals.UnknownGame(
            say("There is no game {slug}; there are: {known}.", slug=repr(slug), known=known)
        ) from None


def _terms(
    game: AnyGame,
    values: Mapping[str, Any] | None,
    preset: str | None,
    faults_of_clock: Iterator[tuple[str, Words]],
) -> Options:
    """The options of the game; the refusal names every fault of them and of the clock."""
    faults: Sequence[Words] = ()
    fields = dict(faults_of_clock)
    try:
        options: Options = game.choose_options(values, preset)
    except errors.BadOptions as error:
        faults, fields = error.faults, error.fields | fields
    if not fields and not faults:
        return options
    named = list({str(fault): fault for fault in (*faults, *fields.values())}.values())
    by_field = {name: [fault] for name, fault in fields.items()}
    raise refusals.BadOptions(one_after_the_other(named), faults=named, fields=by_field)


def _faults_of_clock(
    seconds: int | None, clock: Clock | None, on_timeout: str | None
) -> Iterator[tuple[str, Words]]:
    if clock is not None:
        yield from _faults_of_banks(seconds, clock, on_timeout)
    elif seconds is None and on_timeout not in (None, Match.OnTimeout.RESIGN):
        yield "on_timeout", say("What happens when the time is up needs a time for a move.")
    if seconds is not None and not SHORTEST_TURN <= seconds <= LONGEST_TURN:
        fault = say(
            "The time for a move is {least} to {most} seconds, not {seconds}.",
            least=SHORTEST_TURN,
            most=LONGEST_TURN,
            seconds=seconds,
        )
        yield "turn_seconds", fault


def _faults_of_banks(
    seconds: int | None, clock: Clock, on_timeout: str | None
) -> Iterator[tuple[str, Words]]:
    if seconds is not None:
        yield "clock", say("A match has a time for each move or a clock for all of them, not both.")
    elif not is_in_bounds(clock):
        fault = say(
            "A clock has a bank of {least} to {most} seconds and adds 0 to {increment} a move.",
            least=LEAST_BANK,
            most=MOST_BANK,
            increment=MOST_INCREMENT,
        )
        yield "clock", fault
    if on_timeout == Match.OnTimeout.BOT_MOVE:
        yield (
            "on_timeout",
            say("Time that is used up does not come back: let the computer play on."),
        )


def _check_count(game: AnyGame, options: Options, seats: Sequence[SeatRequest]) -> None:
    wanted = game.seats(options)
    if len(seats) != wanted:
        raise refusals.BadSeats(
            say(
                "With these options {game} has {wanted} seats, not {n}.",
                game=game.name,
                wanted=wanted,
                n=len(seats),
            )
        )
    if sum(seat.kind == "me" for seat in seats) > 1:
        raise refusals.BadSeats(
            "You can take one seat yourself; name the others who sit at your device."
        )
    invited = [seat.username.lower() for seat in seats if seat.username]
    if len(set(invited)) < len(invited):
        raise refusals.BadSeats("Nobody can be invited to two seats of one match.")


# Opening one of the matches that are dealt from the same seed.


def open_shared(
    *,
    user: User,
    game: AnyGame,
    options: Options,
    bots: Sequence[str],
    deal: SharedDeal,
    visibility: str = Match.Visibility.PRIVATE,
) -> MatchSnapshot:
    """A person on the first seat against these computers; all bring the deck of the house.

    It is not rated: a person with two accounts could know the cards. Raises ``Refusal`` by cause.
    """
    seats = [Seat(index=0, kind="user", user=user, name=user.display_name)]
    for index, slug in enumerate(bots, start=1):
        bot = find_bot(game, slug)
        seats.append(Seat(index=index, kind="bot", bot=bot.slug, name=bot.name))
    brought = selectors.for_newcomer(options)
    seats[0].side_deck = list(brought) if brought else None
    for seat in seats:
        assign_side_deck(game, options, seat, user, None)
    row = Match(
        game=game.slug,
        rules_version=game.rules_version,
        options=msgspec.json.encode(options),
        creator=user,
        visibility=visibility,
        rated=False,
        rated_wish=False,
        seed=bytes(deal.seed),
        deal=deal,
    )
    return write_new(row, seats)

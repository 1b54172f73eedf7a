"""Creating a tournament, joining and leaving it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from msgspec import Meta

from accounts.locking import check_may_play, locked_accounts, refusal_of
from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.social.selectors import blocked_by, who_blocked
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Phrase, Words, say
from cardroom.rules.values import Options
from config import club
from config.api.components import drawn
from config.refusals import NotAllowed
from games.competitions import selectors
from games.competitions.models import Entrant, Tournament, TournamentEvent
from games.competitions.rules import ARENA, ROUND_ROBIN, SWISS
from games.matches import opening
from games.matches.models import Seat
from games.matches.refusals import UnknownUser
from games.matches.seats import assign_side_deck, find_invited
from games.matches.time_bank import ClockTerms, Pace, PaceName, clock_pace, find_pace
from games.mirrored import opening as mirrored
from games.mirrored.opening import LEAST_PAIRS, MOST_PAIRS

# Creating a tournament: its terms are judged once and fixed.
#
# Anybody who signed up may have so many that are not over; operators have no limits.

SEATS: Final = 2
MOST_PLAYERS: Final = 64
MOST_OF_OPERATORS: Final = 1024
MOST_ALL_AGAINST_ALL: Final = 16
MOST_COMPUTERS: Final = 16
SHORTEST_ARENA, LONGEST_ARENA = 10, 180  # minutes
MOST_ROUND_MINUTES: Final = 60 * 24 * 60
LATEST: Final = timedelta(days=90)
BY_HAND_WAITS: Final = timedelta(days=1)
TERMS: Final = (
    *("name", "form", "visibility", "game", "preset", "options", "pace", "rated", "pairs"),
    *("rounds", "minutes", "most", "fill_to", "by_hand", "starts_at"),
)


FormName = Literal["swiss", "round_robin", "knockout", "arena"]
Audience = Literal["public", "unlisted", "private", "link"]
STORED_AUDIENCE: Final = {"unlisted": Tournament.Visibility.LINK}

# The terms that the host may change later, too. What else they must be is judged below.
TournamentName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        extra_json_schema=drawn(minLength=1, maxLength=DISPLAY_NAME_LENGTH),
    ),
]
Rounds = Annotated[int, Meta(ge=1, le=15)]
ArenaMinutes = Annotated[int, Meta(ge=1, le=LONGEST_ARENA)]
RoundMinutes = Annotated[int, Meta(ge=1, le=MOST_ROUND_MINUTES)]
Places = Annotated[int, Meta(ge=2, le=MOST_OF_OPERATORS)]
ComputersUpTo = Annotated[int, Meta(ge=0, le=MOST_OF_OPERATORS)]
Moment = Annotated[datetime, Meta(tz=True)]


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a tournament. Its host can change some until it begins (``TournamentChange``).

    ``minutes`` are those of an arena, ``rounds`` those of a Swiss; ``round_minutes``: after these
    a round is decided. ``mirrored``: each board is a set of ``pairs`` (3 without) of matches with
    the same deals and the sides swapped, and its result that of the set. Computers come in until
    there are ``fill_to`` players. Without ``starts_at`` it begins at once. The ``visibility``
    ``link`` is another word for ``unlisted``.
    """

    name: TournamentName
    game: Annotated[str, Meta(max_length=32)]
    form: FormName = "swiss"
    pace: PaceName = "normal"
    clock: ClockTerms | None = None
    preset: Annotated[str, Meta(max_length=64)] | None = None
    options: dict[str, Any] | None = None
    visibility: Audience = "public"
    rated: bool = True
    mirrored: bool = False
    pairs: Annotated[int, Meta(ge=LEAST_PAIRS, le=MOST_PAIRS)] | None = None
    rounds: Rounds | None = None
    minutes: ArenaMinutes | None = None
    round_minutes: RoundMinutes | None = None
    most: Places = 16
    fill_to: ComputersUpTo = 0
    starts_at: Moment | None = None


def create_tournament(
    *, creator: User, terms: NewTournament, by_hand: bool = False, key: str | None = None
) -> Tournament:
    """The tournament; the same ``key`` again gives the one that it made.

    ``by_hand``: it begins when its creator says so, or is full.
    """
    if creator.is_guest:
        raise selectors.GuestsHoldNoTournaments
    club.check_who("tournaments", creator)
    free = creator.has_perm(selectors.RIGHT)
    made = _row(creator, terms, by_hand=by_hand, free=free)
    made.key = key
    with locked_accounts(creator.pk) as active:
        if creator.pk not in active:
            raise refusal_of(creator.pk)
        if before := _answered(made):
            return before
        _judge_limit(creator.pk, free=free)
        made.save(force_insert=True)
    return made


def _answered(made: Tournament) -> Tournament | None:
    if made.key is None:
        return None
    before = Tournament.objects.filter(creator=made.creator_id, key=made.key).first()
    if before is not None and _terms(before) != _terms(made):
        raise selectors.KeyOfAnotherTournament
    return before


def _terms(row: Tournament) -> list[object]:
    """Without the moment where one that begins at once was asked for."""
    values = [getattr(row, name) for name in TERMS if name != "starts_at"]
    return [bytes(one) if isinstance(one, memoryview) else one for one in values]


def _judge_limit(creator: UUID, *, free: bool) -> None:
    most = settings.LIMITS["tournaments"]
    if (
        not free
        and Tournament.objects.filter(creator=creator, status__in=selectors.OPEN).count() >= most
    ):
        raise selectors.TooManyTournaments(limit=most)


def _row(creator: User, terms: NewTournament, *, by_hand: bool, free: bool) -> Tournament:
    pace = _pace(terms)
    game, options = opening.find_terms(terms.game, terms.options, terms.preset, pace.clock)
    name = selectors.checked_name(terms.name)
    check_terms(terms, seats=game.seats(options), free=free)
    pairs = _pairs(terms, game, options)
    return Tournament(
        name=name,
        creator=creator,
        form=terms.form,
        visibility=STORED_AUDIENCE.get(terms.visibility, terms.visibility),
        game=game.slug,
        rules_version=game.rules_version,
        preset=terms.preset or "",
        options=msgspec.json.encode(options),
        pace=pace.slug,
        rated=terms.rated and pairs is None,  # who remembers a deal knows its twin's cards
        pairs=pairs,
        rounds=terms.rounds if terms.form == SWISS else None,
        minutes=(terms.minutes or 60) if terms.form == ARENA else None,
        round_minutes=terms.round_minutes or longest(pace, 2 * (pairs or 0) or 1),
        most=terms.most,
        fill_to=terms.fill_to,
        starts_at=terms.starts_at or timezone.now() + (BY_HAND_WAITS if by_hand else timedelta()),
        by_hand=by_hand,
    )


def _pace(terms: NewTournament) -> Pace:
    try:
        return clock_pace(terms.clock) if terms.clock else find_pace(terms.pace)
    except KeyError:
        raise selectors.BadTournament(
            say("There is no pace {pace}.", pace=repr(terms.pace))
        ) from None


def _pairs(terms: NewTournament, game: AnyGame, options: Options) -> int | None:
    """Raises CannotBeMirrored."""
    if not terms.mirrored:
        return None
    pairs = LEAST_PAIRS if terms.pairs is None else terms.pairs
    mirrored.check_terms(game, options, ())
    mirrored.check_pairs(pairs)
    return pairs


def longest(pace: Pace, matches: int = 1) -> int:
    """Minutes after which a round is decided: enough for its matches, and for some absence."""
    if pace.clock is not None:
        one = 2 * pace.clock.bank // 60 + 30
    else:
        one = 60 if pace.is_live else 7 * (pace.turn_seconds or 60) // 60
    return one if matches == 1 else min(one * matches, MOST_ROUND_MINUTES)


def check_terms(terms: NewTournament, *, seats: int = SEATS, free: bool) -> None:
    """Raises BadTournament with each fault."""
    faults = list(_faults(terms, seats=seats, free=free))
    if faults:
        raise selectors.BadTournament(faults[0], faults=faults)


def _faults(terms: NewTournament, *, seats: int, free: bool) -> Iterator[Words]:
    if seats != SEATS:
        yield say("Tournaments are played by two at a table.")
    if terms.form == ARENA and not _pace(terms).is_live:
        yield say("An arena is played at one sitting.")
    if terms.form == ARENA and terms.mirrored:
        yield say(
            "An arena is not mirrored: it pairs the players who are free, and a set takes long."
        )
    if terms.pairs is not None and not terms.mirrored:
        yield say("Only a mirrored tournament has pairs of matches.")
    yield from _faults_of_numbers(terms, free=free)
    now = timezone.now()
    if terms.starts_at and not now - timedelta(minutes=5) <= terms.starts_at <= now + LATEST:
        yield say("A tournament begins within the next {days} days.", days=LATEST.days)


def _faults_of_numbers(terms: NewTournament, *, free: bool) -> Iterator[Phrase]:
    most = MOST_OF_OPERATORS if free else MOST_PLAYERS
    if terms.form == ROUND_ROBIN and not free:
        most = MOST_ALL_AGAINST_ALL
    if not 2 <= terms.most <= most:
        yield say("It has places for {least} to {most} players.", least=2, most=most)
    computers = MOST_OF_OPERATORS if free else MOST_COMPUTERS
    if not 0 <= terms.fill_to <= min(terms.most, computers):
        bound = min(max(terms.most, 0), computers)
        yield say("Computers fill it up to {most} players at most.", most=bound)
    if terms.minutes is not None and terms.minutes < SHORTEST_ARENA and not free:
        least, most = SHORTEST_ARENA, LONGEST_ARENA
        yield say("An arena takes {least} to {most} minutes.", least=least, most=most)


# The lock of a tournament: whatever changes one is written under it, and told there.


@contextmanager
def changed(tournament_id: UUID) -> Iterator[Tournament]:
    """A transaction with the tournament locked, whose version goes up; what is set is saved."""
    with transaction.atomic():
        row = Tournament.objects.select_for_update().filter(id=tournament_id).first()
        if row is None:
            raise selectors.NoSuchTournament
        yield row
        row.version += 1
        row.save()


def tell(tournament: Tournament, what: TournamentEvent.What, account: UUID | None = None) -> None:
    """An event for this account, or for all whom the tournament concerns."""
    TournamentEvent.objects.create(tournament=tournament, what=what, account_id=account)


TAKING_PART_SEATS = 2
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
    judge_side_deck(row, user)
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
            numbers = Entrant.objects.filter(tournament=tournament, number__isnull=False)
            entrant.number = 1 + (numbers.aggregate(last=Max("number"))["last"] or 0)
        entrant.save()
        if tournament.by_hand and joined(tournament) >= tournament.most:
            tournament.starts_at = min(tournament.starts_at, timezone.now())
    return tournament


def begin(*, tournament_id: UUID, user: User) -> Tournament:
    """By its creator, as soon as two take part; the beat does the rest."""
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    with changed(row.id) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED:
            raise selectors.AlreadyBegun
        if max(joined(tournament), min(tournament.fill_to, tournament.most)) < TAKING_PART_SEATS:
            raise selectors.BadTournament(say("Two have to take part before it begins."))
        tournament.starts_at = timezone.now()
    return tournament


def _judge(tournament: Tournament, own: Entrant | None) -> None:
    """An invited person may join; a removed one not again."""
    if tournament.is_over:
        raise selectors.TournamentIsOver
    if not may_still_join(tournament) or (own and own.state == Entrant.State.REMOVED):
        raise selectors.TooLateToJoin
    if joined(tournament) >= tournament.most:
        raise selectors.TournamentIsFull


def joined(tournament: Tournament) -> int:
    """How many take part."""
    return Entrant.objects.filter(tournament=tournament, state=IN).count()


def judge_side_deck(tournament: Tournament, user: User) -> None:
    """Refuses who could not sit down at a table of this tournament."""
    seat = Seat(index=0, kind=Seat.Kind.USER, user=user, name=user.display_name)
    assign_side_deck(tournament.rules, tournament.chosen_options, seat, user, None)


def withdraw(*, tournament_id: UUID, user: User) -> Tournament:
    """Gives up: the match that runs is resigned, the others win without playing."""
    row = selectors.find(tournament_id, user.pk)
    with changed(row.id) as tournament:
        if tournament.is_over:
            raise selectors.TournamentIsOver
        own = selectors.entrant_of(tournament, user.pk)
        if own is None or own.state not in (IN, INVITED):
            raise selectors.NotTakingPart
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
            raise selectors.TournamentIsOver
        if Entrant.objects.filter(tournament=tournament).count() >= 4 * tournament.most:
            raise selectors.TournamentIsFull
        _, is_new = Entrant.objects.get_or_create(
            tournament=tournament, account=guest, defaults={"state": INVITED}
        )
        if is_new:
            tell(tournament, TournamentEvent.What.INVITED, guest.pk)
    return tournament


def call_off(*, tournament_id: UUID, user: User) -> Tournament:
    """By its creator, before it begins."""
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    with changed(row.id) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED:
            raise selectors.AlreadyBegun
        end(tournament, Tournament.Ending.CREATOR)
    return tournament


def end(tournament: Tournament, ending: Tournament.Ending) -> None:
    """Calls it off, under its lock. Matches that run are played on as any other match."""
    tournament.status, tournament.ending = Tournament.Status.ABORTED, ending
    tournament.ended_at, tournament.paused_at = timezone.now(), None
    tell(tournament, TournamentEvent.What.CALLED_OFF)


def check_organiser(tournament: Tournament, user: User) -> None:
    if tournament.creator_id != user.pk and not user.has_perm(selectors.RIGHT):
        raise selectors.NotTheOrganiser


# The traces that an erasure leaves of a person: the boards that they played, under no name.


def forget(account: UUID) -> None:
    """Their boards count for the others. What had not begun forgets them."""
    TournamentEvent.objects.filter(account=account).delete()
    own = Entrant.objects.filter(account=account)
    own.filter(number=None).delete()
    own.filter(state=Entrant.State.JOINED).update(state=Entrant.State.WITHDRAWN)
    held = Tournament.objects.filter(creator=account)
    held.update(creator=None, key=None)

"""Every read of tournaments: states, sets, names; and their refusals."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from accounts.audit.log import ERASED_NAME
from accounts.names import check_not_reserved, shown_name
from cardroom.rules.game import AnyGame
from config.api.errors import KeyReused
from config.postgres import together
from config.refusals import NotAllowed, NotFound, Refusal
from games.absent import of_installed_games
from games.competitions.models import (
    Board,
    BoardMatch,
    Entrant,
    Place,
    Stage,
    Tournament,
    TournamentEvent,
)
from games.competitions.rules import Board as BoardValue
from games.competitions.rules import Line, Played, seat_of, standings
from games.matches.models import Match, Seat
from games.matches.snapshot import MatchSnapshot
from games.mirrored.models import Leg
from games.mirrored.results import find_leg, legs_of, result_of, sets_with, side_of_pair

# The mirrored sets of boards: as a board is decided, a set is one match between its two sides.
#
# The sides of a set are the seats of its first match, so they change from one set of a board to
# the next as the seats of other matches do.


def is_mirrored(match: Match) -> bool:
    """No other match of a tournament has a deal in common with another one."""
    return match.deal_id is not None


def absent_from(match: Match) -> tuple[int, ...]:
    """The seats to which nobody came, if the match was called off for a first move.

    Of those who were not to move yet they are absent who did not look at it either.
    """
    waited = [seat for seat in match.seats.all() if seat.awaited]
    if match.status != Match.Status.ABORTED or not any(seat.timed_out for seat in waited):
        return ()
    return tuple(sorted(seat.index for seat in waited if seat.timed_out or not seat.came))


def played_sets(matches: Sequence[BoardMatch]) -> list[Played]:
    """Of a board, in their order. While a match runs that is all there is to know."""
    if matches[-1].match.status in ("open", "active"):
        return [Played("active")]
    known = {one.match_id for one in matches}
    legs = legs_of(sets_with(known)).order_by("of_id", "position")
    return [_played(list(own), known) for _, own in groupby(legs, key=lambda leg: leg.of_id)]


def _played(legs: Sequence[Leg], known: Collection[UUID]) -> Played:
    """A set that ended before its last match was over counts as called off."""
    follows = any(leg.match_id is not None and leg.match_id not in known for leg in legs)
    if legs[0].of.over_at is None or follows:
        return Played("active")
    if any(leg.match is None or leg.match.status != Match.Status.FINISHED for leg in legs):
        first = legs[0].match
        return Played("aborted", absent=() if first is None else absent_from(first))
    return Played("finished", result_of(legs).places)


def seat_in(one: BoardMatch, place: int) -> int:
    """The seat of the board's first (0) or second (1) in this match, or the other way round."""
    if not is_mirrored(one.match):
        return seat_of(place, one.number)
    leg = find_leg(one.match_id)
    of_board = BoardMatch.objects.filter(board=one.board_id).values_list("match", flat=True)
    number = sorted(set(sets_with(list(of_board)))).index(leg.of_id) + 1
    return side_of_pair(seat_of(place, number), is_swapped=leg.is_swapped)


# Why a tournament refuses.


class NoSuchTournament(NotFound):
    """There is no such tournament, or it is not yours to see."""


class BadTournament(Refusal, status=422, members={"faults": list[str]}):
    """A tournament cannot be held like this."""


class TooManyTournaments(Refusal, status=409, members={"limit": int}):
    """You have as many tournaments that are not over as one account may have."""


class GuestsHoldNoTournaments(NotAllowed):
    """Sign up to hold a tournament; guests can take part in those of others."""


class NotTheOrganiser(NotAllowed):
    """Only the host of the tournament, or an operator, can do this."""


class HostPlays(NotAllowed):
    """A host who plays as well removes nobody once the tournament has begun."""


class NotAmongPlayers(Refusal, status=409):
    """This player does not take part in the tournament."""


class TournamentIsFull(Refusal, status=409):
    """This tournament is full."""


class TooLateToJoin(Refusal, status=409):
    """Nobody can join this tournament any more."""


class NotTakingPart(Refusal, status=409):
    """You do not take part in this tournament."""


class TournamentIsOver(Refusal, status=409):
    """This tournament is over."""


class AlreadyBegun(Refusal, status=409, code="tournament_has_begun"):
    """This tournament has begun already."""


class KeyOfAnotherTournament(KeyReused):
    """This idempotency key belongs to another tournament; use a new key for each tournament."""


RIGHT: Final = "competitions.run_tournament"
OPEN: Final = (Tournament.Status.ANNOUNCED, Tournament.Status.RUNNING)
IN: Final = (Entrant.State.JOINED,)
WAITING: Final = (Entrant.State.JOINED, Entrant.State.INVITED)


def visible_to(user: UUID | None) -> QuerySet[Tournament]:
    """Public ones, those whose address one has, and private ones that one was invited to."""
    open_to_all = ~Q(visibility=Tournament.Visibility.PRIVATE)
    return Tournament.objects.filter(open_to_all | _own(user) if user else open_to_all)


def listed_for(user: UUID | None, *, mine: bool = False) -> QuerySet[Tournament]:
    """Public ones and one's own, the newest first; ``mine``: one's own alone."""
    if mine:
        own = Tournament.objects.filter(_own(user)) if user else Tournament.objects.none()
        return own.order_by("-id")
    public = Q(visibility=Tournament.Visibility.PUBLIC)
    wanted = public | _own(user) if user else public
    return Tournament.objects.filter(wanted).order_by("-id")


def announced_for(user: UUID | None) -> QuerySet[Tournament]:
    """Tournaments that have not begun, the next one first."""
    announced = listed_for(user).filter(status=Tournament.Status.ANNOUNCED)
    return announced.order_by("starts_at")


def announces_others() -> bool:
    """Whether a tournament that not everybody may read of has not begun."""
    announced = Tournament.objects.filter(status=Tournament.Status.ANNOUNCED)
    return announced.exclude(visibility=Tournament.Visibility.PUBLIC).exists()


def _own(user: UUID) -> Q:
    takes_part = Entrant.objects.filter(tournament=OuterRef("pk"), account=user)
    return Q(creator=user) | Q(Exists(takes_part))


def find(tournament_id: UUID, user: UUID | None) -> Tournament:
    """Raises NoSuchTournament."""
    row = visible_to(user).select_related("creator").filter(id=tournament_id).first()
    if row is None:
        raise NoSuchTournament
    return row


def entrant_of(tournament: Tournament, user: UUID | None) -> Entrant | None:
    if user is None:
        return None
    return Entrant.objects.filter(tournament=tournament, account=user).first()


def events_of(user: UUID, since: datetime) -> QuerySet[TournamentEvent]:
    """The events after a moment of the tournaments that this person holds, or takes part in."""
    all_told = Q(account=None) & (Q(tournament__creator=user) | Q(Exists(_invited_or_in(user))))
    rows = TournamentEvent.objects.filter(Q(account=user) | all_told, at__gt=since)
    return rows.select_related("tournament")


def people_with_events(users: Collection[UUID], since: datetime) -> set[UUID]:
    """Those of these accounts that have events after a moment."""
    rows = list(TournamentEvent.objects.filter(at__gt=since).select_related("tournament"))
    named = {row.account_id for row in rows}
    of_all = {row.tournament_id: row.tournament.creator_id for row in rows if not row.account_id}
    entrants = Entrant.objects.filter(tournament__in=of_all, state__in=WAITING, account__in=users)
    concerned = {*named, *of_all.values(), *entrants.values_list("account", flat=True)}
    return {user for user in users if user in concerned}


def _invited_or_in(user: UUID) -> QuerySet[Entrant]:
    same = Entrant.objects.filter(tournament=OuterRef("tournament"))
    return same.filter(account=user, state__in=WAITING)


def due() -> list[UUID]:
    """Tournaments for which something may be due."""
    begins = Q(status=Tournament.Status.ANNOUNCED, starts_at__lte=timezone.now())
    running = Q(status=Tournament.Status.RUNNING)
    rows = Tournament.objects.filter(begins | running, of_installed_games())
    return list(rows.order_by("starts_at").values_list("id", flat=True))


def counts_of(tournaments: Iterable[Tournament]) -> dict[UUID, int]:
    """The number of entrants of each."""
    rows = Entrant.objects.filter(tournament__in=list(tournaments), state__in=IN)
    counts: dict[UUID, int] = {}
    for tournament_id in rows.values_list("tournament_id", flat=True):
        counts[tournament_id] = counts.get(tournament_id, 0) + 1
    return counts


def versions_of(tournaments: Iterable[UUID]) -> dict[UUID, int]:
    """Of each the number that goes up with every change."""
    rows = Tournament.objects.filter(id__in=list(tournaments))
    return dict(rows.values_list("id", "version"))


def add_matches(boards: list[Board]) -> None:
    """Reads the matches of these boards together."""
    rows = BoardMatch.objects.select_related("match").order_by("number")
    rows = rows.defer("match__state", "match__loaded", "match__seed", "match__options")
    seats = Seat.objects.only("match", "index", "place", "user", "timed_out", "awaited", "came")
    matches = rows.prefetch_related(Prefetch("match__seats", seats))
    prefetch_related_objects(boards, Prefetch("matches", matches))


def played(board: Board) -> list[Played]:
    """The matches of a board, or its mirrored sets, as its rules read them."""
    matches = list(board.matches.all())
    if matches and is_mirrored(matches[-1].match):
        return played_sets(matches)
    return [_selectors_played(one) for one in matches]


def _selectors_played(one: BoardMatch) -> Played:
    seats = sorted(one.match.seats.all(), key=lambda seat: seat.index)
    places = tuple(seat.place for seat in seats) if one.match.status == "finished" else ()
    return Played(one.match.status, places, absent_from(one.match))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Sheet:
    """A tournament with its entrants and boards as they stand."""

    tournament: Tournament
    entrants: list[Entrant]
    boards: list[Board]
    stages: list[Stage]

    @cached_property
    def numbered(self) -> dict[int, Entrant]:
        return {one.number: one for one in self.entrants if one.number is not None}

    @cached_property
    def by_id(self) -> dict[int, Entrant]:
        return {one.pk: one for one in self.entrants}

    @cached_property
    def there(self) -> tuple[int, ...]:
        """The starting numbers of those who still play."""
        return tuple(sorted(n for n, one in self.numbered.items() if one.state in IN))

    @cached_property
    def joined(self) -> list[Entrant]:
        return [one for one in self.entrants if one.state in IN]

    @cached_property
    def values(self) -> list[BoardValue]:
        """The boards for the rules; those of an arena in the order in which they were decided."""
        rows: list[Board] = self.boards
        if self.tournament.is_arena:
            rows = sorted(rows, key=lambda row: (row.decided_at is None, row.decided_at, row.pk))
        return [self.value(row) for row in rows]

    def value(self, row: Board) -> BoardValue:
        places = sorted(row.places.all(), key=lambda place: place.seat)
        numbers = [self.by_id[place.entrant_id].number or 0 for place in places]
        points = [place.points for place in places if place.points is not None]
        decided = None
        if row.result:
            decided = (points[0], points[1] if len(points) > 1 else 0)
        return BoardValue(
            first=numbers[0],
            second=numbers[1] if len(numbers) > 1 else None,
            round=row.round,
            points=decided,
            played=row.result in ("", Board.Result.PLAYED),
        )

    @cached_property
    def lines(self) -> list[Line]:
        return standings(self.tournament.form, sorted(self.numbered), self.values)

    @property
    def undecided(self) -> list[Board]:
        return [board for board in self.boards if not board.result]


def sheet_of(tournament: Tournament) -> Sheet:
    """With the matches of undecided boards."""
    boards, stages = together.read(
        Board.objects.filter(tournament=tournament).order_by("round", "number"),
        Stage.objects.filter(tournament=tournament).order_by("number"),
    )
    prefetch_related_objects(boards, Prefetch("places", Place.objects.order_by("seat")))
    add_matches([board for board in boards if not board.result])
    entrants = Entrant.objects.filter(tournament=tournament).select_related("account")
    return Sheet(
        tournament,
        list(entrants.order_by("number", "joined_at", "id")),
        boards,
        stages,
    )


def whole_sheet_of(tournament: Tournament) -> Sheet:
    """With the matches of all boards."""
    sheet = sheet_of(tournament)
    add_matches([board for board in sheet.boards if board.result])
    return sheet


def current_match(tournament: Tournament, account: UUID) -> UUID | None:
    """The match of a tournament that this person is to play now."""
    own = BoardMatch.objects.filter(
        match__status="active",
        board__tournament=tournament,
        board__result="",
        board__places__entrant__account=account,
    )
    return own.values_list("match_id", flat=True).first()


def tournament_for(match: MatchSnapshot, reader: UUID | None) -> UUID | None:
    """The tournament of a match that is over, for its players; its creator holds no seat."""
    if not match.is_over or not match.seats_of(reader) or match.seats_of(match.creator_id):
        return None
    rows = BoardMatch.objects.filter(match=match.id)
    return rows.values_list("board__tournament", flat=True).first()


def ends_at(tournament: Tournament) -> datetime | None:
    """The time from which an arena pairs nobody any more."""
    begins = tournament.begun_at or tournament.starts_at
    return begins + timedelta(minutes=tournament.minutes) if tournament.minutes else None


# Names of entrants, and the name of a tournament.


def checked_name(name: str) -> str:
    """By the rules of every name that others see; raises BadTournament."""
    try:
        shown = shown_name(name)
        check_not_reserved(shown)
    except ValidationError as error:
        raise BadTournament(" ".join(error.messages), faults=list(error.messages)) from None
    return shown


def plain_name(tournament: Tournament, entrant: Entrant) -> str:
    """As files and programs read it: of several computers of a kind each has a number."""
    if entrant.account is not None:
        return entrant.account.display_name
    if not entrant.bot:
        return ERASED_NAME
    number = f" {entrant.bot_number}" if entrant.bot_number > 1 else ""
    return f"{bot_name(tournament.rules, entrant.bot)}{number}"


def bot_name(game: AnyGame, slug: str) -> str:
    """The computer's own name, or its slug where this version of the game does not have it."""
    try:
        return game.bot(slug).name
    except KeyError:
        return slug

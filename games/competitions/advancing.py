"""The duty of tournaments: all that is due in one, and what operators do with it.

Each step is a transaction of its own that looks again under a lock, so that any process may die
between two of them, and several may do the same at once.
"""

from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.audit.log import Actor, record
from accounts.models import User
from cardroom.rules.game import AnyGame
from config import club
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.competitions import boards, pairing, selectors
from games.competitions.boards import decide, resign_seats
from games.competitions.models import (
    Board,
    BoardMatch,
    Entrant,
    Place,
    Stage,
    Tournament,
    TournamentEvent,
)
from games.competitions.organising import expel, go_on, halt
from games.competitions.rules import DRAW, KNOCKOUT, LOSS, WIN, next_step
from games.competitions.selectors import (
    AlreadyBegun,
    NotTakingPart,
    TournamentIsOver,
    is_mirrored,
    seat_in,
)
from games.competitions.taking_part import LATEST, changed, end, judge_side_deck, tell
from games.lobby.finding import NEUTRAL, ratings_for
from games.matches import joining
from games.matches.leaving import call_off_unbegun
from games.matches.models import Seat
from games.matches.selectors.access import get_match
from games.mirrored.models import Leg
from games.mirrored.results import legs_of, sets_with

# The beginning: computers come in, starting numbers are given, or too few have come.

LEAST = 2
IN = Entrant.State.JOINED

_chance = SystemRandom()


def begin(tournament_id: UUID) -> None:
    """Begins a tournament that is due; again changes nothing."""
    now = timezone.now()
    if not _due(now).filter(id=tournament_id).exists():
        return
    with changed(tournament_id) as tournament:
        if not _due(now).filter(id=tournament_id).exists():
            return
        drop_the_inactive(tournament)
        _fill(tournament)
        entrants = list(Entrant.objects.filter(tournament=tournament, state=IN))
        if len(entrants) < LEAST:
            end(tournament, Tournament.Ending.TOO_FEW)
            return
        _number(tournament, entrants, now)
        tournament.rounds = pairing.rounds_of(tournament.form, len(entrants), tournament.rounds)
        tournament.status, tournament.begun_at = Tournament.Status.RUNNING, now
        tell(tournament, TournamentEvent.What.BEGUN)


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(
        status=Tournament.Status.ANNOUNCED, starts_at__lte=now, paused_at=None
    )


def drop_the_inactive(tournament: Tournament) -> int:
    """People who were suspended or are gone play no more boards; how many."""
    gone = Entrant.objects.filter(tournament=tournament, state=IN, account__is_active=False)
    return gone.update(state=Entrant.State.WITHDRAWN)


def _fill(tournament: Tournament) -> None:
    """Computers in the order of their strength, again and again, each with its number."""
    there = Entrant.objects.filter(tournament=tournament, state=IN).count()
    bots = computers_of(tournament.rules)
    for at in range(min(tournament.fill_to, tournament.most) - there):
        Entrant.objects.create(
            tournament=tournament,
            bot=bots[at % len(bots)],
            bot_number=1 + at // len(bots),
            joined_at=timezone.now(),
        )


def computers_of(game: AnyGame) -> list[str]:
    """Rated ones that are suggested, the strongest first."""
    rated = sorted((bot for bot in game.bots if bot.rated), key=lambda bot: -bot.level)
    return [bot.slug for bot in ([bot for bot in rated if bot.suggested] or rated)]


def _number(tournament: Tournament, entrants: list[Entrant], now: datetime) -> None:
    """The strongest first; those who are equal by lot."""
    people = [one.account_id for one in entrants if one.account_id]
    known = ratings_for(tournament.game, people)
    _chance.shuffle(entrants)
    for one in entrants:
        one.rating = known[one.account_id] if one.account_id else NEUTRAL
        one.free_since = now
    entrants.sort(key=lambda one: -(one.rating or NEUTRAL))
    for number, one in enumerate(entrants, start=1):
        one.number = number
    Entrant.objects.bulk_update(entrants, ["number", "rating", "free_since"])


# The end of a round's time: the player to act in a match that still runs has lost it.
#
# A board at which no match could be opened is drawn. Of a mirrored set the same player loses what
# is left of it, a match after the other.


def enforce_deadlines(sheet: selectors.Sheet) -> int:
    """Ends the matches that are too late; how many."""
    deadline, late = _deadline(sheet), 0
    if deadline is None or timezone.now() < deadline:
        return 0
    for board in sheet.undecided:
        running = [one for one in board.matches.all() if one.match.status == "active"]
        if running:
            late += 1
            _lose(running[-1], deadline)
        elif next_step(sheet.tournament.form, selectors.played(board)) != "wait":
            late += 1
            decide(sheet.tournament.id, board, (DRAW, DRAW), Board.Result.CALLED_OFF)
    return late


def _lose(one: BoardMatch, deadline: datetime) -> None:
    """A player without a first move did not come: nobody is rated by that."""
    late = _late_seats(one, deadline)
    if not call_off_unbegun(get_match(one.match_id), late):
        resign_seats(one.match_id, late)


def _late_seats(one: BoardMatch, deadline: datetime) -> list[int]:
    """The seat that is to act; in a set that of the player who lost a match when time was up."""
    if is_mirrored(one.match):
        earlier = BoardMatch.objects.filter(board=one.board_id, match__finished_at__gte=deadline)
        for lost in earlier.select_related("match").order_by("number"):
            seat = Seat.objects.filter(match=lost.match_id, resigned_at__isnull=False).first()
            if seat is not None:
                return [seat_in(one, seat_in(lost, seat.index))]
    return list(one.match.to_act)[:1]


def _deadline(sheet: selectors.Sheet) -> datetime | None:
    """Of the present round; of an arena when its last matches have had their time."""
    ends = selectors.ends_at(sheet.tournament)
    if ends is not None:
        return ends + timedelta(minutes=sheet.tournament.round_minutes)
    return sheet.stages[-1].deadline_at if sheet.stages else None


# The matches of mirrored sets: each belongs to its board as soon as it has begun.
#
# The set begins them by itself. Until one is known here its set counts as running.


def follow_sets(tournament: Tournament) -> int:
    """Writes the matches that began since; how many."""
    if tournament.pairs is None or not _begun(_boards(tournament)):
        return 0
    with changed(tournament.id) as row:
        boards = _boards(row)
        begun = _begun(boards)
        for leg in begun:
            _write(leg, boards)
    return len(begun)


def _boards(tournament: Tournament) -> dict[UUID, int]:
    """By its match each board that is undecided."""
    rows = BoardMatch.objects.filter(board__tournament=tournament, board__result="")
    return dict(rows.values_list("match_id", "board_id"))


def _begun(boards: dict[UUID, int]) -> list[Leg]:
    legs = legs_of(sets_with(boards)).filter(match__isnull=False)
    return list(legs.exclude(match__in=boards))


def _write(leg: Leg, boards: dict[UUID, int]) -> None:
    earlier = Leg.objects.filter(of=leg.of_id, match__in=boards).first()
    if earlier is None or earlier.match_id is None or leg.match_id is None:
        return
    board_id = boards[earlier.match_id]
    number = 1 + BoardMatch.objects.filter(board=board_id).count()
    BoardMatch.objects.create(board_id=board_id, number=number, match_id=leg.match_id)


STEPS_AT_ONCE = 3  # the boards of a round of byes or walkovers are decided as soon as it is paired


def advance_all() -> None:
    """One tournament that cannot be advanced keeps no other one waiting."""
    each("tournaments", selectors.due(), advance)


def advance(tournament_id: UUID) -> None:
    if not club.is_in_maintenance():
        begin(tournament_id)
    for _ in range(STEPS_AT_ONCE):
        if not _step(tournament_id):
            return


def _step(tournament_id: UUID) -> bool:
    """Reads the results first, as the next steps depend on them; whether more may be due."""
    running = Tournament.objects.filter(id=tournament_id, status=Tournament.Status.RUNNING)
    row = running.first()
    sheet = selectors.sheet_of(row) if row else None
    if sheet is None:
        return False
    if follow_sets(sheet.tournament):
        return True
    if boards.read_results(sheet):
        return True
    if sheet.tournament.paused_at is not None or club.is_in_maintenance():
        return False
    if drop_the_inactive(sheet.tournament) or boards.decide_walkovers(sheet):
        return True
    if enforce_deadlines(sheet):
        return True
    if boards.open_missing(sheet):
        return sheet.tournament.is_arena
    return boards.advance_round(sheet)


TOURNAMENTS: Final = Duty(
    name="tournaments",
    piece=advance_all,
    due="""
SELECT CASE WHEN status = 'announced' THEN starts_at END, id::text FROM competitions_tournament
WHERE (status = 'announced' AND starts_at <= %(now)s OR status = 'running')
    AND game = ANY(%(games)s)""",
    every=2,
)

# Acts of operators on a tournament, each with its reason in the log.


def begin_now(*, tournament_id: UUID, by: Actor) -> str:
    """Before its time, for instance since everybody is there."""
    with changed(tournament_id) as tournament:
        if (
            tournament.status != Tournament.Status.ANNOUNCED
            or tournament.starts_at <= timezone.now()
        ):
            raise AlreadyBegun
        tournament.starts_at = timezone.now()
        _log(by, "begin", tournament)
    return "It begins now."


def pause(*, tournament_id: UUID, by: Actor) -> str:
    """Pairs and opens nothing until it goes on; matches that run are played on."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        _check_is_new(is_new=tournament.paused_at is None)
        halt(tournament)
        _log(by, "pause", tournament)
    return "The tournament is paused. Matches that run are played on."


def resume(*, tournament_id: UUID, by: Actor) -> str:
    """Goes on; the present round has as much time left as it had."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        _check_is_new(is_new=tournament.paused_at is not None)
        go_on(tournament)
        _log(by, "resume", tournament)
    return "The tournament goes on."


def abort(*, tournament_id: UUID, by: Actor) -> str:
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        end(tournament, Tournament.Ending.OPERATOR)
        _log(by, "abort", tournament)
    return "The tournament was called off. Matches that run are played on as any other match."


def remove(*, tournament_id: UUID, entrant_id: int, by: Actor) -> str:
    """An entrant takes part no more: what runs is lost, the boards to come are walkovers."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        entrant = Entrant.objects.filter(tournament=tournament, pk=entrant_id).first()
        if entrant is None or entrant.state == Entrant.State.REMOVED:
            raise NotTakingPart("This player does not take part.")
        expel(tournament, entrant)
        _log(by, "remove", tournament, entrant=entrant_id)
    return "The player takes part no more."


class CannotCorrect(Refusal, status=409):
    """This cannot be corrected."""


POINTS: Final = {"first": (WIN, LOSS), "draw": (DRAW, DRAW), "second": (LOSS, WIN)}


def correct_board(*, tournament_id: UUID, board_id: int, result: str, by: Actor) -> str:
    """Another result of a board that is decided; who met whom since stays as it is."""
    with changed(tournament_id) as tournament:
        board = Board.objects.filter(tournament=tournament, pk=board_id).first()
        if board is None or not board.result or board.result == Board.Result.BYE:
            raise CannotCorrect("Only the result of a board that is decided is corrected.")
        is_knockout = tournament.form == KNOCKOUT
        if result not in POINTS or (is_knockout and result == "draw"):
            raise CannotCorrect("Name who wins, or a draw where there can be one.")
        if is_knockout and tournament.round > board.round:
            raise CannotCorrect("The winner plays the next round already: replace the player.")
        places = list(Place.objects.filter(board=board).order_by("seat"))
        was = [place.points for place in places]
        _check_is_new(is_new=was != list(POINTS[result]))
        for place, points in zip(places, POINTS[result], strict=True):
            Place.objects.filter(pk=place.pk).update(points=points)
        _log(by, "correct_board", tournament, board=str(board), was=was, now=result)
    return "Corrected. The standings follow."


def move_date(*, tournament_id: UUID, at: datetime, by: Actor) -> str:
    """Another beginning, or, once it runs, another end of the present round."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        if not timezone.now() < at < timezone.now() + LATEST:
            raise CannotCorrect("Name a time within the next 90 days.")
        stages = Stage.objects.filter(tournament=tournament, closed_at=None)
        if tournament.status == Tournament.Status.ANNOUNCED:
            _check_is_new(is_new=tournament.starts_at != at)
            tournament.starts_at = at
        else:
            _check_is_new(is_new=not stages.filter(deadline_at=at).exists())
            if not stages.update(deadline_at=at):
                raise CannotCorrect("No round is open whose end could be moved.")
        tell(tournament, TournamentEvent.What.CHANGED)
        _log(by, "move_date", tournament, now=at.isoformat())
    return f"Moved to {at:%Y-%m-%d %H:%M} UTC."


def rename(*, tournament_id: UUID, name: str, by: Actor) -> str:
    with changed(tournament_id) as tournament:
        was, tournament.name = tournament.name, selectors.checked_name(name)
        _check_is_new(is_new=was != tournament.name)
        tell(tournament, TournamentEvent.What.CHANGED)
        _log(by, "rename", tournament, was=was)
    return "Renamed."


def replace(*, tournament_id: UUID, entrant_id: int, username: str, by: Actor) -> str:
    """Another person plays on for an entrant, with the points; a running match is opened again."""
    person = User.objects.filter(username__iexact=username.strip(), is_active=True).first()
    if person is None or person.is_bot or person.is_house:
        raise CannotCorrect("There is no such person who may play.")
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        entrant = Entrant.objects.filter(tournament=tournament, pk=entrant_id).first()
        if entrant is None or entrant.state == Entrant.State.INVITED:
            raise NotTakingPart("This player does not take part.")
        if Entrant.objects.filter(tournament=tournament, account=person).exists():
            raise CannotCorrect("This person has a place in the tournament already.")
        judge_side_deck(tournament, person)
        was = selectors.plain_name(tournament, entrant)
        rows = BoardMatch.objects.filter(board__places__entrant=entrant, match__status="active")
        for match_id in rows.values_list("match_id", flat=True):
            joining.abort(*joining.locked(match_id))
        if entrant.account_id is not None:
            tell(tournament, TournamentEvent.What.REMOVED, entrant.account_id)
        tell(tournament, TournamentEvent.What.CHANGED)
        entrant.account, entrant.bot, entrant.bot_number = person, "", 0
        entrant.state, entrant.missed = IN.value, 0
        entrant.save()
        _log(by, "replace", tournament, was=was, now=person.username)
    return f"{person.display_name} plays in the place of {was}."


def advance_now(*, tournament_id: UUID, by: Actor) -> str:
    """The work of the beat every other second, at once."""
    with changed(tournament_id) as tournament:
        _log(by, "pay", tournament)
    advance(tournament_id)
    return "All that was due is done."


def _check_is_new(*, is_new: bool) -> None:
    """Another operator may have done the same a moment before."""
    if not is_new:
        raise CannotCorrect("It is so already.")


def _check_not_over(tournament: Tournament) -> None:
    if tournament.is_over:
        raise TournamentIsOver


def _log(by: Actor, action: str, tournament: Tournament, **details: object) -> None:
    record(by, action, "tournament", tournament.id, tournament.name, **details)

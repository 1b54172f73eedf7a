"""Boards of a round: opening their matches, reading results, the next round."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
import structlog
from django.utils import timezone

from accounts.models import User
from cardroom.rules.course import RESIGN
from config.club import PLACE
from config.refusals import Refusal
from games.competitions import pairing as plans
from games.competitions import rules, selectors
from games.competitions.models import (
    Board,
    BoardMatch,
    Entrant,
    Place,
    Stage,
    Tournament,
    TournamentEvent,
)
from games.competitions.rules import LOSS, ROUND_ROBIN, WIN, Decision, Pairing, next_step, seat_of
from games.competitions.selectors import absent_from, seat_in
from games.competitions.taking_part import changed, tell
from games.matches import opening
from games.matches.leaving import resign_as_operator
from games.matches.models import Match, Ply, Seat
from games.matches.refusals import MatchNotActive, SeatIsOut
from games.matches.seats import CannotSit, SeatRequest
from games.matches.snapshot import MatchSnapshot
from games.mirrored.opening import open_set

# The account that opens the matches of tournaments, so that no player is host of one.
#
# A host could call a match off, or give it other terms. Nobody can sign in to it. It is known by
# a flag: an account of its name is nobody to it.

USERNAME: Final = "cardroom-tournaments"


def house() -> User:
    """Made where it is missing, under another name if a person has this one; named as the place."""
    known = User.objects.filter(is_house=True).first()
    for name in _names() if known is None else ():
        user = User(username=name, display_name=PLACE.name, is_house=True)
        user.set_unusable_password()
        User.objects.bulk_create([user], ignore_conflicts=True)  # past save(): it keeps no name
        known = User.objects.filter(is_house=True).first()
        if known is not None:
            break
    assert known is not None  # noqa: S101 - no two people have such a name
    if known.display_name != PLACE.name:
        known.display_name = PLACE.name
        known.save(update_fields=["display_name"])
    return known


def _names() -> Iterator[str]:
    yield USERNAME
    yield f"{USERNAME}-{secrets.token_hex(4)}"


_SEEN_BY = {
    Tournament.Visibility.PUBLIC: Match.Visibility.PUBLIC,
    Tournament.Visibility.LINK: Match.Visibility.UNLISTED,
    Tournament.Visibility.PRIVATE: Match.Visibility.PRIVATE,
}

log = structlog.get_logger(__name__)


def open_missing(sheet: selectors.Sheet) -> int:
    """Opens the matches that are due at boards; how many."""
    form, opened = sheet.tournament.form, 0
    for board in sheet.undecided:
        if next_step(form, selectors.played(board)) == "open" and _are_there(sheet, board):
            opened += _open(sheet.tournament.id, board.pk)
    return opened


def _are_there(sheet: selectors.Sheet, board: Board) -> bool:
    return all(sheet.by_id[place.entrant_id].state in selectors.IN for place in board.places.all())


def _open(tournament_id: UUID, board_id: int) -> bool:
    """A person who cannot sit down, for a side deck or a suspension, takes part no more."""
    try:
        with changed(tournament_id) as tournament:
            return _opened(tournament, board_id)
    except CannotSit as refused:
        culprit: UUID | None = refused.person.pk
    except Refusal:
        culprit = None
    log.info("board_not_opened", board=board_id)
    if culprit is not None:
        with changed(tournament_id) as tournament:
            own = Entrant.objects.filter(tournament=tournament, account=culprit)
            own.update(state=Entrant.State.WITHDRAWN)
    return False


def _opened(tournament: Tournament, board_id: int) -> bool:
    board = Board.objects.select_for_update().get(pk=board_id)
    selectors.add_matches([board])
    played = selectors.played(board)
    owed = next_step(tournament.form, played) == "open"
    if board.result or not owed or tournament.is_over or tournament.paused_at:
        return False
    number = 1 + len(board.matches.all())
    match = _match(tournament, _entrants(board), 1 + len(played))
    BoardMatch.objects.create(board=board, number=number, match_id=match.id)
    return True


def _entrants(board: Board) -> list[Entrant]:
    places = board.places.select_related("entrant__account").order_by("seat")
    return [place.entrant for place in places]


def _match(tournament: Tournament, entrants: list[Entrant], number: int) -> MatchSnapshot:
    """The seats change with each match or set of a board; nobody has to accept."""
    seated = [entrants[seat_of(seat, number)] for seat in (0, 1)]
    people: list[User] = [one.account for one in seated if one.account is not None]
    seats = [SeatRequest("bot", bot=one.bot) if one.bot else SeatRequest("open") for one in seated]
    pace = tournament.named_pace
    sets = {} if tournament.pairs is None else {"pairs": tournament.pairs}
    open_it: Callable[..., MatchSnapshot] = open_set if sets else opening.open_match
    return open_it(
        creator=house(),
        game=tournament.game,
        seats=seats,
        options=msgspec.json.decode(bytes(tournament.options)),
        visibility=_SEEN_BY[Tournament.Visibility(tournament.visibility)],
        turn_seconds=pace.turn_seconds,
        clock=pace.clock,
        together=people,
        rated=tournament.rated,
        arranged=True,
        **sets,
    )


# Reading the matches that are over, and deciding boards to which somebody does not come.
#
# A result is written once: the board is locked, and one that has a result is left alone.

ABSENT_AFTER = 2  # boards in a row that were lost without a move


class BoardWasFollowed(Refusal, status=409):
    """The tournament has gone on with this result. Correct the result of the board there."""


def read_results(sheet: selectors.Sheet) -> int:
    """Decides the boards whose matches are over; how many."""
    form = sheet.tournament.form
    steps = ((board, next_step(form, selectors.played(board))) for board in sheet.undecided)
    decided = [(board, step) for board, step in steps if isinstance(step, Decision)]
    for board, step in decided:
        if looked_ahead(board):
            computer_wins = [
                WIN if sheet.by_id[one.entrant_id].bot else LOSS for one in _places(board)
            ]
            decide(sheet.tournament.id, board, tuple(computer_wins), Board.Result.WALKOVER)
        else:
            decide(sheet.tournament.id, board, step.points, Board.Result(step.result))
    return len(decided)


def looked_ahead(board: Board) -> bool:
    """Whether somebody loaded a match while it ran; only who plays a computer alone can do that.

    With the same cards one learns what is to come, so the board is lost.
    """
    matches = [one.match for one in board.matches.all()]
    return any(
        Match.objects.filter(parent=match.pk, created_at__lt=match.finished_at).exists()
        for match in matches
        if match.finished_at is not None
    )


def decide(
    tournament_id: UUID, board: Board, points: tuple[int, ...], result: Board.Result
) -> None:
    """Writes what came of a board; again changes nothing."""
    with changed(tournament_id):
        row = Board.objects.select_for_update().get(pk=board.pk)
        if row.result:
            return
        row.result, row.decided_at = result, timezone.now()
        row.save()
        places = Place.objects.filter(board=row).select_related("entrant").order_by("seat")
        for place, own in zip(places, points, strict=True):
            Place.objects.filter(pk=place.pk).update(points=own)
            _free(place.entrant, row)


def reopen(match_id: UUID) -> None:
    """A match of a board goes on after all: the board is undecided again, if nothing followed."""
    one = BoardMatch.objects.filter(match=match_id).select_related("board__tournament").first()
    if one is None:
        return
    with changed(one.board.tournament_id) as tournament:
        board = Board.objects.select_for_update().get(pk=one.board_id)
        entrants = board.places.values("entrant")
        later = Place.objects.filter(entrant__in=entrants, points=None).exclude(board=board)
        followed = tournament.is_over or (
            not tournament.is_arena and tournament.round > board.round
        )
        again = BoardMatch.objects.filter(board=board, number__gt=one.number).exists()
        if again or (board.result and (followed or later.exists())):
            raise BoardWasFollowed
        Board.objects.filter(pk=board.pk).update(result="", decided_at=None)
        Place.objects.filter(board=board).update(points=None)


def _free(entrant: Entrant, board: Board) -> None:
    """One who lost without a move, twice in a row, takes part no more."""
    entrant.free_since = board.decided_at
    last = (
        BoardMatch.objects.filter(board=board).select_related("match").order_by("-number").first()
    )
    if last is not None and board.result != Board.Result.CALLED_OFF:
        entrant.missed = entrant.missed + 1 if _was_absent(entrant, last) else 0
    if entrant.missed >= ABSENT_AFTER and entrant.state in selectors.IN:
        entrant.state, entrant.missed = Entrant.State.WITHDRAWN.value, 0
    entrant.save()


def _was_absent(entrant: Entrant, last: BoardMatch) -> bool:
    if entrant.account_id is None:
        return False
    seat = Seat.objects.filter(match=last.match_id, user=entrant.account_id).first()
    if seat is not None and seat.index in absent_from(last.match):
        return True
    if seat is None or seat.resigned_at is None:
        return False
    moves = Ply.objects.filter(match=last.match_id, seat=seat.index).exclude(move=RESIGN)
    return not moves.exists()


def decide_walkovers(sheet: selectors.Sheet) -> int:
    """Boards of those who take part no more: a match that runs is resigned, another not opened."""
    return sum(_walkover(sheet, board) for board in sheet.undecided)


def _walkover(sheet: selectors.Sheet, board: Board) -> bool:
    gone = [sheet.by_id[place.entrant_id].state not in selectors.IN for place in _places(board)]
    if not any(gone):
        return False
    matches = list(board.matches.all())
    if matches and matches[-1].match.status == "active":
        resign_seats(matches[-1].match_id, [seat_in(matches[-1], gone.index(True))])
        return True
    if next_step(sheet.tournament.form, selectors.played(board)) != "open":
        return False  # the next match of its set begins in a moment
    points = tuple(LOSS if is_gone else WIN for is_gone in gone)
    decide(sheet.tournament.id, board, points, Board.Result.WALKOVER)
    return True


def _places(board: Board) -> list[Place]:
    return sorted(board.places.all(), key=lambda place: place.seat)


def resign_seats(match_id: UUID, seats: list[int]) -> None:
    """A match that has ended meanwhile is read as it ended."""
    for seat in seats:
        try:
            resign_as_operator(match_id=match_id, seat=seat)
        except (MatchNotActive, SeatIsOut):
            return


# Pairing the next round, or the next boards of an arena, and ending a tournament.
#
# A plan is made without a lock, since it may take seconds. It is written only if nobody came,
# left or paired meanwhile.

IN = Entrant.State.JOINED


def advance_round(sheet: selectors.Sheet) -> bool:
    """The next round if this one is decided, or the end; whether anything was written."""
    if sheet.tournament.is_arena:
        return _advance_arena(sheet)
    if sheet.undecided:
        return False
    if sheet.tournament.round >= (sheet.tournament.rounds or 0) or len(sheet.there) < 2:
        return _finish(sheet)
    return _write(sheet, plans.next_round(_position(sheet)))


def _position(sheet: selectors.Sheet) -> plans.Position:
    tournament = sheet.tournament
    return plans.Position(
        form=tournament.form,
        number=tournament.round + 1,
        rounds=tournament.rounds or 0,
        everybody=max(sheet.numbered),
        there=sheet.there,
        boards=tuple(sheet.values),
    )


def _advance_arena(sheet: selectors.Sheet) -> bool:
    now, ends = timezone.now(), selectors.ends_at(sheet.tournament)
    if ends is not None and now >= ends:
        return not sheet.undecided and _finish(sheet)
    pairings = rules.pair_arena(
        _rounds_free(sheet, now), [one for one in sheet.values if one.points is not None]
    )
    return bool(pairings) and _write(sheet, pairings)


def _rounds_free(sheet: selectors.Sheet, now: datetime) -> list[rules.Free]:
    busy = {place.entrant_id for board in sheet.undecided for place in board.places.all()}
    return [
        rules.Free(number, (now - (one.free_since or now)).total_seconds())
        for number, one in sheet.numbered.items()
        if one.state == IN and one.pk not in busy
    ]


def _finish(sheet: selectors.Sheet) -> bool:
    with changed(sheet.tournament.id) as tournament:
        if not _is_as_planned(sheet, tournament):
            return False
        _close(tournament)
        tournament.status, tournament.ended_at = Tournament.Status.FINISHED, timezone.now()
        tell(tournament, TournamentEvent.What.FINISHED)
    return True


def _write(sheet: selectors.Sheet, pairings: Sequence[Pairing]) -> bool:
    """The boards of a plan, if the tournament stands as it was planned for."""
    with changed(sheet.tournament.id) as tournament:
        if not _is_as_planned(sheet, tournament):
            return False
        if tournament.is_arena:
            for pairing in pairings:
                tournament.round += 1
                _board(sheet, tournament, 1, pairing)
            return True
        _close(tournament)
        tournament.round += 1
        _open_stage(tournament)
        for number, pairing in enumerate(pairings, start=1):
            _board(sheet, tournament, number, pairing)
    return True


def _is_as_planned(sheet: selectors.Sheet, tournament: Tournament) -> bool:
    there = Entrant.objects.filter(tournament=tournament, state=IN, number__isnull=False)
    return (
        tournament.status == Tournament.Status.RUNNING
        and tournament.paused_at is None
        and tournament.round == sheet.tournament.round
        and set(there.values_list("number", flat=True)) == set(sheet.there)
    )


def _close(tournament: Tournament) -> None:
    open_stages = Stage.objects.filter(tournament=tournament, closed_at=None)
    open_stages.update(closed_at=timezone.now())


def _open_stage(tournament: Tournament) -> None:
    now = timezone.now()
    Stage.objects.create(
        tournament=tournament,
        number=tournament.round,
        paired_at=now,
        deadline_at=now + timedelta(minutes=tournament.round_minutes),
    )


def _board(sheet: selectors.Sheet, tournament: Tournament, number: int, pairing: Pairing) -> None:
    """A bye is decided at once: a point, but in a round robin, where everybody has one."""
    board = Board(tournament=tournament, round=tournament.round, number=number)
    points: list[int | None] = [None, None]
    if pairing.second is None:
        board.result, board.decided_at = Board.Result.BYE, timezone.now()
        points = [LOSS if tournament.form == ROUND_ROBIN else WIN]
    board.save(force_insert=True)
    for seat, (entrant, own) in enumerate(zip(pairing.entrants, points, strict=True)):
        Place.objects.create(
            tournament=tournament,
            round=tournament.round,
            board=board,
            seat=seat,
            entrant=sheet.numbered[entrant],
            points=own,
        )

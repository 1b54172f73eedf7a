"""Reading the matches that are over, and deciding boards to which somebody does not come.

A result is written once: the board is locked, and one that has a result is left alone.
"""

from uuid import UUID

from django.utils import timezone

from cardroom.rules.course import RESIGN
from games.competitions import selectors
from games.competitions.models import Board, BoardMatch, Entrant, Place
from games.competitions.rules.deciding import Decision, next_step
from games.competitions.rules.values import LOSS, WIN
from games.competitions.running.locking import changed
from games.competitions.sets import absent_from, seat_in
from games.matches.leaving.resigning import resign_as_operator
from games.matches.models import Match, Ply, Seat
from games.matches.refusals import MatchNotActive, SeatIsOut

ABSENT_AFTER = 2  # boards in a row that were lost without a move


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

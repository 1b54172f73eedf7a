"""The end of a round's time: the player to act in a match that still runs has lost it.

A board at which no match could be opened is drawn. Of a mirrored set the same player loses what is
left of it, a match after the other.
"""

from datetime import datetime, timedelta

from django.utils import timezone

from games.competitions import selectors
from games.competitions.models import Board, BoardMatch
from games.competitions.rules.deciding import next_step
from games.competitions.rules.values import DRAW
from games.competitions.running.results import decide, resign_seats
from games.competitions.sets import is_mirrored, seat_in
from games.matches.leaving.resigning import call_off_unbegun
from games.matches.models import Seat
from games.matches.selectors.access import get_match


def enforce(sheet: selectors.Sheet) -> int:
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

"""The end of a round's time: whoever is to act in a match that still runs has lost it.

A board at which no match could be opened is drawn.
"""

from datetime import datetime, timedelta

from django.utils import timezone

from games.competitions import selectors
from games.competitions.models import Board
from games.competitions.rules.values import DRAW
from games.competitions.running.results import decide, resign_seats


def enforce(sheet: selectors.Sheet) -> int:
    """Ends the matches that are too late; how many."""
    deadline, late = _deadline(sheet), 0
    if deadline is None or timezone.now() < deadline:
        return 0
    for board in sheet.undecided:
        late += 1
        running = [one.match for one in board.matches.all() if one.match.status == "active"]
        if running:
            resign_seats(running[-1].id, list(running[-1].to_act)[:1])
        else:
            decide(sheet.tournament.id, board, (DRAW, DRAW), Board.Result.CALLED_OFF)
    return late


def _deadline(sheet: selectors.Sheet) -> datetime | None:
    """Of the present round; of an arena when its last matches have had their time."""
    ends = selectors.ends_at(sheet.tournament)
    if ends is not None:
        return ends + timedelta(minutes=sheet.tournament.round_minutes)
    return sheet.stages[-1].deadline_at if sheet.stages else None

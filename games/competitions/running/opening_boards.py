"""Opening the matches of boards, each once: a board is looked at again under its lock."""

from collections.abc import Callable
from uuid import UUID

import msgspec
import structlog

from accounts.models import User
from config.refusals import Refusal
from games.competitions import selectors
from games.competitions.models import Board, BoardMatch, Entrant, Tournament
from games.competitions.rules.deciding import next_step, seat_of
from games.competitions.running.house import house
from games.competitions.running.locking import changed
from games.matches.models import Match
from games.matches.seating import opening
from games.matches.seating.seats import CannotSit, SeatRequest
from games.matches.snapshot import MatchSnapshot
from games.mirrored.opening import open_arranged

_SEEN_BY = {
    Tournament.Visibility.PUBLIC: Match.Visibility.PUBLIC,
    Tournament.Visibility.LINK: Match.Visibility.UNLISTED,
    Tournament.Visibility.PRIVATE: Match.Visibility.PRIVATE,
}

log = structlog.get_logger(__name__)


def open_missing(sheet: selectors.Sheet) -> int:
    """Opens the matches that are owed to boards; how many."""
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
    open_it: Callable[..., MatchSnapshot] = open_arranged if sets else opening.open_match
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

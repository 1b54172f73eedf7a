"""How a match stands, in a few words for the head of its page."""

from collections.abc import Sequence

from games.web.table_page import Board


def standing(board: Board) -> str:
    match board.match.status:
        case "open":
            return _open(board)
        case "active":
            return _active(board)
        case "aborted":
            return "The match was called off."
        case _:
            return _finished(board)


def _open(board: Board) -> str:
    free = sum(seat.kind == "open" for seat in board.match.seats)
    return "Waiting for one more player" if free == 1 else f"Waiting for {free} more players"


def _active(board: Board) -> str:
    acting = [chair for chair in board.chairs if chair.is_acting]
    if board.hidden and board.you:
        return f"Pass the device to {board.you.name}"
    if board.is_your_turn and board.you:
        return f"{board.you.name}, your turn" if board.is_shared else "Your turn"
    if len(acting) == 1 and acting[0].row.kind == "bot":
        return f"{acting[0].name} is thinking…"
    return f"Waiting for {joined([chair.name for chair in acting])}"


def _finished(board: Board) -> str:
    winners = [chair for chair in board.chairs if chair.is_winner]
    if not winners or len(winners) == len(board.chairs):
        return "A draw"
    if board.you and board.you.is_winner and not board.is_shared:
        others = [chair.name for chair in winners if not chair.is_you]
        return f"You and {joined(others)} won!" if others else "You won!"
    return f"{joined([chair.name for chair in winners])} won"


def joined(names: Sequence[str]) -> str:
    """``Ann``, ``Ann and Bob``, ``Ann, Bob and Cem``."""
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last

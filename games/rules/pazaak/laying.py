"""What playing a side card does to the own board (R13-R17); the bots weigh cards with it too."""

from games.rules.pazaak.board import PLACES, Board, Placed, double_newest, flip
from games.rules.pazaak.moves import TAKES_PLACE, CardPlay


def has_space(
    board: Board,
    code: str,
    specials_take_slot: bool,  # noqa: FBT001
) -> bool:
    """R14: a card that is placed needs a free place; R15: flip and double as a rule do not."""
    if len(board) < PLACES:
        return True
    return code not in TAKES_PLACE and not specials_take_slot


def lay(
    board: Board,
    card: CardPlay,
    specials_take_slot: bool,  # noqa: FBT001
) -> tuple[Board, int | tuple[int, ...]]:
    """The board after a card, and what it did: a value placed, or the indexes it changed."""
    if card.flips:
        turned, changed = flip(board, card.flips)
        return (*turned, Placed("side", card.code, 0)) if specials_take_slot else turned, changed
    if card.kind != "double":
        return (*board, Placed("side", card.code, card.amount)), card.amount
    if specials_take_slot:
        value = board[-1].value
        return (*board, Placed("side", card.code, value)), value
    return double_newest(board), (len(board) - 1,)

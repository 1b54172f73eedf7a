"""What a bot reads off its view: the two halves, and the board after each card it may play."""

from typing import Final, NamedTuple

from cardroom.rules.pazaak.moves import CARD_PLAYS
from cardroom.rules.pazaak.predicates import Board, lay, total_of
from cardroom.rules.pazaak.side_cards import CARD
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.values import Move


class Play(NamedTuple):
    """A card that may be played now, and the own board after it."""

    move: Move
    code: str
    board: Board
    total: int


def halves(view: PazaakView) -> tuple[HalfView, HalfView]:
    """The own half and the rival's."""
    return (view.halves[0], view.halves[1]) if view.seat == 0 else (view.halves[1], view.halves[0])


def plays(view: PazaakView) -> list[Play]:
    mine, _ = halves(view)
    return [
        _play(mine.board, move, specials_take_slot=view.options.specials_take_slot)
        for move in view.legal_moves
        if move in CARD_PLAYS
    ]


def _play(board: Board, move: Move, *, specials_take_slot: bool) -> Play:
    card = CARD_PLAYS[move]
    after, _ = lay(board, card, specials_take_slot=specials_take_slot)
    return Play(move, card.code, after, total_of(after))


def draws_by_itself(view: PazaakView) -> bool:
    """``turn_end``: a turn begins with the draw and is closed by ``end`` or ``stand``."""
    return view.options.stand_timing == "turn_end"


_BY_KIND: Final = {"plus": 2, "minus": 2, "plus-or-minus": 3, "flip": 1}


def worth(code: str) -> int:
    """How dearly a card is kept: the more totals it can mend, the dearer."""
    return _BY_KIND.get(CARD[code].kind, 4)

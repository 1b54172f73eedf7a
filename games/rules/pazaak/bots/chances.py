"""What a bot reads off its view: the two halves, and what each card it may play would come to."""

from typing import Final, NamedTuple

from games.rules.pazaak.board import Board, total_of
from games.rules.pazaak.laying import lay
from games.rules.pazaak.moves import CARD_PLAYS
from games.rules.pazaak.side_cards import CARD
from games.rules.pazaak.view import HalfView, PazaakView
from games.rules.values import Move


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
        _play(mine.board, move, view.options.specials_take_slot)
        for move in view.legal_moves
        if move in CARD_PLAYS
    ]


def _play(board: Board, move: Move, specials_take_slot: bool) -> Play:  # noqa: FBT001
    card = CARD_PLAYS[move]
    after, _ = lay(board, card, specials_take_slot)
    return Play(move, card.code, after, total_of(after))


def draws_by_itself(view: PazaakView) -> bool:
    """``turn_end``: a turn begins with the draw and is closed by ``end`` or ``stand``."""
    return view.options.stand_timing == "turn_end"


_BY_KIND: Final = {"plus": 2, "minus": 2, "plus-or-minus": 3, "flip": 1}


def worth(code: str) -> int:
    """How dearly a card is kept: the more totals it can mend, the dearer."""
    return _BY_KIND.get(CARD[code].kind, 4)

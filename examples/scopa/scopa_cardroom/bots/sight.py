"""A view on plain numbers, and the move that makes a chosen play."""

from collections.abc import Callable, Iterator

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.values import Move
from scopa_cardroom.bots.worth import plays
from scopa_cardroom.imagine import cards
from scopa_cardroom.moves import take
from scopa_cardroom.predicates import Cards, captures
from scopa_cardroom.view import ScopaView

Judge = Callable[[int, Cards, Cards], float]  # (card, what it takes, the table) -> its worth


def best_move(view: ScopaView, judge: Judge) -> Move:
    """The first move of the best play: a card of the hand, or one that the card laid takes."""
    choices = list(_choices(view))
    card, taken, _table = max(choices, key=lambda play: judge(*play))
    if view.laid is None:
        return TEXT[card]
    return next(take(other) for other in taken if take(other) in view.legal_moves)


def _choices(view: ScopaView) -> Iterator[tuple[int, Cards, Cards]]:
    fifteen = view.options.capture == "fifteen"
    chosen = cards(view.chosen)
    table = (*cards(view.table), *chosen)
    if view.laid is None:
        for card in cards(view.hand):
            for taken in plays(card, table, fifteen=fifteen):
                yield card, taken, table
    else:
        card = CARD[view.laid]
        for taken in captures(card, table, fifteen=fifteen):
            if set(chosen).issubset(taken):
                yield card, taken, table

"""Weighs what it takes against what the next player will probably take from what it leaves."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.values import Event, Move
from scopa_cardroom.bots.greedy import gain_now
from scopa_cardroom.bots.sight import best_move
from scopa_cardroom.bots.worth import gain, plays, table_after
from scopa_cardroom.imagine import unseen
from scopa_cardroom.predicates import Cards
from scopa_cardroom.view import ScopaView


def careful(view: ScopaView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    fifteen = view.options.capture == "fifteen"
    hidden, size = unseen(view), _cards_of_the_next(view)

    def balance(card: int, taken: Cards, table: Cards) -> float:
        left = table_after(card, taken, table)
        return gain_now(card, taken, table) - threat(left, hidden, size, fifteen=fifteen)

    return best_move(view, balance)


def _cards_of_the_next(view: ScopaView) -> int:
    """How many cards the next seat holds when it plays; new hands are as large as at first."""
    after = ((view.seat or 0) + 1) % view.options.players
    return view.hand_sizes[after] or min(view.stock_size, view.options.hand_size)


def threat(table: Cards, hidden: Sequence[int], size: int, *, fifteen: bool) -> float:
    """The mean of the best play of somebody who holds so many of the hidden cards."""
    if not size or not table:
        return 0.0
    gains = [
        max([gain(card, taken, table) for taken in plays(card, table, fifteen=fifteen)])
        for card in hidden
    ]
    mean, missed, left = 0.0, 1.0, len(hidden)
    for best in sorted(gains, reverse=True):
        if not best or left <= 0:
            break
        held = min(1.0, size / left)  # where no better card is held, this one is
        mean += missed * held * best
        missed, left = missed * (1 - held), left - 1
    return mean


CAREFUL: Final[Bot[ScopaView]] = Bot(
    slug="careful",
    name="Careful",
    summary="Remembers the cards and leaves the next player little.",
    level=3,
    choose=careful,
)

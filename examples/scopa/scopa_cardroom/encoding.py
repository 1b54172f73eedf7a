"""Moves and views as numbers, for programs that learn.

An action is a card to be played, or one of the table to be taken.
"""

from array import array
from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.encoding import (
    MOST,
    Feature,
    Layout,
    capped,
    numbered,
    option_features,
    option_numbers,
)
from scopa_cardroom.moves import take
from scopa_cardroom.options import ScopaOptions, side_count
from scopa_cardroom.predicates import PACK
from scopa_cardroom.view import ScopaView

SEATS: Final = 4
SIDES: Final = 3
CODES: Final = texts(PACK)
PLACE: Final = {code: at for at, code in enumerate(CODES)}
CARDS: Final = len(CODES)

ACTIONS: Final = numbered((*[TEXT[card] for card in PACK], *[take(card) for card in PACK]))

OBSERVATION: Final = Layout(
    Feature("hand", CARDS, "1 for every card in the own hand"),
    Feature("table", CARDS, "1 for every card on the table"),
    Feature("laid", CARDS, "1 for the card whose capture is being chosen"),
    Feature("chosen", CARDS, "1 for every card that it takes for sure"),
    Feature("heaps", SIDES * CARDS, "1 for every captured card, side by side"),
    Feature("hand_sizes", SEATS, "cards in hand, by seat", most=9),
    Feature("leader", SEATS, "1 for the seat that plays first in this deal"),
    Feature("last_capturer", SEATS, "1 for the seat that captured last in this deal"),
    Feature("sweeps", SIDES, "scope of this deal, by side", most=CARDS),
    Feature("totals", SIDES, "points of the deals before, by side", most=MOST),
    Feature("stock_size", 1, "cards not yet dealt", most=CARDS),
    Feature("round", 1, "the number of the deal", most=MOST),
    *option_features(ScopaOptions),
)
(
    HAND, TABLE, LAID, CHOSEN, HEAPS, HAND_SIZES, LEADER, LAST_CAPTURER, SWEEPS, TOTALS,
    STOCK_SIZE, ROUND, OPTIONS, *_,
) = OBSERVATION.starts.values()  # fmt: skip


def observe(view: ScopaView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``; seats and sides from the own one on."""
    out, own = OBSERVATION.blank(), view.seat or 0
    players, sides = view.options.players, side_count(view.options)
    _mark(out, HAND, view.hand)
    _mark(out, TABLE, view.table)
    _mark(out, LAID, () if view.laid is None else (view.laid,))
    _mark(out, CHOSEN, view.chosen)
    for seat in range(players):
        at = (own + seat) % players
        out[HAND_SIZES + seat] = view.hand_sizes[at]
        out[LEADER + seat] = int(view.leader == at)
        out[LAST_CAPTURER + seat] = int(view.last_capturer == at)
    for side in range(sides):
        at = (own + side) % sides
        _mark(out, HEAPS + side * CARDS, view.heaps[at])
        out[SWEEPS + side] = view.sweeps[at]
        out[TOTALS + side] = capped(view.totals[at])
    out[STOCK_SIZE] = view.stock_size
    out[ROUND] = capped(view.round)
    out[OPTIONS:] = option_numbers(view.options)
    return out


def _mark(out: "array[int]", start: int, codes: Sequence[str]) -> None:
    for code in codes:
        out[start + PLACE[code]] = 1

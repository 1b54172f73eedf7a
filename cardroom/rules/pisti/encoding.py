"""Moves and views of Pişti as numbers: an action is the card to be played."""

from array import array
from typing import Final

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.encoding import (
    MOST,
    Feature,
    Layout,
    capped,
    numbered,
    option_features,
    option_numbers,
)
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.predicates import PACK, PLAYS_PER_DEAL
from cardroom.rules.pisti.view import PistiView

SEATS: Final = 4
CARDS: Final = len(PACK)

ACTIONS: Final = numbered(TEXT[:CARDS])

OBSERVATION: Final = Layout(
    Feature("hand", CARDS, "1 for every card in the own hand"),
    Feature("top", CARDS, "1 for the card on top of the pile; nothing on an empty table"),
    Feature("bottom_card", CARDS, "1 for the exposed last card of the pack"),
    Feature("hand_sizes", SEATS, "cards in hand, by seat", most=4),
    Feature("heap_sizes", SEATS, "captured cards, by seat; 0 if not shown", most=CARDS),
    Feature("last_capturer", SEATS, "1 for the seat that captured last in this deal"),
    Feature("starter", SEATS, "1 for the seat that plays first in this deal"),
    Feature("pistis", SEATS, "piştis in this deal, by side", most=CARDS),
    Feature("doubles", SEATS, "double piştis in this deal, by side", most=CARDS),
    Feature("totals", SEATS, "match points of the deals scored, by side", most=MOST),
    Feature("pile_size", 1, "cards in the pile; 0 if not shown", most=CARDS),
    Feature("face_down", 1, "cards of the first centre that lie face down", most=CARDS),
    Feature("stock_size", 1, "cards not yet dealt", most=CARDS),
    Feature("plays_made", 1, "cards played in this deal", most=PLAYS_PER_DEAL),
    *option_features(PistiOptions),
)
(
    HAND, TOP, BOTTOM, HAND_SIZES, HEAP_SIZES, LAST_CAPTURER, STARTER, PISTIS, DOUBLES, TOTALS,
    PILE_SIZE, FACE_DOWN, STOCK_SIZE, PLAYS_MADE, OPTIONS, *_,
) = OBSERVATION.starts.values()  # fmt: skip


def observe(view: PistiView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``."""
    out, options = OBSERVATION.blank(), view.options
    own, players, sides = view.seat or 0, options.players, side_count(options)
    for code in view.hand:
        out[HAND + CARD[code]] = 1
    if view.top is not None:
        out[TOP + CARD[view.top]] = 1
    if view.bottom_card is not None:
        out[BOTTOM + CARD[view.bottom_card]] = 1
    if view.last_capturer is not None:
        out[LAST_CAPTURER + (view.last_capturer - own) % players] = 1
    out[STARTER + (view.starter - own) % players] = 1
    for seat in range(players):
        at = (own + seat) % players
        out[HAND_SIZES + seat] = view.hand_sizes[at]
        if view.heap_sizes is not None:
            out[HEAP_SIZES + seat] = view.heap_sizes[at]
    for side in range(sides):
        at = (own + side) % sides
        out[PISTIS + side] = view.pistis[at]
        out[DOUBLES + side] = view.doubles[at]
        out[TOTALS + side] = capped(view.totals[at])
    out[PILE_SIZE] = view.pile_size or 0
    out[FACE_DOWN] = view.face_down
    out[STOCK_SIZE] = view.stock_size
    out[PLAYS_MADE] = view.plays_made
    out[OPTIONS:] = option_numbers(options)
    return out

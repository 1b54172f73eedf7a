"""Moves and views of Pyanitsa as numbers: turn a card up, or collect a trick in one of four orders.

A collection may have any order (`collect_order` arbitrary); the four here are those that a
strategy can name without knowing the cards.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

from cardroom.rules.cards import CARD, RANK
from cardroom.rules.encoding import (
    MOST,
    Actions,
    Feature,
    Layout,
    capped,
    option_features,
    option_numbers,
)
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.predicates import FLIP, parse, text
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.values import Move

SEATS: Final = 8
CARDS: Final = 54
PHASES: Final = ("lay", "collect", "over")
FACE_DOWN: Final = 1  # in ``newest``: a card lies there, face down; ranks follow from 2 on


def among(legal: Sequence[Move]) -> Mapping[int, Move]:
    moves_by_number: dict[int, Move] = {}
    for move in legal:
        cards = parse(move)
        if cards is None:
            moves_by_number[0] = FLIP
            continue
        low_first = sorted(cards, key=RANK.__getitem__)
        orders = (cards, cards[::-1], low_first[::-1], low_first)
        moves_by_number |= {number: text(order) for number, order in enumerate(orders, start=1)}
    return moves_by_number


ACTIONS: Final = Actions(
    (FLIP, "collect as laid", "collect last laid first", "collect high first", "collect low first"),
    among,
)

OBSERVATION: Final = Layout(
    Feature("phase", len(PHASES), "lay, collect, over: 1 for the one there is"),
    Feature("leader", SEATS, "1 for the seat that led this trick"),
    Feature("disputing", SEATS, "1 for every seat in the dispute"),
    Feature("to_lay", SEATS, "1 for every seat still to lay at this level"),
    Feature("taker", SEATS, "1 for the seat that collects this trick"),
    Feature("draw_counts", SEATS, "cards in the draw pile, by seat", most=CARDS),
    Feature("won_counts", SEATS, "cards in the won pile, by seat", most=CARDS),
    Feature("out", SEATS, "1 for every seat that has gone out"),
    Feature("newest", SEATS, "newest card on the table, by seat: 0 none, 1 face down,"
            " 2 a two to 14 an ace, 15 a joker", most=15),
    Feature("table", CARDS, "1 for every card of the trick that this seat may see"),
    Feature("cards_on_table", 1, "cards of the trick", most=CARDS),
    Feature("level", 1, "0 in the circle, then the number of the dispute", most=CARDS),
    Feature("mortgage", 1, "1 if this level is laid with a card face down"),
    Feature("trick_no", 1, "the trick being played, from 1", most=MOST),
    Feature("set_aside", 1, "cards that the deal left over", most=CARDS),
    *option_features(PyanitsaOptions),
)  # fmt: skip
(
    PHASE, LEADER, DISPUTING, TO_LAY, TAKER, DRAW_COUNTS, WON_COUNTS, OUT, NEWEST, TABLE,
    CARDS_ON_TABLE, LEVEL, MORTGAGE, TRICK_NO, SET_ASIDE, OPTIONS, *_,
) = OBSERVATION.starts.values()  # fmt: skip


def observe(view: PyanitsaView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``."""
    out, own, players = OBSERVATION.blank(), view.seat or 0, view.options.players
    out[PHASE + PHASES.index(view.phase)] = 1
    out[LEADER + (view.leader - own) % players] = 1
    for seat in view.disputing:
        out[DISPUTING + (seat - own) % players] = 1
    for seat in view.to_lay:
        out[TO_LAY + (seat - own) % players] = 1
    if view.taker is not None:
        out[TAKER + (view.taker - own) % players] = 1
    for seat in range(players):
        at = (own + seat) % players
        out[DRAW_COUNTS + seat] = view.draw_counts[at]
        out[WON_COUNTS + seat] = view.won_counts[at]
        out[OUT + seat] = view.out_in[at] > 0
    for laid in view.table:
        newest = NEWEST + (laid.seat - own) % players
        out[newest] = FACE_DOWN
        if laid.card is not None:
            card = CARD[laid.card]
            out[newest] = FACE_DOWN + 1 + RANK[card]
            out[TABLE + card] = 1
    out[CARDS_ON_TABLE] = len(view.table)
    out[LEVEL] = view.level
    out[MORTGAGE] = view.mortgage
    out[TRICK_NO] = capped(view.trick_no)
    out[SET_ASIDE] = view.set_aside
    out[OPTIONS:] = option_numbers(view.options)
    return out

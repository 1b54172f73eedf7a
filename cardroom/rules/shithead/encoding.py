"""Moves and views of Shithead as numbers.

An action is a set of equal cards, a hidden card, the pile, a swap or ``ready``. Which of its cards
lie in the hand makes no difference to the number.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

from cardroom.rules.cards import CARD, RANK, TEXT
from cardroom.rules.encoding import (
    MOST,
    Actions,
    Feature,
    Layout,
    capped,
    option_features,
    option_numbers,
)
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import (
    BLIND,
    MOST_SLOTS,
    PICKUP,
    RANK_COUNT,
    READY,
    SWAP,
    in_order,
    parse,
    text,
)
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Move

SEATS: Final = 18
CARDS: Final = len(TEXT)
PHASES: Final = ("exchange", "play", "over")


def _equal_cards() -> Iterator[Move]:
    """Every set of cards of one rank, single cards first."""
    yield from TEXT
    for rank in range(RANK_COUNT):
        cards = in_order([card for card in range(CARDS) if RANK[card] == rank])
        for count in range(2, len(cards) + 1):
            yield from map(text, combinations(cards, count))


_SWAPS: Final = [SWAP[a][b] for a, b in permutations(range(CARDS), 2)]
_TEXTS: Final = (READY, PICKUP, *BLIND, *_equal_cards(), *_SWAPS)
_NUMBERS: Final = {text: number for number, text in enumerate(_TEXTS)}


def _number(move: Move) -> int:
    number = _NUMBERS.get(move)
    return _NUMBERS[text(in_order(parse(move).numbers))] if number is None else number


def among(legal: Sequence[Move]) -> Mapping[int, Move]:
    return {_number(move): move for move in legal}


ACTIONS: Final = Actions(_TEXTS, among)

OBSERVATION: Final = Layout(
    Feature("phase", len(PHASES), "exchange, play, over: 1 for the one there is"),
    Feature("hand", CARDS, "1 for every card in the own hand"),
    Feature("own_tops", CARDS, "1 for every own open card"),
    Feature("own_hidden", MOST_SLOTS, "1 for every slot with an own hidden card"),
    Feature("tops", SEATS * RANK_COUNT, "open cards, by seat and rank", most=4),
    Feature("hidden_counts", SEATS, "hidden cards, by seat", most=MOST_SLOTS),
    Feature("hand_counts", SEATS, "cards in hand, by seat", most=CARDS),
    Feature("ready", SEATS, "1 for every seat whose exchange is over"),
    Feature("turn", SEATS, "1 for the seat to play"),
    Feature("next_seat", SEATS, "1 for the seat that follows"),
    Feature("places", SEATS, "place in this game, by seat; 0 while it is in", most=SEATS),
    Feature("times_shed", SEATS, "times the shed, by seat", most=MOST),
    Feature("points", SEATS, "sum of places, by seat", most=MOST),
    Feature("pile", CARDS, "1 for every card in the pile"),
    Feature("burned", CARDS, "1 for every card out of the game"),
    Feature("to_beat", RANK_COUNT, "1 for the rank to beat"),
    Feature("top_ranks", 4, "the newest four cards of the pile: 0 none, 1 a two to 14 a joker",
            most=RANK_COUNT),
    Feature("stock_count", 1, "cards still to be drawn", most=CARDS),
    Feature("clockwise", 1, "1 clockwise, 0 anticlockwise"),
    Feature("turns", 1, "turns taken in this game", most=MOST),
    Feature("game_no", 1, "number of the game in the match", most=50),
    *option_features(ShitheadOptions),
)  # fmt: skip
(
    PHASE, HAND, OWN_TOPS, OWN_HIDDEN, TOPS, HIDDEN_COUNTS, HAND_COUNTS, READY_SEATS, TURN,
    NEXT_SEAT, PLACES, TIMES_SHED, POINTS, PILE, BURNED, TO_BEAT, TOP_RANKS, STOCK_COUNT,
    CLOCKWISE, TURNS, GAME_NO, OPTIONS, *_,
) = OBSERVATION.starts.values()  # fmt: skip


def observe(view: ShitheadView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``."""
    out, own = OBSERVATION.blank(), view.seat or 0
    out[PHASE + PHASES.index(view.phase)] = 1
    _mark(out, HAND, view.hand)
    _mark(out, OWN_TOPS, view.tops[own])
    for slot in view.hidden[own]:
        out[OWN_HIDDEN + slot] = 1
    _write_seats(out, view, own)
    _write_pile(out, view)
    out[STOCK_COUNT] = view.stock_count
    out[CLOCKWISE] = view.direction == 1
    out[TURNS] = capped(view.turns)
    out[GAME_NO] = view.game_no
    out[OPTIONS:] = option_numbers(view.options)
    return out


def _mark(out: "array[int]", start: int, codes: Sequence[str]) -> None:
    for code in codes:
        out[start + CARD[code]] = 1


def _write_seats(out: "array[int]", view: ShitheadView, own: int) -> None:
    players = view.options.players
    for seat in range(players):
        at = (own + seat) % players
        for code in view.tops[at]:
            out[TOPS + seat * RANK_COUNT + RANK[CARD[code]]] += 1
        out[HIDDEN_COUNTS + seat] = len(view.hidden[at])
        out[HAND_COUNTS + seat] = view.hand_counts[at]
        out[READY_SEATS + seat] = view.ready[at]
        out[PLACES + seat] = view.places[at]
        out[TIMES_SHED + seat] = view.times_shed[at]
        out[POINTS + seat] = view.points[at]
    if view.turn is not None:
        out[TURN + (view.turn - own) % players] = 1
    if view.next_seat is not None:
        out[NEXT_SEAT + (view.next_seat - own) % players] = 1


def _write_pile(out: "array[int]", view: ShitheadView) -> None:
    _mark(out, PILE, view.pile)
    _mark(out, BURNED, view.burned)
    if view.to_beat is not None:
        out[TO_BEAT + RANK[CARD[view.to_beat]]] = 1
    for nth, code in enumerate(view.pile[:-5:-1]):
        out[TOP_RANKS + nth] = 1 + RANK[CARD[code]]

"""Which number means what: columns of results, encoded options, the arrays of a match."""

from typing import Final

import numpy

from cardroom.fast.kernel import Columns
from cardroom.rules.cards import RANKS
from cardroom.rules.shithead.bots.rank_counts import PLACE
from cardroom.rules.shithead.deal import LOWEST_FIRST
from cardroom.rules.shithead.predicates import RANK_COUNT

COLUMNS: Final = Columns(
    reasons=("games",),
    measures=("burns",),
    events=(
        "game_started", "dealt", "exchanged", "ready", "played", "hidden_failed", "picked_up",
        "direction", "burned", "drew", "seat_out", "turn", "game_over", "match_over",
    ),
)  # fmt: skip

ROUNDS, PLIES, BURNS = 1, 2, 3

(
    STARTED, DEALT, EXCHANGED, READY_SAID, PLAYED, FAILED, PICKED_UP, TURNED, BURNED, DREW,
    SEAT_OUT, TURN_TOLD, GAME_OVER, MATCH_OVER,
) = range(4, 18)  # fmt: skip

POINTS: Final = COLUMNS.points

# The options as they are encoded; then the cards that may be played on each rank to beat, from
# NOTHING on, and the pack.
(
    PLAYERS, GAMES, SIZE, EACH, THREE_IN_HAND, VOLUNTARY, TRANSPARENT, AGAIN, THROUGH, LOWEST_CARD,
    LEFT_OF_SHED, EXCHANGE, MAX_TURNS, ALLOWED,
) = range(14)  # fmt: skip

PACK: Final = ALLOWED + RANK_COUNT + 1

NONE: Final = -1

RANDOM, LOWEST, KEEPER = range(3)

MOST_SEATS: Final = 18

MOST_SLOTS: Final = 9

# The facts of a game; STOCK is the place of the deck from which the stock begins.
(
    GAME_NO, DEALER, DIRECTION, PHASE, TURN, PILE, BURNT, STOCK, TURNS, OUT,
    KIND, FROM_SOURCE, FROM_TOP,
) = range(13)  # fmt: skip

IN_EXCHANGE, IN_PLAY, IS_OVER = range(3)

CARDS, BLIND, PICKUP = range(3)  # kinds of moves

# What is kept of every seat.
HAND, TOP, HIDDEN, SEAT_PLACE, READY, TIMES_SHED, SUM, SHED, SWAPS_LEFT = range(9)

RANK_PLACES: Final = numpy.array([PLACE[rank] for rank in RANKS], dtype=numpy.int64)

CLAIMS: Final = numpy.array([LOWEST_FIRST.index(rank) for rank in RANKS], dtype=numpy.int64)

"""Which number means what: result columns, encoded options, the arrays of a match."""

from typing import Final

from cardroom.fast.kernel import Columns

COLUMNS: Final = Columns(
    reasons=("target", "deal"),
    measures=("piştis",),
    events=(
        "deal_started", "hand_dealt", "centre_dealt", "jack_buried", "redeal", "card_played",
        "captured", "pisti", "leftover_awarded", "deal_scored", "match_over",
    ),
)  # fmt: skip
ROUNDS, PLIES, PISTIS = 1, 2, 3
(
    STARTED, HAND_DEALT, CENTRE_DEALT, BURIED, REDEAL, PLAYED, CAPTURED, PISTI, LEFTOVER, SCORED,
    MATCH_OVER,
) = range(4, 15)  # fmt: skip
POINTS: Final = COLUMNS.points

# The options as they are encoded.
(
    PLAYERS, SIDES, TARGET, FIXED, SINGLE_POINTS, DOUBLE_POINTS, MAJORITY, LAST_CARD, EXPOSED,
) = range(9)  # fmt: skip
NONE: Final = -1
RANDOM, GREEDY = range(2)

HAND: Final = 4
CARDS: Final = 52
# The facts of a deal; STOCK is the place of the deck from which the stock begins.
(
    DEAL_NO, STARTER, TO_PLAY, PLAYS, STOCK, PILE, FACE_DOWN, LAST_CAPTURER, BOTTOM, OVER,
    PILE_CARDS,
) = range(11)  # fmt: skip
# What is kept of every seat, and of every side.
HELD, HEAP, SINGLES, DOUBLES, TOTAL = range(5)

"""Which number means what: result columns, encoded options, the arrays of a match."""

from typing import Final

from cardroom.fast.kernel import Columns

COLUMNS: Final = Columns(
    reasons=("all_cards", "gave_away", "limit"),
    measures=("tricks", "disputes"),
    events=("dealt", "card_laid", "recycled", "dispute", "trick_taken", "seat_out", "match_over"),
)
ALL_CARDS, GAVE_AWAY, LIMIT = range(3)
ROUNDS, PLIES, TRICKS, DISPUTES = 1, 2, 3, 4
DEALT, LAID, RECYCLED, DISPUTE, TAKEN, SEAT_OUT, OVER = range(5, 12)
POINTS: Final = COLUMNS.points

# The options as they are encoded, then the strength of every card, then the pack.
(
    PLAYERS, DECK, MORTGAGE, BOTTOM, RECYCLE, ORDER, LOSES, GIVEAWAY, LOW, LEADER, MAX_TRICKS,
    STRENGTHS,
) = range(12)  # fmt: skip
PACK: Final = STRENGTHS + 54
FIFO, LIFO, SHUFFLE = range(3)
AS_LAID, OWN_FIRST, RANDOM = range(3)
WINNER, FIXED, ROTATE = range(3)

MOST_SEATS: Final = 8
ROOM: Final = 64  # places of a pile, a power of two

# What is kept of a seat: where its draw pile begins, how many cards both piles hold, which of its
# two rows of places the draw pile is, and the trick it went out in.
HEAD, DRAW, WON, BANK, OUT_IN = range(5)
# A card on the table.
SEAT, CARD, LEVEL, DOWN = range(4)
# What is kept of the trick.
TURN_LEADER, TRICK_NO, AT_LEVEL, HAS_MORTGAGE, TABLE, LAYING, LAY_FROM, DISPUTING = range(8)

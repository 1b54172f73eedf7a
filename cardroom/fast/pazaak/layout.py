"""Which number means what: result columns, encoded options, the arrays of a match, side cards."""

from typing import Any, Final

import numpy

from cardroom.fast.kernel import Columns
from cardroom.rules.pazaak.bots.chances import worth
from cardroom.rules.pazaak.moves import CARD_PLAYS, WAYS
from cardroom.rules.pazaak.predicates import MAIN_PACK, TAKES_PLACE
from cardroom.rules.pazaak.side_cards import CODES

COLUMNS: Final = Columns(
    reasons=("rounds", "limit"),
    measures=(),
    events=(
        "match_started", "round_started", "opener", "hand_drawn", "main_drawn", "card_played",
        "passed", "stood", "round_over", "match_over",
    ),
)  # fmt: skip

ROUNDS, PLIES = 1, 2

(
    MATCH_STARTED, ROUND_STARTED, OPENER_TOLD, HAND_DRAWN, MAIN_DRAWN, CARD_PLAYED, PASSED, STOOD,
    ROUND_OVER, MATCH_OVER,
) = range(3, 13)  # fmt: skip

POINTS: Final = COLUMNS.points

# The options as they are encoded, then for each seat whether it cheats, then both side decks.
(
    ONCE, ROUNDS_TO_WIN, AT_END, AUTO_STAND, FILL_STANDS, TAKES_SLOT, ANY_TIEBREAKER, FIRST, NEXT,
    MAX_ROUNDS, CHEATS,
) = range(11)  # fmt: skip

SIDE_DECKS: Final = CHEATS + 2

OPENER, SEAT_0, SEAT_1 = range(3)

ALTERNATE, WINNER, LOSER, ALWAYS = range(4)

NONE: Final = -1

RANDOM, ROOKIE, GAMBLER = range(3)

SIDE_CARDS: Final = len(CODES)

MAIN_SIZE: Final = len(MAIN_PACK)

_PLAYS: Final = [[CARD_PLAYS[move] for move in WAYS[code]] for code in CODES]

_MOST_WAYS: Final = max(map(len, _PLAYS))


def _table(numbers: Any) -> Any:
    return numpy.array(list(numbers), dtype=numpy.int64)


VALUE, FLIP, DOUBLE = range(3)

KINDS: Final = _table(
    {"flip": FLIP, "double": DOUBLE}.get(plays[0].kind, VALUE) for plays in _PLAYS
)

WAY_COUNTS: Final = _table(len(plays) for plays in _PLAYS)

AMOUNTS: Final = _table(
    [play.amount for play in plays] + [0] * (_MOST_WAYS - len(plays)) for plays in _PLAYS
)

FLIPS: Final = _table(plays[0].flips or (0, 0) for plays in _PLAYS)

NEEDS_PLACE: Final = _table(code in TAKES_PLACE for code in CODES)

WORTHS: Final = _table(worth(code) for code in CODES)

MAIN_CARDS: Final = _table(MAIN_PACK)

TIEBREAKER: Final = CODES.index("T")

MAIN_CODE: Final = 100  # and its value: the code of a main card on a board

# The facts of a match.
ROUND_NO, OPENED, STARTER, TO_ACT, PHASE, WINS_0, WINS_1, CHOSEN, WAY, LEADS = range(10)

FACTS: Final = 10

TURN_START, TURN_PLAY, TURN_CLOSE, IS_OVER = range(4)

DRAW, STAND, CLOSE = -1, -2, -3  # CHOSEN where it is no card

# What is kept of a seat.
MAIN_AT, SIDE, PLAYED, BOARD, TOTAL, STANDING, ALLOWANCE = range(7)

# The cards of a seat: its decks and what it has played, in order.
MAIN, REST, GONE, CODE, NUMBER = range(5)

# What remains to be done before a seat has a choice again.
(
    WAIT, DO_DRAW, DO_END, DO_FILLED, DO_GO_ON, DO_BEGIN, DO_OVER,
) = range(7)  # fmt: skip

"""Which number means what: result columns, encoded options, the arrays of a match.

Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules.

The deal (R4).

The draw and the won pile of a seat (R5, R6).
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import inner, note_cards, shuffle
from cardroom.fast.kernel import Columns
from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.options import PyanitsaOptions, low_rank
from cardroom.rules.pyanitsa.predicates import EQUAL_JOKERS, NO_RANK, RANKED_JOKERS
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.values import Setup

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


@inner
def note(
    options: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any, table: Any,
    deck: Any, trace: Any, ply: int,
) -> None:  # fmt: skip
    """The whole state as ``row`` has it, into the trace."""
    players, out, at = options[PLAYERS], trace[ply], 1
    for fact in (TURN_LEADER, TRICK_NO, AT_LEVEL, HAS_MORTGAGE):
        out[at] = trick[fact]
        at += 1
    at = note_cards(out, at, laying, trick[LAY_FROM], trick[LAYING])
    at = note_cards(out, at, tied, 0, trick[DISPUTING])
    out[at] = trick[TABLE]
    at += 1
    for card in range(trick[TABLE]):
        for fact in range(4):
            out[at] = table[card, fact]
            at += 1
    for seat in range(players):
        bank, head = seats[seat, BANK], seats[seat, HEAD]
        out[at] = seats[seat, OUT_IN]
        out[at + 1] = seats[seat, DRAW]
        at += 2
        for nth in range(seats[seat, DRAW]):
            out[at] = piles[seat, bank, (head + nth) & (ROOM - 1)]
            at += 1
        at = note_cards(out, at, piles[seat, 1 - bank], 0, seats[seat, WON])
    for nth in range(options[DECK] // players * players, options[DECK]):
        out[at] = deck[nth]
        at += 1
    out[0] = at - 1


def encode(options: PyanitsaOptions, _setups: Sequence[Setup]) -> Any:
    low = low_rank(options)
    facts = [
        options.players,
        options.deck,
        options.dispute == "mortgage",
        options.collect_to == "bottom",
        ("fifo", "lifo", "shuffle").index(options.recycle),
        ("as_laid", "own_first", "random").index(options.collect_order),
        options.short_dispute == "loses",
        options.goal == "giveaway",
        NO_RANK if low == NO_RANK else 2 * low,
        ("winner", "fixed", "rotate").index(options.leader),
        options.max_tricks,
    ]
    strengths = RANKED_JOKERS if options.jokers == "ranked" else EQUAL_JOKERS
    return numpy.array([*facts, *strengths, *pack(options.deck)], dtype=numpy.int64)


def row(state: PyanitsaState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    to_lay, disputing, table = state.to_lay, state.disputing, state.table
    numbers = [state.leader, state.trick_no, state.level, state.mortgage, len(to_lay), *to_lay]
    numbers += (len(disputing), *disputing, len(table))
    for laid in table:
        numbers += (laid.seat, laid.card, laid.level, laid.face_down)
    for out_in, draw, won in zip(state.out_in, state.draw, state.won, strict=True):
        numbers += (out_in, len(draw), *draw, len(won), *won)
    numbers += state.aside
    return numbers


@inner
def deal(options: Any, words: Any, deck: Any, piles: Any, seats: Any) -> None:
    """One card a seat at a time; what cannot be shared is set aside (R4)."""
    size, players = options[DECK], options[PLAYERS]
    for at in range(size):
        deck[at] = options[PACK + at]
    shuffle(words, deck, 0, size)
    each = size // players
    for seat in range(players):
        for at in range(each):
            piles[seat, 0, at] = deck[at * players + seat]
        seats[seat, HEAD] = 0
        seats[seat, DRAW] = each
        seats[seat, WON] = 0
        seats[seat, BANK] = 0
        seats[seat, OUT_IN] = 0


@inner
def held(seats: Any, seat: int) -> int:
    """The cards a seat has, draw and won pile together (R5)."""
    return seats[seat, DRAW] + seats[seat, WON]  # type: ignore[no-any-return]


@inner
def next_card(piles: Any, seats: Any, seat: int, recycle: int, words: Any, result: Any) -> int:
    """The next card of a seat; the won pile is turned over when it is needed (R6)."""
    if seats[seat, DRAW] == 0:
        bank = 1 - seats[seat, BANK]
        count = seats[seat, WON]
        if recycle == LIFO:
            for at in range(count // 2):
                card = piles[seat, bank, at]
                piles[seat, bank, at] = piles[seat, bank, count - 1 - at]
                piles[seat, bank, count - 1 - at] = card
        elif recycle == SHUFFLE:
            shuffle(words, piles[seat, bank], 0, count)
        seats[seat, BANK] = bank
        seats[seat, HEAD] = 0
        seats[seat, DRAW] = count
        seats[seat, WON] = 0
        result[RECYCLED] += 1
    head = seats[seat, HEAD]
    seats[seat, HEAD] = (head + 1) & (ROOM - 1)
    seats[seat, DRAW] -= 1
    return piles[seat, seats[seat, BANK], head]  # type: ignore[no-any-return]


@inner
def put(piles: Any, seats: Any, seat: int, card: int, bottom: int) -> None:
    """A taken card goes under the draw pile or onto the won pile (`collect_to`)."""
    if bottom:
        bank, at = seats[seat, BANK], (seats[seat, HEAD] + seats[seat, DRAW]) & (ROOM - 1)
        seats[seat, DRAW] += 1
    else:
        bank, at = 1 - seats[seat, BANK], seats[seat, WON]
        seats[seat, WON] += 1
    piles[seat, bank, at] = card

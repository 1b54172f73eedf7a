"""Pyanitsa's kernel: the layout of a match as numbers, a turn, and many whole matches.

Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules.

The deal (R4).

The draw and the won pile of a seat (R5, R6).
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import inner, note_cards, outer, shuffle
from cardroom.fast.kernel import Columns, Variant, work_arrays
from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.options import PyanitsaOptions, low_rank
from cardroom.rules.pyanitsa.predicates import (
    ABOVE_ACE,
    ACE_STRENGTH,
    EQUAL_JOKERS,
    NO_RANK,
    RANKED_JOKERS,
)
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


# The cards of a trick: laying, the highest, disputes (R7 to R11).
#
# How a trick begins and ends (R7, R13, R14).


@inner
def lay(
    options: Any, words: Any, piles: Any, seats: Any, seat: int, trick: Any, table: Any, result: Any
) -> None:
    """What a seat has to lay at this level; one short of two lays its one face down (`loses`)."""
    mortgage = trick[HAS_MORTGAGE]
    cards = 2 if mortgage and held(seats, seat) > 1 else 1
    for nth in range(cards):
        at = trick[TABLE]
        table[at, SEAT] = seat
        table[at, CARD] = next_card(piles, seats, seat, options[RECYCLE], words, result)
        table[at, LEVEL] = trick[AT_LEVEL]
        table[at, DOWN] = mortgage and nth == 0
        trick[TABLE] = at + 1
    result[LAID] += cards


@inner
def highest(options: Any, trick: Any, table: Any, tied: Any) -> int:
    """How many seats have the highest open card of this level; they are written to ``tied``."""
    level, has_ace, best = trick[AT_LEVEL], False, -1
    low = options[LOW]
    if low != NO_RANK:
        for at in range(trick[TABLE]):
            if table[at, LEVEL] == level and not table[at, DOWN]:
                has_ace = has_ace or options[STRENGTHS + table[at, CARD]] == ACE_STRENGTH
    count = 0
    for at in range(trick[TABLE]):
        if table[at, LEVEL] != level or table[at, DOWN]:
            continue
        strength = options[STRENGTHS + table[at, CARD]]
        if has_ace and strength == low:
            strength = ABOVE_ACE
        if strength > best:
            best, count = strength, 0
        if strength == best:
            tied[count] = table[at, SEAT]
            count += 1
    return count


@inner
def open_dispute(options: Any, seats: Any, trick: Any, tied: Any, laying: Any, count: int) -> int:
    """The next level (R9 to R11): the seat that takes the table at once, or −1."""
    trick[AT_LEVEL] += 1
    trick[DISPUTING] = count
    two = True
    trick[LAYING] = 0
    taker = -1
    for nth in range(count):
        cards = held(seats, tied[nth])
        two = two and cards > 1
        if cards:
            laying[trick[LAYING]] = tied[nth]
            trick[LAYING] += 1
        elif taker < 0 and not options[LOSES]:
            taker = tied[nth]  # R10
    trick[HAS_MORTGAGE] = options[MORTGAGE] and (two or options[LOSES])
    if taker < 0 and trick[LAYING] == 0:
        return tied[0]  # type: ignore[no-any-return]
    return taker


@inner
def play_trick(
    options: Any, words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any,
    table: Any, result: Any, deck: Any, trace: Any,
) -> int:  # fmt: skip
    """Lays and disputes until a seat takes the table; that seat."""
    while True:
        for nth in range(trick[LAYING]):
            trick[LAY_FROM] = nth
            if trace.shape[0]:
                note(options, piles, seats, trick, laying, tied, table, deck, trace, result[PLIES])
            lay(options, words, piles, seats, laying[nth], trick, table, result)
            result[PLIES] += 1
        first = tied[0]
        count = highest(options, trick, table, tied)
        if count == 0:
            return first  # type: ignore[no-any-return]
        if count == 1:
            return tied[0]  # type: ignore[no-any-return]
        result[DISPUTE] += 1
        result[DISPUTES] += trick[AT_LEVEL] == 0
        taker = open_dispute(options, seats, trick, tied, laying, count)
        if taker >= 0:
            return taker


@inner
def collect(
    options: Any, words: Any, piles: Any, seats: Any, taker: int, trick: Any, table: Any, order: Any
) -> None:
    """The table goes to the taker (R13, `collect_order`)."""
    count, bottom = trick[TABLE], options[BOTTOM]
    if options[ORDER] == OWN_FIRST:
        for own in (True, False):
            for at in range(count):
                if (table[at, SEAT] == taker) == own:
                    put(piles, seats, taker, table[at, CARD], bottom)
        return
    for at in range(count):
        order[at] = table[at, CARD]
    if options[ORDER] == RANDOM:
        shuffle(words, order, 0, count)
    for at in range(count):
        put(piles, seats, taker, order[at], bottom)


@inner
def leave(players: int, seats: Any, taker: int, trick_no: int, result: Any) -> int:
    """R14: every seat without cards is out; how many are in."""
    left = 0
    for seat in range(players):
        if seats[seat, OUT_IN] == 0 and seat != taker and held(seats, seat) == 0:
            seats[seat, OUT_IN] = trick_no
            result[SEAT_OUT] += 1
        left += seats[seat, OUT_IN] == 0
    return left


@inner
def open_trick(options: Any, seats: Any, trick: Any, laying: Any, first: int) -> None:
    """Everybody still in is to lay, the leader first (R7)."""
    players, count = options[PLAYERS], 0
    for step in range(players):
        seat = (first + step) % players
        if seats[seat, OUT_IN] == 0:
            laying[count] = seat
            count += 1
    trick[TURN_LEADER] = laying[0]
    trick[LAYING] = count
    trick[TABLE] = trick[AT_LEVEL] = trick[HAS_MORTGAGE] = trick[DISPUTING] = 0


# Whole matches, one after the other, and their places (R15, R16).
#
# Rules and bots over which the kernel is checked against the rules.


@inner
def play_match(
    options: Any, words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any,
    table: Any, order: Any, deck: Any, result: Any, trace: Any,
) -> int:  # fmt: skip
    """A match from the deal to its last trick; how many seats are in."""
    players = options[PLAYERS]
    deal(options, words, deck, piles, seats)
    first, trick_no = 0, 1
    while True:
        trick[TRICK_NO] = trick_no
        open_trick(options, seats, trick, laying, first)
        taker = play_trick(
            options, words, piles, seats, trick, laying, tied, table, result, deck, trace
        )
        collect(options, words, piles, seats, taker, trick, table, order)
        left = leave(players, seats, taker, trick_no, result)
        over = left < players if options[GIVEAWAY] else left == 1
        if over or trick_no >= options[MAX_TRICKS]:
            trick[TABLE] = trick[AT_LEVEL] = trick[HAS_MORTGAGE] = trick[DISPUTING] = 0
            trick[LAYING] = trick[LAY_FROM] = 0
            return left
        trick_no += 1
        if options[LEADER] == WINNER:
            first = taker
        elif options[LEADER] == ROTATE:
            first = (trick[TURN_LEADER] + 1) % players


@inner
def rank(options: Any, seats: Any, seat: int) -> int:
    """Lower is better (R15, R16)."""
    out_in = seats[seat, OUT_IN]
    if options[GIVEAWAY]:
        return 0 if out_in else 1 + held(seats, seat)
    return ROOM - out_in + options[MAX_TRICKS] if out_in else -held(seats, seat)


@inner
def finish(options: Any, seats: Any, trick: Any, left: int, result: Any) -> None:
    players = options[PLAYERS]
    if options[GIVEAWAY]:
        result[0] = GAVE_AWAY if left < players else LIMIT
    else:
        result[0] = ALL_CARDS if left == 1 else LIMIT
    result[ROUNDS] = result[DEALT] = result[OVER] = 1
    result[TRICKS] = result[TAKEN] = trick[TRICK_NO]
    for seat in range(players):
        place = 1
        for other in range(players):
            place += rank(options, seats, other) < rank(options, seats, seat)
        result[POINTS + seat] = result[POINTS + players + seat] = place


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays(
        (MOST_SEATS, 2, ROOM), (MOST_SEATS, 5), 8, MOST_SEATS, MOST_SEATS, (ROOM, 4), ROOM, ROOM
    )


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,  # noqa: ARG001
    words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any, table: Any,
    order: Any, deck: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        left = play_match(
            options, words, piles, seats, trick, laying, tied, table, order, deck, result, rows
        )
        finish(options, seats, trick, left, result)
        if rows.shape[0]:
            note(options, piles, seats, trick, laying, tied, table, deck, rows, result[PLIES])
        first += result[PLIES] + 1


VARIANTS: Final[dict[str, Variant]] = {
    "plain": ((), {}),
    "war": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_order": "random",
            "short_dispute": "loses",
        },
    ),
    "six": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_to": "bottom",
            "collect_order": "own_first",
            "low_beats_ace": "six",
            "leader": "fixed",
            "max_tricks": 500,
        },
    ),
    "eight": (
        (),
        {
            "players": 8,
            "deck": 54,
            "recycle": "shuffle",
            "jokers": "ranked",
            "leader": "rotate",
            "dispute": "mortgage",
            "max_tricks": 700,
        },
    ),
    "giveaway": (
        (),
        {
            "players": 3,
            "recycle": "lifo",
            "goal": "giveaway",
            "low_beats_ace": "lowest",
            "pace": "auto",
        },
    ),
}

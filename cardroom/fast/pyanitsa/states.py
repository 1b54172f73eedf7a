"""Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules."""

from collections.abc import Sequence
from typing import Any

import numpy

from cardroom.fast.compiling import inner
from cardroom.fast.pyanitsa.layout import (
    AT_LEVEL,
    BANK,
    DECK,
    DISPUTING,
    DRAW,
    HAS_MORTGAGE,
    HEAD,
    LAY_FROM,
    LAYING,
    OUT_IN,
    PLAYERS,
    ROOM,
    TABLE,
    TRICK_NO,
    TURN_LEADER,
    WON,
)
from cardroom.fast.tracing import note_cards
from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.options import PyanitsaOptions, low_rank
from cardroom.rules.pyanitsa.predicates import EQUAL_JOKERS, NO_RANK, RANKED_JOKERS
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.values import Setup


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

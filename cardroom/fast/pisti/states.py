"""Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules."""

from collections.abc import Sequence
from typing import Any

import numpy

from cardroom.fast.compiling import i64, inner, u64
from cardroom.fast.pisti.layout import (
    BOTTOM,
    CARDS,
    DEAL_NO,
    DOUBLES,
    FACE_DOWN,
    HEAP,
    HELD,
    LAST_CAPTURER,
    NONE,
    OVER,
    PILE,
    PLAYERS,
    PLAYS,
    SIDES,
    SINGLES,
    STARTER,
    STOCK,
    TO_PLAY,
    TOTAL,
)
from cardroom.fast.tracing import note_cards
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Setup

HALF = 26  # of the pack: a row's numbers are too small for a heap, which is a set of cards
LOW_HALF = (1 << HALF) - 1


@inner
def note(
    options: Any, deck: Any, pile: Any, facts: Any, seats: Any, hands: Any, trace: Any, ply: int
) -> None:
    """The whole state as ``row`` has it, into the trace."""
    out, players = trace[ply], options[PLAYERS]
    out[1] = facts[DEAL_NO]
    out[2] = (facts[STARTER] - 1) % players
    out[3] = facts[TO_PLAY]
    out[4] = facts[PLAYS]
    at = note_cards(out, 5, deck, facts[STOCK], CARDS)
    at = note_cards(out, at, pile, 0, facts[PILE])
    out[u64(at)] = facts[FACE_DOWN]
    out[u64(at + 1)] = facts[LAST_CAPTURER]
    out[u64(at + 2)] = facts[BOTTOM]
    out[u64(at + 3)] = i64(facts[OVER])
    at += 4
    for seat in range(players):
        heap = seats[seat, HEAP]
        out[u64(at)] = heap & LOW_HALF
        out[u64(at + 1)] = heap >> HALF
        out[u64(at + 2)] = seats[seat, HELD]
        at += 3
        for nth in range(seats[seat, HELD]):
            out[u64(at)] = (hands[seat] >> 8 * nth) & 255
            at += 1
    for side in range(options[SIDES]):
        for fact in (SINGLES, DOUBLES, TOTAL):
            out[u64(at)] = seats[side, fact]
            at += 1
    out[0] = at - 1


def encode(options: PistiOptions, _setups: Sequence[Setup]) -> Any:
    facts = [
        options.players,
        side_count(options),
        NONE if options.target_score is None else options.target_score,
        options.fixed_starter_seat if options.starter_rule == "fixed" else NONE,
        options.pisti_points,
        options.double_pisti_points,
        options.majority_points,
        options.last_card_pisti,
        options.bottom_card == "exposed",
    ]
    return numpy.array(facts, dtype=numpy.int64)


def row(state: PistiState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    stock, pile, last, bottom = state.stock, state.pile, state.last_capturer, state.bottom
    numbers = [state.deal_no, state.dealer, state.to_play, state.plays_made, len(stock), *stock]
    numbers += (len(pile), *pile, state.face_down, NONE if last is None else last)
    numbers += (NONE if bottom is None else bottom, state.over)
    for heap, hand in zip(state.heaps, state.hands, strict=True):
        numbers += (heap & LOW_HALF, heap >> HALF, len(hand), *hand)
    for side in zip(state.pistis, state.doubles, state.totals, strict=True):
        numbers += side
    return numbers

"""Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules."""

from collections.abc import Sequence
from typing import Any

import numpy

from games.fast.compiling import inner
from games.fast.shithead.layout import (
    BURNT,
    DEALER,
    DIRECTION,
    EACH,
    GAME_NO,
    HAND,
    NONE,
    PHASE,
    PILE,
    PLAYERS,
    READY,
    SEAT_PLACE,
    SHED,
    SIZE,
    STOCK,
    SUM,
    TIMES_SHED,
    TOP,
    TURN,
    TURNS,
)
from games.fast.tracing import note_cards
from games.rules.cards import pack
from games.rules.shithead.options import ShitheadOptions, cards_each, pack_size
from games.rules.shithead.predicates import NOTHING, ORDER, RANK_COUNT, allowed
from games.rules.shithead.state import ShitheadState
from games.rules.values import Setup


@inner
def note(
    options: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, trace: Any,
    ply: int,
) -> None:  # fmt: skip
    """The whole state as ``row`` has it, into the trace."""
    out, at = trace[ply], 1
    for fact in (GAME_NO, DEALER, DIRECTION, PHASE, TURN, TURNS):
        out[at] = facts[fact]
        at += 1
    at = note_cards(out, at, deck, facts[STOCK], options[SIZE])
    at = note_cards(out, at, pile, 0, facts[PILE])
    at = note_cards(out, at, burnt, 0, facts[BURNT])
    for seat in range(options[PLAYERS]):
        for fact in (HAND, TOP, SEAT_PLACE, READY, TIMES_SHED, SUM, SHED):
            out[at] = seats[seat, fact]
            at += 1
        for slot in range(options[EACH]):
            out[at] = hidden[seat, slot]
            at += 1
    out[0] = at - 1


def _allowed_on(options: ShitheadOptions, t: int) -> int:
    reset = options.joker_top == "reset"
    ranks = [rank for rank in range(RANK_COUNT) if allowed(rank, t, options.seven_lower, reset)]
    return sum(15 << 4 * rank for rank in ranks)


def encode(options: ShitheadOptions, _setups: Sequence[Setup]) -> Any:
    size = pack_size(options)
    facts = [
        options.players,
        options.games,
        size,
        cards_each(options),
        options.refill == "up_to_three",
        options.pickup == "voluntary",
        options.joker_top == "transparent",
        options.two_player_joker == "again",
        options.burn_through_threes,
        options.first_starter == "lowest_card",
        options.next_starter == "left_of_shed",
        options.exchange,
        NONE if options.max_turns is None else options.max_turns,
    ]
    may = [_allowed_on(options, t) for t in range(NOTHING, RANK_COUNT)]
    return numpy.array([*facts, *may, *(ORDER[card] for card in pack(size))], dtype=numpy.int64)


def row(state: ShitheadState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    phase = ("exchange", "play", "over").index(state.phase)
    turn = NONE if state.turn is None else state.turn
    found = [state.game_no, state.dealer, state.direction, phase, turn, state.turns]
    for cards in (state.stock, state.pile, state.burned):
        found += [len(cards), *(ORDER[card] for card in cards)]
    for seat, (hand, top, slots) in enumerate(
        zip(state.hands, state.tops, state.hidden, strict=True)
    ):
        found += [sum(1 << ORDER[card] for card in hand), sum(1 << ORDER[card] for card in top)]
        found += [state.places[seat], int(state.ready[seat])]
        found += [state.times_shed[seat], state.points[seat], int(seat in state.last_shed)]
        found += [NONE if card is None else ORDER[card] for card in slots]
    return found

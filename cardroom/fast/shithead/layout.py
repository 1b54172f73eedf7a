"""Which number means what: columns of results, encoded options, the arrays of a match.

Cards as bits of a number, and the pile (R11, R13).

Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import count_bits, inner
from cardroom.fast.kernel import Columns
from cardroom.rules.cards import JOKER, RANKS, THREE, pack
from cardroom.rules.shithead.bots.world import PLACE
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, pack_size
from cardroom.rules.shithead.predicates import NOTHING, ORDER, RANK_COUNT, allowed
from cardroom.rules.shithead.state import LOWEST_FIRST, ShitheadState
from cardroom.rules.values import Setup

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


@inner
def lowest_rank(cards: int) -> int:
    rank = 0
    while (cards >> 4 * rank) & 15 == 0:
        rank += 1
    return rank


@inner
def lowest_card(cards: int) -> int:
    card = 4 * lowest_rank(cards)
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@inner
def first_cards(cards: int, rank: int, count: int) -> int:
    """The first ``count`` cards of a rank, as a set."""
    chosen, card = 0, 4 * rank
    while count:
        if (cards >> card) & 1:
            chosen |= 1 << card
            count -= 1
        card += 1
    return chosen


@inner
def rank_to_beat(pile: Any, height: int, transparent: int) -> int:
    """R11."""
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank != THREE and not (transparent and rank == JOKER):
            return rank  # type: ignore[no-any-return]
    return NOTHING


@inner
def run_on_top(pile: Any, height: int, through: int) -> int:
    """R13: how many cards on top of the pile have one rank."""
    last, run = pile[height - 1] >> 2, 0
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank == last:
            run += 1
        elif not (through and rank == THREE):
            break
    return run


@inner
def cards_left(seats: Any, seat: int) -> int:
    return (  # type: ignore[no-any-return]
        count_bits(seats[seat, HAND]) + count_bits(seats[seat, TOP]) + seats[seat, HIDDEN]
    )


RULES_CARDS: Final = numpy.argsort(numpy.array(ORDER, dtype=numpy.int64))
PHASES: Final = {"exchange": IN_EXCHANGE, "play": IN_PLAY, "over": IS_OVER}


@inner
def note(
    options: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, trace: Any,
    ply: int,
) -> None:  # fmt: skip
    """The whole state as ``row`` has it, into the trace."""
    out, at, players = trace[ply], 1, options[PLAYERS]
    for fact in (GAME_NO, DEALER, DIRECTION, PHASE, TURNS, TURN):
        out[at] = facts[fact]
        at += 1
    at = note_rules_cards(out, at, deck, facts[STOCK], options[SIZE])
    at = note_rules_cards(out, at, pile, 0, facts[PILE])
    at = note_rules_cards(out, at, burnt, 0, facts[BURNT])
    for fact in (SEAT_PLACE, READY, TIMES_SHED, SUM, SWAPS_LEFT):
        for seat in range(players):
            out[at] = seats[seat, fact]
            at += 1
    shed = at
    at += 1
    for seat in range(players):
        if seats[seat, SHED]:
            out[at] = seat
            at += 1
    out[shed] = at - shed - 1
    for seat in range(players):
        for fact in (HAND, TOP):
            at = note_set(out, at, seats[seat, fact])
        for slot in range(options[EACH]):
            card = hidden[seat, slot]
            out[at] = NONE if card < 0 else RULES_CARDS[card]
            at += 1
    out[0] = at - 1


@inner
def note_rules_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """``note_cards`` by the numbers that the rules give them."""
    out[at] = last - first
    at += 1
    for nth in range(first, last):
        out[at] = RULES_CARDS[cards[nth]]
        at += 1
    return at


@inner
def note_set(out: Any, at: int, cards: int) -> int:
    """A set of cards in the order of the rules: how many and which; the next place."""
    first = at
    at += 1
    while cards:
        out[at] = RULES_CARDS[lowest_card(cards)]
        cards &= cards - 1
        at += 1
    out[first] = at - first - 1
    return at


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
    turn, stock, pile, burned = state.turn, state.stock, state.pile, state.burned
    numbers = [state.game_no, state.dealer, state.direction, PHASES[state.phase], state.turns]
    numbers += (NONE if turn is None else turn, len(stock), *stock, len(pile), *pile)
    numbers += (len(burned), *burned, *state.places, *state.ready, *state.times_shed)
    numbers += (*state.points, *(state.swaps_left or ()), len(state.last_shed), *state.last_shed)
    for hand, top, slots in zip(state.hands, state.tops, state.hidden, strict=True):
        numbers += (len(hand), *hand, len(top), *top)
        numbers += [NONE if card is None else card for card in slots]
    return numbers

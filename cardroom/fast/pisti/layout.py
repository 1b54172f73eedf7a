"""Which number means what: result columns, encoded options, the arrays of a match.

Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules.

The deal and its hands (R5 to R9, R16).
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import i64, inner, note_cards, shuffle, u64
from cardroom.fast.kernel import Columns
from cardroom.rules.pisti import predicates
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Setup

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


is_jack = inner(predicates.is_jack)


@inner
def fresh_deck(options: Any, words: Any, deck: Any) -> None:
    for card in range(CARDS):
        deck[card] = card
    shuffle(words, deck, 0, CARDS)
    if options[EXPOSED]:  # the non-jack nearest the bottom goes last
        at = CARDS - 1
        while is_jack(deck[at]):
            at -= 1
        card = deck[at]
        for place in range(at, CARDS - 1):
            deck[place] = deck[place + 1]
        deck[CARDS - 1] = card


@inner
def only_jacks(deck: Any, first: int) -> bool:
    count = 0
    for at in range(first, first + HAND):
        count += is_jack(deck[at])
    return count == HAND


@inner
def deal(
    options: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any, result: Any
) -> None:
    """The centre of a deal and who starts it (R5 to R9)."""
    players = options[PLAYERS]
    centre = HAND * players if players == 2 else 0
    fresh_deck(options, words, deck)
    while only_jacks(deck, centre):  # R8
        result[HAND_DEALT] += players
        result[CENTRE_DEALT] += 1
        result[REDEAL] += 1
        fresh_deck(options, words, deck)
    result[STARTED] += 1
    result[CENTRE_DEALT] += 1
    for at in range(HAND):
        pile[at] = deck[centre + at]
    while is_jack(pile[HAND - 1]):  # R7
        jack = pile[HAND - 1]
        for at in range(HAND - 1, 0, -1):
            pile[at] = pile[at - 1]
        pile[0] = jack
        result[BURIED] += 1
    facts[PLAYS] = 0
    facts[PILE] = HAND
    facts[PILE_CARDS] = 0
    for at in range(HAND):
        facts[PILE_CARDS] |= 1 << pile[at]
    facts[FACE_DOWN] = HAND - 1
    facts[LAST_CAPTURER] = NONE
    facts[BOTTOM] = deck[CARDS - 1] if options[EXPOSED] else NONE
    for seat in range(players):
        seats[seat, HEAP] = seats[seat, SINGLES] = seats[seat, DOUBLES] = 0
    facts[STARTER] = (facts[DEAL_NO] - 1) % players if options[FIXED] < 0 else options[FIXED]
    facts[TO_PLAY] = facts[STARTER]


@inner
def deal_hands(
    options: Any, deck: Any, first: int, facts: Any, seats: Any, hands: Any, result: Any
) -> None:
    """Four cards for every seat in packets, the starter's first (R5, R16).

    A hand is one number, the first card in its lowest eight bits.
    """
    players, at, seat = options[PLAYERS], first, facts[STARTER]
    for _ in range(players):
        hand = 0
        for nth in range(HAND):
            hand |= deck[u64(at + nth)] << 8 * nth
        hands[u64(seat)] = hand
        seats[u64(seat), HELD] = HAND
        at += HAND
        seat = seat + 1 if seat + 1 < players else 0
    result[HAND_DEALT] += players


@inner
def open_deal(
    options: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any, hands: Any, result: Any
) -> None:
    """The next deal of a match, with its first hands (R5 to R9)."""
    players = options[PLAYERS]
    facts[DEAL_NO] += 1
    deal(options, words, deck, pile, facts, seats, result)
    deal_hands(options, deck, 0 if players == 2 else HAND, facts, seats, hands, result)
    facts[STOCK] = HAND * players + HAND


@inner
def deal_from_stock(
    options: Any, deck: Any, facts: Any, seats: Any, hands: Any, result: Any
) -> None:
    """The next hands of a deal (R16)."""
    deal_hands(options, deck, facts[STOCK], facts, seats, hands, result)
    facts[STOCK] += HAND * options[PLAYERS]

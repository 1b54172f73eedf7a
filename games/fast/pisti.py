"""Pişti compiled: whole matches, R1 to R28 with every option of the rules.

The policies ``random`` and ``greedy`` play exactly as the bots of these names. ``show_counts``
changes nothing here, as neither looks at what it shows.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from games.fast.bits import count_bits
from games.fast.compiling import i64, inner, outer
from games.fast.kernel import Columns, Kernel, Variant
from games.fast.stream import below, shuffle
from games.rules.cards import ACE, JACK
from games.rules.pisti import predicates
from games.rules.pisti.options import PistiOptions, side_count
from games.rules.pisti.predicates import (
    ACES,
    JACKS,
    NO_BONUS,
    PLAYS_PER_DEAL,
    SINGLE,
    TEN_DIAMONDS,
    TWO_CLUBS,
)
from games.rules.pisti.state import PistiState
from games.rules.values import Setup

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

captures = inner(predicates.captures)
bonus = inner(predicates.bonus)
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
    """The opening of a deal (R5 to R9) but for the hands, which come from place STOCK on."""
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
def deal_hands(options: Any, deck: Any, first: int, facts: Any, seats: Any, hands: Any) -> None:
    """Four cards for every seat in packets, the starter's first (R5, R16).

    A hand is one number, the first card in its lowest eight bits.
    """
    players, at, seat = options[PLAYERS], first, facts[STARTER]
    for _ in range(players):
        hand = 0
        for nth in range(HAND):
            hand |= deck[at + nth] << 8 * nth
        hands[seat] = hand
        seats[seat, HELD] = HAND
        at += HAND
        seat = seat + 1 if seat + 1 < players else 0


@inner
def choose(policy: int, hand: int, size: int, pile: Any, height: int, words: Any) -> int:
    """The place in the hand of the card to play; a single card is no choice."""
    if size == 1:
        return 0
    if policy == RANDOM:
        return below(words, size)
    top = pile[height - 1] % 13 if height else NONE
    for nth in range(size):
        rank = ((hand >> 8 * nth) & 255) % 13
        if rank == top or (height == 0 and rank != JACK and rank != ACE):
            return nth
    return size - 1


@inner
def put_down(
    options: Any, seat: int, card: int, pile: Any, facts: Any, seats: Any, result: Any
) -> None:
    """A card captures or lies on the pile (R11 to R21)."""
    height = facts[PILE]
    facts[PLAYS] += 1
    if height == 0 or not captures(card, pile[height - 1]):
        pile[height] = card
        facts[PILE] = height + 1
        facts[PILE_CARDS] |= 1 << card
        return
    seats[seat, HEAP] |= facts[PILE_CARDS] | 1 << card
    facts[PILE] = facts[PILE_CARDS] = facts[FACE_DOWN] = 0
    facts[LAST_CAPTURER] = seat
    result[CAPTURED] += 1
    if height > 1 or (facts[PLAYS] == PLAYS_PER_DEAL and not options[LAST_CARD]):  # R19
        return
    kind = bonus(card, pile[0], 1)
    if kind != NO_BONUS:
        side = seat % options[SIDES]
        seats[side, SINGLES if kind == SINGLE else DOUBLES] += 1
        result[PISTI] += 1


@inner
def play_batch_of_hands(
    options: Any, policies: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any,
    hands: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    """Every seat plays its four cards."""
    players, seat = options[PLAYERS], facts[STARTER]
    for size in range(HAND, 0, -1):
        for _ in range(players):
            if trace.shape[0]:
                ply = result[PLIES] + facts[PLAYS]
                note(options, deck, pile, facts, seats, hands, trace, ply)
            hand = hands[seat]
            at = choose(policies[seat], hand, size, pile, facts[PILE], words)
            card = (hand >> 8 * at) & 255
            before = (1 << 8 * at) - 1
            hands[seat] = (hand & before) | ((hand >> 8) & ~before)
            seats[seat, HELD] = size - 1
            put_down(options, seat, card, pile, facts, seats, result)
            seat = seat + 1 if seat + 1 < players else 0
            facts[TO_PLAY] = seat


@inner
def score(options: Any, facts: Any, seats: Any, result: Any) -> None:
    """The leftover pile and the points of the deal (R22 to R24)."""
    last, players, sides = facts[LAST_CAPTURER], options[PLAYERS], options[SIDES]
    if last >= 0 and facts[PILE]:
        seats[last, HEAP] |= facts[PILE_CARDS]
        facts[PILE] = facts[PILE_CARDS] = facts[FACE_DOWN] = 0
        result[LEFTOVER] += 1
    most, leader = NONE, NONE
    for side in range(sides):
        heap = seats[side, HEAP]
        if players > sides:
            heap |= seats[side + sides, HEAP]
        count = count_bits(heap)
        if count == most:
            leader = NONE
        elif count > most:
            most, leader = count, side
        points = count_bits(heap & (JACKS | ACES))
        points += 2 * ((heap & TWO_CLUBS) != 0) + 3 * ((heap & TEN_DIAMONDS) != 0)
        points += options[SINGLE_POINTS] * seats[side, SINGLES]
        seats[side, TOTAL] += points + options[DOUBLE_POINTS] * seats[side, DOUBLES]
    if leader >= 0:
        seats[leader, TOTAL] += options[MAJORITY]


@inner
def is_decided(options: Any, seats: Any) -> bool:
    """R27, R28."""
    best, shared = NONE, False
    for side in range(options[SIDES]):
        total = seats[side, TOTAL]
        if total >= best:
            best, shared = total, total == best
    return options[TARGET] < 0 or (best >= options[TARGET] and not shared)


@inner
def play_match(
    options: Any, policies: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any,
    hands: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    players = options[PLAYERS]
    facts[DEAL_NO] = facts[OVER] = 0
    for side in range(options[SIDES]):
        seats[side, TOTAL] = 0
    while not facts[OVER]:
        facts[DEAL_NO] += 1
        deal(options, words, deck, pile, facts, seats, result)
        first = 0 if players == 2 else HAND
        facts[STOCK] = HAND * players + HAND
        while True:
            deal_hands(options, deck, first, facts, seats, hands)
            result[HAND_DEALT] += players
            play_batch_of_hands(
                options, policies, words, deck, pile, facts, seats, hands, result, trace
            )
            if facts[STOCK] == CARDS:
                break
            first = facts[STOCK]
            facts[STOCK] += HAND * players
        score(options, facts, seats, result)
        facts[OVER] = is_decided(options, seats)
        result[PLIES] += PLAYS_PER_DEAL


@inner
def finish(options: Any, facts: Any, seats: Any, result: Any) -> None:
    players, sides, deals = options[PLAYERS], options[SIDES], facts[DEAL_NO]
    result[0] = options[TARGET] < 0
    result[ROUNDS] = result[SCORED] = deals
    result[PLAYED] = result[PLIES]
    result[PISTIS] = result[PISTI]
    result[MATCH_OVER] = 1
    for side in range(sides):
        result[POINTS + side] = seats[side, TOTAL]
    for seat in range(players):
        place = 1
        for other in range(sides):
            place += seats[other, TOTAL] > seats[seat % sides, TOTAL]
        result[POINTS + sides + seat] = place


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
    out[5] = CARDS - facts[STOCK]
    at = 6
    for nth in range(facts[STOCK], CARDS):
        out[at] = deck[nth]
        at += 1
    out[at] = facts[PILE]
    at += 1
    for nth in range(facts[PILE]):
        out[at] = pile[nth]
        at += 1
    out[at] = facts[FACE_DOWN]
    out[at + 1] = facts[LAST_CAPTURER]
    out[at + 2] = facts[BOTTOM]
    out[at + 3] = i64(facts[OVER])
    at += 4
    for seat in range(players):
        out[at] = seats[seat, HEAP]
        out[at + 1] = seats[seat, HELD]
        at += 2
        for nth in range(seats[seat, HELD]):
            out[at] = (hands[seat] >> 8 * nth) & 255
            at += 1
    for side in range(options[SIDES]):
        for fact in (SINGLES, DOUBLES, TOTAL):
            out[at] = seats[side, fact]
            at += 1
    out[0] = at - 1


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    shapes = (64, 64, 11, (HAND, 5), HAND)
    arrays = [numpy.zeros(shape, dtype=numpy.int64) for shape in shapes]
    return (numpy.zeros(2, dtype=numpy.uint64), *arrays)


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,
    words: Any, deck: Any, pile: Any, facts: Any, seats: Any, hands: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        play_match(options, policies, words, deck, pile, facts, seats, hands, result, rows)
        finish(options, facts, seats, result)
        if rows.shape[0]:
            note(options, deck, pile, facts, seats, hands, rows, result[PLIES])
        first += result[PLIES] + 1


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


def uncovered(_options: PistiOptions) -> str:
    return ""


def row(state: PistiState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    found = [state.deal_no, state.dealer, state.to_play, state.plays_made]
    found += [len(state.stock), *state.stock, len(state.pile), *state.pile, state.face_down]
    found.append(NONE if state.last_capturer is None else state.last_capturer)
    found.append(NONE if state.bottom is None else state.bottom)
    found.append(int(state.over))
    for heap, hand in zip(state.heaps, state.hands, strict=True):
        found += [heap, len(hand), *hand]
    for side in zip(state.pistis, state.doubles, state.totals, strict=True):
        found += side
    return found


def players_of(options: PistiOptions) -> int:
    return options.players


VARIANTS: Final[dict[str, Variant]] = {
    "random": (("random",), {}),
    "greedy": (("greedy", "random"), {}),
    "four": (("random", "greedy"), {"players": 4, "pisti_points": 7, "last_card_pisti": True}),
    "three": (
        ("random",),
        {
            "players": 3,
            "target_score": 60,
            "starter_rule": "fixed",
            "fixed_starter_seat": 2,
            "double_pisti_points": 3,
            "majority_points": 9,
        },
    ),
    "partnership": (("greedy", "random"), {"players": 4, "teams": True, "bottom_card": "exposed"}),
    "single": (("random",), {"target_score": None, "show_counts": False}),
}

KERNEL: Final = Kernel(
    slug="pisti",
    columns=COLUMNS,
    policies={"random": RANDOM, "greedy": GREEDY},
    encode=encode,
    uncovered=uncovered,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=100,
    sides=side_count,
    seats=players_of,
    variants=VARIANTS,
)

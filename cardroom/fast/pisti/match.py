"""Whole matches of Pişti on arrays of its own: heaps are sets of cards, hands bytes of a number.

It stays beside the world of the search for a million deals a second: 2.05 million at random, with
all that states and events need, where the compiled world, which keeps neither, plays 1.50 million.
``note`` writes a match as ``row`` reads a state of the rules.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import (
    BOTS,
    below_from,
    count_bits,
    i64,
    inner,
    note_cards,
    outer,
    shuffle,
    u64,
)
from cardroom.fast.kernel import Columns, Variant, work_arrays
from cardroom.rules.cards import ACE, JACK
from cardroom.rules.pisti import predicates
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.predicates import (
    ACES,
    JACKS,
    NO_BONUS,
    PLAYS_PER_DEAL,
    SINGLE,
    TEN_DIAMONDS,
    TWO_CLUBS,
)
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
# Places in the row of every seat, and of every side.
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
def draw(options: Any, policies: Any, starter: int, words: Any) -> int:
    """The plays of the random seats from the hands just dealt; a single card is no choice.

    Two bits a ply, the first ply in the lowest: the place in the hand.
    """
    players, drawn, ply, word = options[PLAYERS], 0, 0, u64(words[BOTS])
    for size in range(HAND, 1, -1):
        seat = starter
        for _ in range(players):
            if policies[u64(seat)] == RANDOM:
                at, word = below_from(word, size)
                drawn |= at << ply
            ply += 2
            seat = seat + 1 if seat + 1 < players else 0
    words[BOTS] = word
    return drawn


@inner
def choose(hand: int, size: int, pile: Any, height: int) -> int:
    """The place in the hand of the card that ``greedy`` plays."""
    if size == 1:
        return 0
    top_rank = pile[height - 1] % 13 if height else NONE
    for nth in range(size):
        rank = ((hand >> 8 * nth) & 255) % 13
        if rank == top_rank or (height == 0 and rank != JACK and rank != ACE):
            return nth
    return size - 1


bonus = inner(predicates.bonus)

# By the top card of the pile: the set of cards that capture it.
TAKERS: Final = numpy.array(
    [
        sum(1 << card for card in predicates.PACK if predicates.captures(card, top))
        for top in predicates.PACK
    ],
    dtype=numpy.int64,
)


@inner
def lay(
    options: Any, seat: int, card: int, pile: Any, height: int, lying: int, takers: int, last: int,
    plays: int, seats: Any, result: Any,
) -> tuple[int, int, int, int]:  # fmt: skip
    """A card captures or lies on the pile (R11 to R21); the four that describe the pile after it.

    ``height`` cards lie there, ``lying`` is their set, ``takers`` the set of cards that would
    capture them; ``last`` captured last.
    """
    lying |= 1 << card
    if not (takers >> card) & 1:
        pile[height] = card
        return height + 1, lying, TAKERS[u64(card)], last
    seats[u64(seat), HEAP] |= lying
    result[CAPTURED] += 1
    if height == 1 and (plays < PLAYS_PER_DEAL or options[LAST_CARD]):  # R19
        count_bonus(options, seat, bonus(card, pile[0], 1), seats, result)
    return 0, 0, 0, seat


@inner
def count_bonus(options: Any, seat: int, kind: int, seats: Any, result: Any) -> None:
    if kind != NO_BONUS:
        side = seat % options[SIDES]
        seats[side, SINGLES if kind == SINGLE else DOUBLES] += 1
        result[PISTI] += 1


@inner
def takers_of(pile: Any, height: int) -> int:
    return TAKERS[u64(pile[height - 1])] if height else 0


@inner
def keep(facts: Any, height: int, lying: int, last: int, plays: int) -> None:
    facts[PILE], facts[PILE_CARDS], facts[LAST_CAPTURER] = height, lying, last
    facts[PLAYS] = plays
    if last != NONE:
        facts[FACE_DOWN] = 0


@inner
def put_down(
    options: Any, seat: int, card: int, pile: Any, facts: Any, seats: Any, result: Any
) -> None:
    """``lay`` with everything in ``facts``."""
    height, plays = facts[PILE], facts[PLAYS] + 1
    height, lying, _, last = lay(
        options, seat, card, pile, height, facts[PILE_CARDS], takers_of(pile, height),
        facts[LAST_CAPTURER], plays, seats, result,
    )  # fmt: skip
    keep(facts, height, lying, last, plays)


@inner
def without(hand: int, at: int) -> int:
    """The hand that is left when the card at a place of it is played."""
    before = (1 << 8 * at) - 1
    return (hand & before) | ((hand >> 8) & ~before)


@inner
def play_batch_of_hands(
    options: Any, policies: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any,
    hands: Any, result: Any, trace: Any, traced: Any,
) -> None:  # fmt: skip
    """Every seat plays its four cards.

    The changes by a card are kept in variables; ``facts`` and HELD are written where they are read:
    after the last card, and before each one if ``traced``. The caller gives that as a constant, so
    that the loop of an untraced match is compiled without the code that writes states.
    """
    players, seat, plays = options[PLAYERS], facts[STARTER], facts[PLAYS]
    height, lying, last = facts[PILE], facts[PILE_CARDS], facts[LAST_CAPTURER]
    takers = takers_of(pile, height)
    drawn = draw(options, policies, seat, words)
    for size in range(HAND, 0, -1):
        for _ in range(players):
            if traced:
                facts[TO_PLAY] = seat
                keep(facts, height, lying, last, plays)
                note(options, deck, pile, facts, seats, hands, trace, result[PLIES] + plays)
            hand = hands[u64(seat)]
            at = drawn & 3
            drawn >>= 2
            if policies[u64(seat)] != RANDOM:
                at = choose(hand, size, pile, height)
            card = (hand >> 8 * at) & 255
            hands[u64(seat)] = without(hand, at)
            if traced:
                seats[seat, HELD] = size - 1
            plays += 1
            height, lying, takers, last = lay(
                options, seat, card, pile, height, lying, takers, last, plays, seats, result
            )
            seat = seat + 1 if seat + 1 < players else 0
    facts[TO_PLAY] = seat
    keep(facts, height, lying, last, plays)


@inner
def open_match(options: Any, facts: Any, seats: Any) -> None:
    facts[DEAL_NO] = facts[OVER] = 0
    for side in range(options[SIDES]):
        seats[side, TOTAL] = 0


@inner
def play_match(
    options: Any, policies: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any,
    hands: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    open_match(options, facts, seats)
    while not facts[OVER]:
        open_deal(options, words, deck, pile, facts, seats, hands, result)
        while True:
            if trace.shape[0]:  # two copies of it: see there
                play_batch_of_hands(
                    options, policies, words, deck, pile, facts, seats, hands, result, trace, True
                )
            else:
                play_batch_of_hands(
                    options, policies, words, deck, pile, facts, seats, hands, result, trace, False
                )
            if facts[STOCK] == CARDS:
                break
            deal_from_stock(options, deck, facts, seats, hands, result)
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


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays(64, 64, 11, (HAND, 5), HAND)


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

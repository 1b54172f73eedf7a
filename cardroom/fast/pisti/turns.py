"""A card from the hand: what it captures and which bonus it brings (R11 to R21).

How a deal is scored, and whether it decides the match (R22 to R24, R27, R28).

The move of each bot that the kernel plays.
"""

from typing import Any, Final

import numpy

from cardroom.fast.compiling import BOTS, below_from, count_bits, inner, u64
from cardroom.fast.pisti.layout import (
    CAPTURED,
    DOUBLE_POINTS,
    DOUBLES,
    FACE_DOWN,
    HAND,
    HEAP,
    HELD,
    LAST_CAPTURER,
    LAST_CARD,
    LEFTOVER,
    MAJORITY,
    NONE,
    PILE,
    PILE_CARDS,
    PISTI,
    PLAYERS,
    PLAYS,
    PLIES,
    RANDOM,
    SIDES,
    SINGLE_POINTS,
    SINGLES,
    STARTER,
    TARGET,
    TO_PLAY,
    TOTAL,
    note,
)
from cardroom.rules.cards import ACE, JACK
from cardroom.rules.pisti import predicates
from cardroom.rules.pisti.predicates import (
    ACES,
    JACKS,
    NO_BONUS,
    PLAYS_PER_DEAL,
    SINGLE,
    TEN_DIAMONDS,
    TWO_CLUBS,
)


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
    """What the random seats will play of the hands just dealt; a single card is no choice.

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

    What a card changes is kept in variables; ``facts`` and HELD are written where they are read:
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

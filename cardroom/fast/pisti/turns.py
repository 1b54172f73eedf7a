"""A card from the hand: what it captures and which bonus it brings (R11 to R21)."""

from typing import Any, Final

import numpy

from cardroom.fast.compiling import inner, u64
from cardroom.fast.pisti.layout import (
    CAPTURED,
    DOUBLES,
    FACE_DOWN,
    HAND,
    HEAP,
    HELD,
    LAST_CAPTURER,
    LAST_CARD,
    NONE,
    PILE,
    PILE_CARDS,
    PISTI,
    PLAYERS,
    PLAYS,
    PLIES,
    RANDOM,
    SIDES,
    SINGLES,
    STARTER,
    TO_PLAY,
)
from cardroom.fast.pisti.policies import choose, draw
from cardroom.fast.pisti.states import note
from cardroom.rules.pisti import predicates
from cardroom.rules.pisti.predicates import NO_BONUS, PLAYS_PER_DEAL, SINGLE

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

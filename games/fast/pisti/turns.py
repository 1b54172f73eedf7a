"""A card from the hand: what it captures and which bonus it brings (R11 to R21)."""

from typing import Any

from games.fast.compiling import inner
from games.fast.pisti.layout import (
    CAPTURED,
    DOUBLES,
    FACE_DOWN,
    HAND,
    HEAP,
    HELD,
    LAST_CAPTURER,
    LAST_CARD,
    PILE,
    PILE_CARDS,
    PISTI,
    PLAYERS,
    PLAYS,
    PLIES,
    SIDES,
    SINGLES,
    STARTER,
    TO_PLAY,
)
from games.fast.pisti.policies import choose
from games.fast.pisti.states import note
from games.rules.pisti import predicates
from games.rules.pisti.predicates import NO_BONUS, PLAYS_PER_DEAL, SINGLE

captures = inner(predicates.captures)
bonus = inner(predicates.bonus)


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
def without(hand: int, at: int) -> int:
    """The hand that is left when the card at a place of it is played."""
    before = (1 << 8 * at) - 1
    return (hand & before) | ((hand >> 8) & ~before)


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
            hands[seat] = without(hand, at)
            seats[seat, HELD] = size - 1
            put_down(options, seat, card, pile, facts, seats, result)
            seat = seat + 1 if seat + 1 < players else 0
            facts[TO_PLAY] = seat

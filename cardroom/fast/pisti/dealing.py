"""The deal and its hands (R5 to R9, R16)."""

from typing import Any

from cardroom.fast.compiling import inner, u64
from cardroom.fast.pisti.layout import (
    BOTTOM,
    BURIED,
    CARDS,
    CENTRE_DEALT,
    DEAL_NO,
    DOUBLES,
    EXPOSED,
    FACE_DOWN,
    FIXED,
    HAND,
    HAND_DEALT,
    HEAP,
    HELD,
    LAST_CAPTURER,
    NONE,
    PILE,
    PILE_CARDS,
    PLAYERS,
    PLAYS,
    REDEAL,
    SINGLES,
    STARTED,
    STARTER,
    STOCK,
    TO_PLAY,
)
from cardroom.fast.stream import shuffle
from cardroom.rules.pisti import predicates

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

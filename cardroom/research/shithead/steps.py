"""The matches of ``batch`` in compiled code: dealing, playing, what a seat sees.

All of it is in one file: Numba compiles again what it keeps on the disk when this file changes, or
any of ``cardroom.fast`` and ``cardroom.rules``.
"""

from itertools import combinations
from typing import Any, Final

import numpy

from cardroom.fast.compiling import BOTS, DECKS, begin, count_bits, inner, outer
from cardroom.fast.shithead import layout
from cardroom.fast.shithead.batch import finish, score_game
from cardroom.fast.shithead.layout import (
    RULES_CARDS,
    first_cards,
    lowest_card,
    lowest_rank,
    rank_to_beat,
)
from cardroom.fast.shithead.turns import open_game, open_play, take_turn
from cardroom.rules.cards import TEXT
from cardroom.rules.encoding import MOST
from cardroom.rules.shithead import encoding as places
from cardroom.rules.shithead.predicates import (
    BLIND,
    NOTHING,
    ORDER,
    PICKUP,
    RANK_COUNT,
    READY,
    SWAP,
)

_NUMBERS: Final = {text: number for number, text in enumerate(places.ACTIONS.texts)}
READY_ACTION, PICKUP_ACTION, FIRST_BLIND = _NUMBERS[READY], _NUMBERS[PICKUP], _NUMBERS[BLIND[0]]
FIRST_CARDS: Final = _NUMBERS[TEXT[0]]
FIRST_SWAP: Final = _NUMBERS[SWAP[0][1]]
CARDS: Final = len(TEXT)
SUITS: Final = 4


def _sets() -> tuple[Any, Any]:
    """By rank and set of its four cards the action, by action the cards of the kernel as a set."""
    of_rank = numpy.zeros((RANK_COUNT, 1 << SUITS), dtype=numpy.int64)
    of_action = numpy.zeros(len(places.ACTIONS.texts), dtype=numpy.int64)
    text_of = {ORDER[card]: TEXT[card] for card in range(CARDS)}
    for rank in range(RANK_COUNT):
        cards = [SUITS * rank + suit for suit in range(SUITS) if SUITS * rank + suit in text_of]
        for count in range(1, len(cards) + 1):
            for chosen in combinations(cards, count):
                action = _NUMBERS[" ".join(text_of[card] for card in chosen)]
                of_rank[rank, sum(1 << card - SUITS * rank for card in chosen)] = action
                of_action[action] = sum(1 << card for card in chosen)
    return of_rank, of_action


ACTION_OF_SET, SET_OF_ACTION = _sets()
# Of every swap the card of the hand and the top card, as the kernel numbers them.
SWAPPED: Final = numpy.zeros((len(places.ACTIONS.texts), 2), dtype=numpy.int64)
for _hand in range(CARDS):
    for _top in range(CARDS):
        if _hand != _top:
            SWAPPED[_NUMBERS[SWAP[_hand][_top]]] = ORDER[_hand], ORDER[_top]


@inner
def open_if_ready(options: Any, facts: Any, seats: Any, result: Any) -> None:
    """The first turn, once every seat is ready."""
    for seat in range(options[layout.PLAYERS]):
        if not seats[seat, layout.READY]:
            return
    open_play(options, facts, seats, result)


@outer
def deal(
    options: Any, starts: Any, numbers: Any, lanes: Any, words: Any, deck: Any, hidden: Any,
    pile: Any, burnt: Any, facts: Any, seats: Any, acting: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(numbers.shape[0]):
        if not lanes[at]:
            continue
        begin(words[at], DECKS, starts[at, DECKS], numbers[at])
        begin(words[at], BOTS, starts[at, BOTS], numbers[at])
        facts[at, layout.GAME_NO] = 0
        for seat in range(options[layout.PLAYERS]):
            seats[at, seat, layout.TIMES_SHED] = seats[at, seat, layout.SUM] = 0
            seats[at, seat, layout.SHED] = 0
        open_game(options, words[at], deck[at], hidden[at], facts[at], seats[at], 0, results[at])
        open_if_ready(options, facts[at], seats[at], results[at])


@inner
def exchange(options: Any, action: int, facts: Any, seats: Any, result: Any) -> None:
    """R5: the lowest seat that is not ready swaps or is ready."""
    seat = 0
    while seats[seat, layout.READY]:
        seat += 1
    if action == READY_ACTION:
        seats[seat, layout.READY] = 1
        open_if_ready(options, facts, seats, result)
        return
    cards = 1 << SWAPPED[action, 0] | 1 << SWAPPED[action, 1]
    seats[seat, layout.HAND] ^= cards
    seats[seat, layout.TOP] ^= cards
    seats[seat, layout.SWAPS_LEFT] -= 1


@inner
def choose(action: int, facts: Any, seats: Any) -> None:
    """The action as the kernel writes it: KIND, FROM_SOURCE and FROM_TOP."""
    hand, cards = seats[facts[layout.TURN], layout.HAND], SET_OF_ACTION[action]
    if action == PICKUP_ACTION:
        facts[layout.KIND] = layout.PICKUP
    elif action < FIRST_CARDS:
        facts[layout.KIND], facts[layout.FROM_SOURCE] = layout.BLIND, action - FIRST_BLIND
    else:
        facts[layout.KIND] = layout.CARDS
        facts[layout.FROM_SOURCE] = cards & hand if hand else cards
        facts[layout.FROM_TOP] = cards & ~hand if hand else 0


@outer
def play(
    actions: Any, lanes: Any, over: Any, options: Any, words: Any, deck: Any, hidden: Any,
    pile: Any, burnt: Any, facts: Any, seats: Any, acting: Any, results: Any,
) -> None:  # fmt: skip
    for at in range(actions.shape[0]):
        over[at] = False
        if not lanes[at]:
            continue
        fact, result = facts[at], results[at]
        if fact[layout.PHASE] == layout.IN_EXCHANGE:
            exchange(options, actions[at], fact, seats[at], result)
            continue
        choose(actions[at], fact, seats[at])
        if not take_turn(
            options, deck[at], hidden[at], pile[at], burnt[at], fact, seats[at], result
        ):
            continue
        first = score_game(options, fact, seats[at], acting[at], result)
        if fact[layout.GAME_NO] == options[layout.GAMES]:
            finish(options, seats[at], result)
            over[at] = True
            continue
        open_game(options, words[at], deck[at], hidden[at], fact, seats[at], first, result)
        open_if_ready(options, fact, seats[at], result)


@outer
def look(
    options: Any, public: Any, who: Any, observations: Any, masks: Any, words: Any, deck: Any,  # noqa: ARG001
    hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, acting: Any, results: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        own, out, mask, fact = max(0, who[at]), observations[at], masks[at], facts[at]
        out[:] = 0
        mask[:] = 0
        for nth in range(public.shape[0]):
            out[places.OPTIONS + nth] = public[nth]
        see_own(options, own, out, hidden[at], seats[at])
        see_seats(options, own, out, seats[at])
        see_turn(options, own, out, fact, seats[at])
        see_pile(options, out, pile[at], burnt[at], fact)
        if fact[layout.PHASE] == layout.IN_EXCHANGE:
            if not seats[at, own, layout.READY]:
                allow_swaps(own, mask, seats[at])
        elif fact[layout.TURN] == own:
            allow(options, own, mask, hidden[at], pile[at], fact, seats[at])


@inner
def allow_swaps(own: int, mask: Any, seats: Any) -> None:
    mask[READY_ACTION] = 1
    if seats[own, layout.SWAPS_LEFT] <= 0:
        return
    hand = seats[own, layout.HAND]
    while hand:
        card = RULES_CARDS[lowest_card(hand)]
        hand &= hand - 1
        tops = seats[own, layout.TOP]
        while tops:
            top = RULES_CARDS[lowest_card(tops)]
            tops &= tops - 1
            mask[FIRST_SWAP + card * (CARDS - 1) + top - (top > card)] = 1


@inner
def allow(
    options: Any, own: int, mask: Any, hidden: Any, pile: Any, facts: Any, seats: Any
) -> None:
    """§3: a representative for every rank and number, then ``pickup`` where it is legal."""
    hand, top = seats[own, layout.HAND], seats[own, layout.TOP]
    source = hand or top
    if source == 0:
        for slot in range(options[layout.EACH]):
            if hidden[own, slot] >= 0:
                mask[FIRST_BLIND + slot] = 1
        return
    t = rank_to_beat(pile, facts[layout.PILE], options[layout.TRANSPARENT])
    may = source & options[layout.ALLOWED + 1 + t]
    for rank in range(RANK_COUNT):
        cards, chosen = (may >> SUITS * rank) & 15, 0
        for suit in range(SUITS):
            if (cards >> suit) & 1:
                chosen |= 1 << suit
                mask[ACTION_OF_SET[rank, chosen]] = 1
    if may and hand and top and hand & ~(15 << SUITS * lowest_rank(hand)) == 0:  # R9
        rank = lowest_rank(hand)
        extras = count_bits(top & (15 << SUITS * rank))
        for count in range(1, extras + 1):
            cards = hand | first_cards(top, rank, count)
            mask[ACTION_OF_SET[rank, (cards >> SUITS * rank) & 15]] = 1
    if facts[layout.PILE] and (may == 0 or options[layout.VOLUNTARY]):
        mask[PICKUP_ACTION] = 1


@inner
def see_own(options: Any, own: int, out: Any, hidden: Any, seats: Any) -> None:
    cards = seats[own, layout.HAND]
    while cards:
        out[places.HAND + RULES_CARDS[lowest_card(cards)]] = 1
        cards &= cards - 1
    cards = seats[own, layout.TOP]
    while cards:
        out[places.OWN_TOPS + RULES_CARDS[lowest_card(cards)]] = 1
        cards &= cards - 1
    for slot in range(options[layout.EACH]):
        if hidden[own, slot] >= 0:
            out[places.OWN_HIDDEN + slot] = 1


@inner
def see_seats(options: Any, own: int, out: Any, seats: Any) -> None:
    players = options[layout.PLAYERS]
    for seat in range(players):
        at = (own + seat) % players
        for rank in range(RANK_COUNT):
            tops = (seats[at, layout.TOP] >> SUITS * rank) & 15
            out[places.TOPS + seat * RANK_COUNT + rank] = count_bits(tops)
        out[places.HIDDEN_COUNTS + seat] = seats[at, layout.HIDDEN]
        out[places.HAND_COUNTS + seat] = count_bits(seats[at, layout.HAND])
        out[places.READY_SEATS + seat] = seats[at, layout.READY]
        out[places.PLACES + seat] = seats[at, layout.SEAT_PLACE]
        out[places.TIMES_SHED + seat] = seats[at, layout.TIMES_SHED]
        out[places.POINTS + seat] = seats[at, layout.SUM]


@inner
def see_turn(options: Any, own: int, out: Any, facts: Any, seats: Any) -> None:
    players, turn = options[layout.PLAYERS], facts[layout.TURN]
    out[places.PHASE + facts[layout.PHASE]] = 1
    out[places.STOCK_COUNT] = options[layout.SIZE] - facts[layout.STOCK]
    out[places.CLOCKWISE] = facts[layout.DIRECTION] == 1
    out[places.TURNS] = min(facts[layout.TURNS], MOST)
    out[places.GAME_NO] = facts[layout.GAME_NO]
    if turn < 0:
        return
    out[places.TURN + (turn - own) % players] = 1
    following = (turn + facts[layout.DIRECTION]) % players
    while seats[following, layout.SEAT_PLACE]:
        following = (following + facts[layout.DIRECTION]) % players
    out[places.NEXT_SEAT + (following - own) % players] = 1


@inner
def see_pile(options: Any, out: Any, pile: Any, burnt: Any, facts: Any) -> None:
    height = facts[layout.PILE]
    for at in range(height):
        out[places.PILE + RULES_CARDS[pile[at]]] = 1
    for at in range(facts[layout.BURNT]):
        out[places.BURNED + RULES_CARDS[burnt[at]]] = 1
    t = rank_to_beat(pile, height, options[layout.TRANSPARENT])
    if t != NOTHING:
        out[places.TO_BEAT + t] = 1
    for nth in range(min(SUITS, height)):
        out[places.TOP_RANKS + nth] = 1 + (pile[height - 1 - nth] >> 2)

"""The move of each bot that the kernel plays."""

from typing import Any

from cardroom.fast.bits import count_bits
from cardroom.fast.compiling import inner
from cardroom.fast.shithead.cards import (
    first_cards,
    lowest_card,
    lowest_rank,
    rank_to_beat,
    run_on_top,
)
from cardroom.fast.shithead.layout import (
    ALLOWED,
    BLIND,
    CARDS,
    FROM_SOURCE,
    FROM_TOP,
    HAND,
    HIDDEN,
    KEEPER,
    KIND,
    LOWEST,
    NONE,
    PICKUP,
    PILE,
    RANDOM,
    RANK_PLACES,
    THROUGH,
    TOP,
    TRANSPARENT,
    TURN,
    TURNS,
    VOLUNTARY,
)
from cardroom.fast.stream import below, chance
from cardroom.rules.cards import THREE
from cardroom.rules.shithead.bots.rank_counts import KING
from cardroom.rules.shithead.bots.repetition import PATIENCE, WHIM
from cardroom.rules.shithead.predicates import RANK_COUNT


@inner
def first_slot(hidden: Any, seat: int, number: int) -> int:
    """The occupied slot of this number."""
    slot = 0
    while True:
        if hidden[seat, slot] >= 0:
            if number == 0:
                return slot
            number -= 1
        slot += 1


@inner
def play_cards(facts: Any, source: int, top: int) -> None:
    facts[KIND], facts[FROM_SOURCE], facts[FROM_TOP] = CARDS, source, top


@inner
def choose_any(
    total: int, may: int, source: int, top: int, extras: int, facts: Any, words: Any
) -> None:
    """Any legal move in the order of the rules: cards by rank and number, R9, `pickup`."""
    number = below(words, total)
    cards = count_bits(may)
    if number < cards:
        for _ in range(number):
            may &= may - 1
        card = lowest_card(may)
        rank = card >> 2
        play_cards(facts, source & ((1 << card + 1) - 1) & (15 << 4 * rank), 0)
    elif number < cards + extras:
        rank = lowest_rank(source)
        play_cards(facts, source, first_cards(top, rank, number - cards + 1))
    else:
        facts[KIND] = PICKUP


@inner
def choose_kept(options: Any, may: int, hand: int, top: int, pile: Any, facts: Any) -> None:
    """``keeper.decide``."""
    height, through = facts[PILE], options[THROUGH]
    while through and height and pile[height - 1] >> 2 == THREE:
        height -= 1
    if height:
        last = pile[height - 1] >> 2
        cards = may & (15 << 4 * last)
        if cards and run_on_top(pile, height, through) + count_bits(cards) >= 4:
            play_cards(facts, cards, 0)
            return
    rank = NONE
    for other in range(RANK_COUNT):
        if (may >> 4 * other) & 15 and (rank < 0 or RANK_PLACES[other] < RANK_PLACES[rank]):
            rank = other
    if RANK_PLACES[rank] >= KING:
        play_cards(facts, first_cards(may, rank, 1), 0)
        return
    cards = may & (15 << 4 * rank)
    play_cards(facts, cards, top & (15 << 4 * rank) if hand == cards else 0)


@inner
def choose(
    options: Any, policy: int, words: Any, hidden: Any, pile: Any, facts: Any, seats: Any
) -> None:
    """The move of the seat whose turn it is, into KIND, FROM_SOURCE and FROM_TOP."""
    seat = facts[TURN]
    hand, top = seats[seat, HAND], seats[seat, TOP]
    source = hand or top
    bored = policy != RANDOM and facts[TURNS] >= PATIENCE
    if source == 0:
        facts[KIND] = BLIND
        slots, number = seats[seat, HIDDEN], 0
        whim = policy == RANDOM or (policy == KEEPER and bored)
        if slots > 1 and whim and (policy == RANDOM or chance(words) < WHIM):
            number = below(words, slots)
        facts[FROM_SOURCE] = first_slot(hidden, seat, number)
        return
    t = rank_to_beat(pile, facts[PILE], options[TRANSPARENT])
    may = source & options[ALLOWED + 1 + t]
    extras = 0
    if may and hand and top and hand & ~(15 << 4 * lowest_rank(hand)) == 0:
        extras = count_bits(top & (15 << 4 * lowest_rank(hand)))
    total = count_bits(may) + extras
    total += facts[PILE] > 0 and (may == 0 or options[VOLUNTARY])
    if may == 0:
        facts[KIND] = PICKUP
    elif total == 1:
        play_cards(facts, may, 0)
    elif policy == RANDOM or (bored and chance(words) < WHIM):
        choose_any(total, may, source, top, extras, facts, words)
    elif policy == LOWEST:
        cards = may & (15 << 4 * lowest_rank(may))
        play_cards(facts, cards, top & (15 << 4 * lowest_rank(may)) if extras else 0)
    else:
        choose_kept(options, may, hand, top, pile, facts)

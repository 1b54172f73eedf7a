"""Many matches of Shithead at once: ``cardroom.research.batch`` on the record of the kernel."""

from itertools import combinations
from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.binding import bound
from cardroom.fast.compiling import count_bits
from cardroom.fast.kernel import Kernel
from cardroom.fast.shithead import KERNEL
from cardroom.fast.shithead.match import (
    IN_EXCHANGE,
    IS_OVER,
    OF_CARDS,
    OF_PILE,
    OF_SLOT,
    RULES_CARDS,
    ShitheadMatch,
    choose_cards,
    exchange,
    finish,
    first_cards,
    following,
    is_over,
    lowest_card,
    lowest_rank,
    open_match,
    play,
    rank_to_beat,
)
from cardroom.research.batch import NOBODY, Batch, deal_lanes, look_lanes, play_lanes
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
# Of every swap the card of the hand and the top card, as the kernel numbers them; of `ready` none.
SWAPPED: Final = numpy.full((len(places.ACTIONS.texts), 2), -1, dtype=numpy.int64)
for _hand in range(CARDS):
    for _top in range(CARDS):
        if _hand != _top:
            SWAPPED[_NUMBERS[SWAP[_hand][_top]]] = ORDER[_hand], ORDER[_top]


def act(words: Any, match: ShitheadMatch, action: int) -> None:
    """In the exchange the lowest seat that is not ready acts (R5)."""
    if match.phase == IN_EXCHANGE:
        seat = 0
        while match.ready[seat]:
            seat += 1
        exchange(match, seat, SWAPPED[action, 0], SWAPPED[action, 1])
        return
    hand, cards = match.hands[match.turn], SET_OF_ACTION[action]
    if action == PICKUP_ACTION:
        choose_cards(match, OF_PILE, 0, 0)
    elif action < FIRST_CARDS:
        choose_cards(match, OF_SLOT, action - FIRST_BLIND, 0)
    elif hand:
        choose_cards(match, OF_CARDS, cards & hand, cards & ~hand)
    else:
        choose_cards(match, OF_CARDS, cards, 0)
    play(words, match)


def allow(match: ShitheadMatch, own: int, mask: Any) -> None:
    if match.phase == IN_EXCHANGE:
        if not match.ready[own]:
            allow_swaps(match, own, mask)
    elif match.turn == own:
        allow_plays(match, own, mask)


def allow_swaps(match: ShitheadMatch, own: int, mask: Any) -> None:
    mask[READY_ACTION] = 1
    if match.swaps_left[own] <= 0:
        return
    hand = match.hands[own]
    while hand:
        card = RULES_CARDS[lowest_card(hand)]
        hand &= hand - 1
        tops = match.tops[own]
        while tops:
            top = RULES_CARDS[lowest_card(tops)]
            tops &= tops - 1
            mask[FIRST_SWAP + card * (CARDS - 1) + top - (top > card)] = 1


def allow_plays(match: ShitheadMatch, own: int, mask: Any) -> None:
    """§3: a representative for every rank and number, then ``pickup`` where it is legal."""
    hand, top = match.hands[own], match.tops[own]
    source = hand or top
    if source == 0:
        for slot in range(match.each):
            mask[FIRST_BLIND + slot] = match.hidden[own][slot] >= 0
        return
    may = source & match.may[1 + rank_to_beat(match)]
    for rank in range(RANK_COUNT):
        cards, chosen = (may >> SUITS * rank) & 15, 0
        for suit in range(SUITS):
            if (cards >> suit) & 1:
                chosen |= 1 << suit
                mask[ACTION_OF_SET[rank, chosen]] = 1
    if may and hand and top and hand & ~(15 << SUITS * lowest_rank(hand)) == 0:  # R9
        rank = lowest_rank(hand)
        for count in range(1, 1 + count_bits(top & (15 << SUITS * rank))):
            cards = hand | first_cards(top, rank, count)
            mask[ACTION_OF_SET[rank, (cards >> SUITS * rank) & 15]] = 1
    if match.pile_size and (may == 0 or match.voluntary):
        mask[PICKUP_ACTION] = 1


def see(match: ShitheadMatch, own: int, out: Any) -> None:
    see_cards(out, places.HAND, match.hands[own])
    see_cards(out, places.OWN_TOPS, match.tops[own])
    for slot in range(match.each):
        out[places.OWN_HIDDEN + slot] = match.hidden[own][slot] >= 0
    see_seats(match, own, out)
    see_turn(match, own, out)
    see_pile(match, out)


def see_cards(out: Any, start: int, cards: int) -> None:
    while cards:
        out[start + RULES_CARDS[lowest_card(cards)]] = 1
        cards &= cards - 1


def see_seats(match: ShitheadMatch, own: int, out: Any) -> None:
    for seat in range(match.players):
        at = (own + seat) % match.players
        for rank in range(RANK_COUNT):
            tops = (match.tops[at] >> SUITS * rank) & 15
            out[places.TOPS + seat * RANK_COUNT + rank] = count_bits(tops)
        out[places.HIDDEN_COUNTS + seat] = match.hidden_size[at]
        out[places.HAND_COUNTS + seat] = count_bits(match.hands[at])
        out[places.READY_SEATS + seat] = match.ready[at]
        out[places.PLACES + seat] = match.places[at]
        out[places.TIMES_SHED + seat] = match.times_shed[at]
        out[places.POINTS + seat] = match.points[at]


def see_turn(match: ShitheadMatch, own: int, out: Any) -> None:
    out[places.PHASE + match.phase] = 1
    out[places.STOCK_COUNT] = match.cards - match.stock
    out[places.CLOCKWISE] = match.direction == 1
    out[places.TURNS] = min(match.turns, MOST)
    out[places.GAME_NO] = match.game_no
    if match.turn >= 0:
        out[places.TURN + (match.turn - own) % match.players] = 1
        out[places.NEXT_SEAT + (following(match) - own) % match.players] = 1


def see_pile(match: ShitheadMatch, out: Any) -> None:
    height = match.pile_size
    for at in range(height):
        out[places.PILE + RULES_CARDS[match.pile[at]]] = 1
    for at in range(match.burnt_size):
        out[places.BURNED + RULES_CARDS[match.burnt[at]]] = 1
    t = rank_to_beat(match)
    if t != NOTHING:
        out[places.TO_BEAT + t] = 1
    for nth in range(min(SUITS, height)):
        out[places.TOP_RANKS + nth] = 1 + (match.pile[height - 1 - nth] >> 2)


class ShitheadBatch(Batch):
    """See ``Batch``. An action is a set of equal cards, a slot, ``pickup``, a swap or ``ready``."""

    slug: ClassVar[str] = "shithead"
    kernel: ClassVar[Kernel] = KERNEL
    deal = staticmethod(bound(deal_lanes, open_match=open_match))
    play = staticmethod(bound(play_lanes, act=act, is_over=is_over, finish=finish))
    look = staticmethod(bound(look_lanes, see=see, allow=allow, is_over=is_over))

    def _to_act(self) -> Any:
        matches = self._tables[1][:, 0]
        unready = matches["ready"][:, : self.players] == 0
        exchanging = matches["phase"] == IN_EXCHANGE
        turn = numpy.where(exchanging, unready.argmax(axis=1), matches["turn"])
        return numpy.where(matches["phase"] == IS_OVER, NOBODY, turn)


BATCH: Final = ShitheadBatch

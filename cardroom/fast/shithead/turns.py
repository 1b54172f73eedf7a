"""A turn: what is laid and what follows (R7 to R17).

The move of each bot that the kernel plays.

The deal and who starts (R2 to R4).

Cards change places before the first turn (R5).
"""

from typing import Any

from cardroom.fast.compiling import below, chance, count_bits, inner, shuffle
from cardroom.fast.shithead.layout import (
    AGAIN,
    ALLOWED,
    BLIND,
    BURNED,
    BURNT,
    CARDS,
    CLAIMS,
    DEALER,
    DEALT,
    DIRECTION,
    DREW,
    EACH,
    EXCHANGE,
    EXCHANGED,
    FAILED,
    FROM_SOURCE,
    FROM_TOP,
    GAME_NO,
    HAND,
    HIDDEN,
    IN_EXCHANGE,
    IN_PLAY,
    KEEPER,
    KIND,
    LOWEST,
    LOWEST_CARD,
    MAX_TURNS,
    MOST_SEATS,
    NONE,
    OUT,
    PACK,
    PHASE,
    PICKED_UP,
    PICKUP,
    PILE,
    PLAYED,
    PLAYERS,
    PLIES,
    RANDOM,
    RANK_PLACES,
    READY,
    READY_SAID,
    SEAT_OUT,
    SEAT_PLACE,
    SIZE,
    STARTED,
    STOCK,
    SWAPS_LEFT,
    THREE_IN_HAND,
    THROUGH,
    TOP,
    TRANSPARENT,
    TURN,
    TURN_TOLD,
    TURNED,
    TURNS,
    VOLUNTARY,
    cards_left,
    first_cards,
    lowest_card,
    lowest_rank,
    note,
    rank_to_beat,
    run_on_top,
)
from cardroom.rules.cards import JOKER, TEN, THREE
from cardroom.rules.shithead.bots.simple import PATIENCE, WHIM
from cardroom.rules.shithead.bots.world import KING
from cardroom.rules.shithead.predicates import RANK_COUNT


@inner
def put(pile: Any, facts: Any, cards: int) -> int:
    """Cards of a set onto the pile in order; how many."""
    count = 0
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        pile[facts[PILE]] = card
        facts[PILE] += 1
        count += 1
    return count


@inner
def pick_up(pile: Any, facts: Any, seats: Any, seat: int, result: Any) -> None:
    for at in range(facts[PILE]):
        seats[seat, HAND] |= 1 << pile[at]
    facts[PILE] = 0
    result[PICKED_UP] += 1


@inner
def after_lay(options: Any, pile: Any, burnt: Any, facts: Any, count: int, result: Any) -> bool:
    """R12 to R14: direction and burn; whether the seat has another turn."""
    result[PLAYED] += 1
    last = pile[facts[PILE] - 1] >> 2
    turned = last == JOKER and count % 2 == 1
    if turned:
        facts[DIRECTION] = -facts[DIRECTION]
        result[TURNED] += 1
    run = run_on_top(pile, facts[PILE], options[THROUGH])
    if last == TEN or run >= 4 or (last == JOKER and run >= 2):
        for at in range(facts[PILE]):
            burnt[facts[BURNT] + at] = pile[at]
        facts[BURNT] += facts[PILE]
        facts[PILE] = 0
        result[BURNED] += 1
        return True
    return turned and options[AGAIN] and options[PLAYERS] - facts[OUT] == 2


@inner
def act(
    options: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, result: Any
) -> bool:
    """R7 to R14: the chosen move; whether the seat has another turn."""
    seat = facts[TURN]
    if facts[KIND] == PICKUP:
        pick_up(pile, facts, seats, seat, result)
        return False
    if facts[KIND] == BLIND:
        slot = facts[FROM_SOURCE]
        card = hidden[seat, slot]
        hidden[seat, slot] = NONE
        seats[seat, HIDDEN] -= 1
        t = rank_to_beat(pile, facts[PILE], options[TRANSPARENT])
        if (options[ALLOWED + 1 + t] >> card) & 1 == 0:  # R10
            seats[seat, HAND] |= 1 << card
            result[FAILED] += 1
            pick_up(pile, facts, seats, seat, result)
            return False
        return after_lay(options, pile, burnt, facts, put(pile, facts, 1 << card), result)
    if seats[seat, HAND]:
        seats[seat, HAND] &= ~facts[FROM_SOURCE]
        seats[seat, TOP] &= ~facts[FROM_TOP]
    else:
        seats[seat, TOP] &= ~facts[FROM_SOURCE]
    count = put(pile, facts, facts[FROM_SOURCE])
    count += put(pile, facts, facts[FROM_TOP])
    return after_lay(options, pile, burnt, facts, count, result)


@inner
def take_turn(
    options: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, result: Any
) -> bool:
    """R15 to R17; whether the game is over (R18, R19)."""
    seat, players = facts[TURN], options[PLAYERS]
    again = act(options, hidden, pile, burnt, facts, seats, result)
    wanted = 3 - count_bits(seats[seat, HAND]) if options[THREE_IN_HAND] else 1
    while wanted > 0 and facts[STOCK] < options[SIZE]:
        seats[seat, HAND] |= 1 << deck[facts[STOCK]]
        facts[STOCK] += 1
        wanted -= 1
        result[DREW] += 1
    if cards_left(seats, seat) == 0:
        facts[OUT] += 1
        seats[seat, SEAT_PLACE] = facts[OUT]
        result[SEAT_OUT] += 1
        again = False
    facts[TURNS] += 1
    if facts[OUT] == players - 1 or 0 <= options[MAX_TURNS] <= facts[TURNS]:
        return True
    result[TURN_TOLD] += 1
    if not again:
        seat = (seat + facts[DIRECTION]) % players
        while seats[seat, SEAT_PLACE]:
            seat = (seat + facts[DIRECTION]) % players
        facts[TURN] = seat
    return False


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


@inner
def open_game(
    options: Any,
    words: Any,
    deck: Any,
    hidden: Any,
    facts: Any,
    seats: Any,
    first: int,
    result: Any,
) -> None:
    """R2 to R4; ``first`` gets the first card."""
    players, each = options[PLAYERS], options[EACH]
    for at in range(options[SIZE]):
        deck[at] = options[PACK + at]
    shuffle(words, deck, 0, options[SIZE])
    part = each * players
    for seat in range(players):
        lies = (seat - first) % players
        hand = top = 0
        for nth in range(each):
            hidden[seat, nth] = deck[nth * players + lies]
            top |= 1 << deck[part + nth * players + lies]
            hand |= 1 << deck[2 * part + nth * players + lies]
        seats[seat, HAND], seats[seat, TOP], seats[seat, HIDDEN] = hand, top, each
        seats[seat, SEAT_PLACE] = 0
        seats[seat, READY] = not options[EXCHANGE]
        seats[seat, SWAPS_LEFT] = 3 * each if options[EXCHANGE] else 0
    facts[GAME_NO] += 1
    facts[DEALER] = (first - 1) % players
    facts[DIRECTION] = 1
    facts[STOCK] = 3 * part
    facts[PILE] = facts[BURNT] = facts[TURNS] = facts[OUT] = 0
    facts[PHASE], facts[TURN] = IN_EXCHANGE, NONE
    result[STARTED] += 1
    result[DEALT] += players


@inner
def open_play(options: Any, facts: Any, seats: Any, result: Any) -> None:
    """The starter's turn (R3, `first_starter`)."""
    players = options[PLAYERS]
    turn = (facts[DEALER] + 1) % players
    if options[LOWEST_CARD] and facts[GAME_NO] == 1:
        first, best = turn, MOST_SEATS * RANK_COUNT * 2
        for seat in range(players):
            claim = RANK_COUNT
            for rank in range(RANK_COUNT):
                if (seats[seat, HAND] >> 4 * rank) & 15:
                    claim = min(claim, CLAIMS[rank])
            claim = claim * MOST_SEATS + (seat - first) % players
            if claim < best:
                best, turn = claim, seat
    facts[PHASE], facts[TURN] = IN_PLAY, turn
    result[TURN_TOLD] += 1


@inner
def choose_swap(policy: int, seats: Any, seat: int, each: int, words: Any) -> int:
    """The hand card and, 64 times, the top card that change places; −1 is `ready`."""
    hand, top = seats[seat, HAND], seats[seat, TOP]
    if policy == LOWEST or not seats[seat, SWAPS_LEFT]:
        return NONE
    if policy == RANDOM:
        number = below(words, 1 + each * each) - 1
        if number < 0:
            return NONE
        for _ in range(number // each):
            hand &= hand - 1
        for _ in range(number % each):
            top &= top - 1
        return lowest_card(hand) + 64 * lowest_card(top)
    best = worst = NONE
    for rank in range(RANK_COUNT):
        place = RANK_PLACES[rank]
        if (hand >> 4 * rank) & 15 and (best < 0 or place > RANK_PLACES[best]):
            best = rank
        if (top >> 4 * rank) & 15 and (worst < 0 or place < RANK_PLACES[worst]):
            worst = rank
    if RANK_PLACES[best] <= RANK_PLACES[worst]:
        return NONE
    return lowest_card(hand & (15 << 4 * best)) + 64 * lowest_card(top & (15 << 4 * worst))


@inner
def exchange(
    options: Any, policies: Any, words: Any, deck: Any, hidden: Any, pile: Any, burnt: Any,
    facts: Any, seats: Any, acting: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    """R5: any seat that is not ready may act, until all are."""
    while True:
        count = 0
        for seat in range(options[PLAYERS]):
            if not seats[seat, READY]:
                acting[count] = seat
                count += 1
        if count == 0:
            return
        if trace.shape[0]:
            note(options, deck, hidden, pile, burnt, facts, seats, trace, result[PLIES])
        seat = acting[below(words, count)] if count > 1 else acting[0]
        swap = choose_swap(policies[seat], seats, seat, options[EACH], words)
        result[PLIES] += 1
        if swap < 0:
            seats[seat, READY] = 1
            result[READY_SAID] += 1
        else:
            cards = 1 << (swap & 63) | 1 << (swap >> 6)
            seats[seat, HAND] ^= cards
            seats[seat, TOP] ^= cards
            seats[seat, SWAPS_LEFT] -= 1
            result[EXCHANGED] += 1

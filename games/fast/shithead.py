"""Shithead compiled: whole matches, R1 to R19 with every option of the rules.

The policies ``random``, ``lowest`` and ``keeper`` play exactly as the bots of these names.

Cards are numbered in the order of ``predicates.in_order`` here: rank times four and suit, so a hand
is the bits of one number, in order, and a rank is four of them.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from games.fast.compiling import inner, outer
from games.fast.kernel import Columns, Kernel, Variant
from games.fast.stream import below, chance, shuffle
from games.rules.cards import JOKER, RANKS, TEN, THREE, pack
from games.rules.shithead.bots.rank_counts import KING, PLACE
from games.rules.shithead.bots.repetition import PATIENCE, WHIM
from games.rules.shithead.deal import LOWEST_FIRST
from games.rules.shithead.options import ShitheadOptions, cards_each, pack_size
from games.rules.shithead.predicates import NOTHING, ORDER, RANK_COUNT, allowed
from games.rules.shithead.state import ShitheadState
from games.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("games",),
    measures=("burns",),
    events=(
        "game_started", "dealt", "exchanged", "ready", "played", "hidden_failed", "picked_up",
        "direction", "burned", "drew", "seat_out", "turn", "game_over", "match_over",
    ),
)  # fmt: skip
ROUNDS, PLIES, BURNS = 1, 2, 3
(
    STARTED, DEALT, EXCHANGED, READY_SAID, PLAYED, FAILED, PICKED_UP, TURNED, BURNED, DREW,
    SEAT_OUT, TURN_TOLD, GAME_OVER, MATCH_OVER,
) = range(4, 18)  # fmt: skip
POINTS: Final = COLUMNS.points

# The options as they are encoded; then the cards that may be played on each rank to beat, from
# NOTHING on, and the pack.
(
    PLAYERS, GAMES, SIZE, EACH, THREE_IN_HAND, VOLUNTARY, TRANSPARENT, AGAIN, THROUGH, LOWEST_CARD,
    LEFT_OF_SHED, EXCHANGE, MAX_TURNS, ALLOWED,
) = range(14)  # fmt: skip
PACK: Final = ALLOWED + RANK_COUNT + 1
NONE: Final = -1
RANDOM, LOWEST, KEEPER = range(3)

MOST_SEATS: Final = 18
MOST_SLOTS: Final = 9
# The facts of a game; STOCK is the place of the deck from which the stock begins.
(
    GAME_NO, DEALER, DIRECTION, PHASE, TURN, PILE, BURNT, STOCK, TURNS, OUT,
    KIND, FROM_SOURCE, FROM_TOP,
) = range(13)  # fmt: skip
IN_EXCHANGE, IN_PLAY, IS_OVER = range(3)
CARDS, BLIND, PICKUP = range(3)  # kinds of moves
# What is kept of every seat.
HAND, TOP, HIDDEN, SEAT_PLACE, READY, TIMES_SHED, SUM, SHED = range(8)

RANK_PLACES: Final = numpy.array([PLACE[rank] for rank in RANKS], dtype=numpy.int64)
CLAIMS: Final = numpy.array([LOWEST_FIRST.index(rank) for rank in RANKS], dtype=numpy.int64)


@inner
def count_bits(cards: int) -> int:
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


@inner
def lowest_rank(cards: int) -> int:
    rank = 0
    while (cards >> 4 * rank) & 15 == 0:
        rank += 1
    return rank


@inner
def lowest_card(cards: int) -> int:
    card = 4 * lowest_rank(cards)
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@inner
def first_cards(cards: int, rank: int, count: int) -> int:
    """The first ``count`` cards of a rank, as a set."""
    found, card = 0, 4 * rank
    while count:
        if (cards >> card) & 1:
            found |= 1 << card
            count -= 1
        card += 1
    return found


@inner
def rank_to_beat(pile: Any, height: int, transparent: int) -> int:
    """R11."""
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank != THREE and not (transparent and rank == JOKER):
            return rank  # type: ignore[no-any-return]
    return NOTHING


@inner
def run_on_top(pile: Any, height: int, through: int) -> int:
    """R13: how many cards on top of the pile have one rank."""
    last, run = pile[height - 1] >> 2, 0
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank == last:
            run += 1
        elif not (through and rank == THREE):
            break
    return run


@inner
def cards_left(seats: Any, seat: int) -> int:
    return (  # type: ignore[no-any-return]
        count_bits(seats[seat, HAND]) + count_bits(seats[seat, TOP]) + seats[seat, HIDDEN]
    )


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
    if policy == LOWEST:
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
            result[EXCHANGED] += 1


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
def score_game(options: Any, facts: Any, seats: Any, acting: Any, result: Any) -> int:
    """Places and sheds (R18, R19); who gets the first card of the next game."""
    players, most, first = options[PLAYERS], 0, NONE
    for seat in range(players):
        acting[seat] = cards_left(seats, seat) if seats[seat, SEAT_PLACE] == 0 else NONE
        most = max(most, acting[seat])
    for seat in range(players):
        seats[seat, SHED] = acting[seat] == most
        if acting[seat] < 0:
            place = seats[seat, SEAT_PLACE]
        elif acting[seat] == most:
            place = players
            first = seat if first < 0 else first
        else:
            place = 1 + facts[OUT]
            for other in range(players):
                place += 0 <= acting[other] < acting[seat]
        seats[seat, SEAT_PLACE] = place
        seats[seat, SUM] += place
        seats[seat, TIMES_SHED] += seats[seat, SHED]
    result[GAME_OVER] += 1
    facts[PHASE], facts[TURN] = IS_OVER, NONE
    return (first + 1) % players if options[LEFT_OF_SHED] else first


@inner
def play_match(
    options: Any, policies: Any, words: Any, deck: Any, hidden: Any, pile: Any, burnt: Any,
    facts: Any, seats: Any, acting: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    facts[GAME_NO], first = 0, 0
    for seat in range(options[PLAYERS]):
        seats[seat, TIMES_SHED] = seats[seat, SUM] = seats[seat, SHED] = 0
    while facts[GAME_NO] < options[GAMES]:
        open_game(options, words, deck, hidden, facts, seats, first, result)
        exchange(
            options, policies, words, deck, hidden, pile, burnt, facts, seats, acting, result, trace
        )
        open_play(options, facts, seats, result)
        over = False
        while not over:
            if trace.shape[0]:
                note(options, deck, hidden, pile, burnt, facts, seats, trace, result[PLIES])
            choose(options, policies[facts[TURN]], words, hidden, pile, facts, seats)
            over = take_turn(options, deck, hidden, pile, burnt, facts, seats, result)
            result[PLIES] += 1
        first = score_game(options, facts, seats, acting, result)


@inner
def finish(options: Any, seats: Any, result: Any) -> None:
    players = options[PLAYERS]
    result[ROUNDS] = result[GAME_OVER]
    result[BURNS] = result[BURNED]
    result[MATCH_OVER] = 1
    for seat in range(players):
        result[POINTS + seat] = seats[seat, SUM]
        place = 1
        for other in range(players):
            if seats[other, TIMES_SHED] != seats[seat, TIMES_SHED]:
                place += seats[other, TIMES_SHED] < seats[seat, TIMES_SHED]
            else:
                place += seats[other, SUM] < seats[seat, SUM]
        result[POINTS + players + seat] = place


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    out[at] = last - first
    at += 1
    for nth in range(first, last):
        out[at] = cards[nth]
        at += 1
    return at


@inner
def note(
    options: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, trace: Any,
    ply: int,
) -> None:  # fmt: skip
    """The whole state as ``row`` has it, into the trace."""
    out, at = trace[ply], 1
    for fact in (GAME_NO, DEALER, DIRECTION, PHASE, TURN, TURNS):
        out[at] = facts[fact]
        at += 1
    at = note_cards(out, at, deck, facts[STOCK], options[SIZE])
    at = note_cards(out, at, pile, 0, facts[PILE])
    at = note_cards(out, at, burnt, 0, facts[BURNT])
    for seat in range(options[PLAYERS]):
        for fact in (HAND, TOP, SEAT_PLACE, READY, TIMES_SHED, SUM, SHED):
            out[at] = seats[seat, fact]
            at += 1
        for slot in range(options[EACH]):
            out[at] = hidden[seat, slot]
            at += 1
    out[0] = at - 1


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    shapes = (64, (MOST_SEATS, MOST_SLOTS), 64, 64, 13, (MOST_SEATS, 8), MOST_SEATS)
    arrays = [numpy.zeros(shape, dtype=numpy.int64) for shape in shapes]
    return (numpy.zeros(2, dtype=numpy.uint64), *arrays)


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,
    words: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, acting: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        play_match(
            options, policies, words, deck, hidden, pile, burnt, facts, seats, acting, result, rows
        )
        finish(options, seats, result)
        if rows.shape[0]:
            note(options, deck, hidden, pile, burnt, facts, seats, rows, result[PLIES])
        first += result[PLIES] + 1


def _allowed_on(options: ShitheadOptions, t: int) -> int:
    reset = options.joker_top == "reset"
    ranks = [rank for rank in range(RANK_COUNT) if allowed(rank, t, options.seven_lower, reset)]
    return sum(15 << 4 * rank for rank in ranks)


def encode(options: ShitheadOptions, _setups: Sequence[Setup]) -> Any:
    size = pack_size(options)
    facts = [
        options.players,
        options.games,
        size,
        cards_each(options),
        options.refill == "up_to_three",
        options.pickup == "voluntary",
        options.joker_top == "transparent",
        options.two_player_joker == "again",
        options.burn_through_threes,
        options.first_starter == "lowest_card",
        options.next_starter == "left_of_shed",
        options.exchange,
        NONE if options.max_turns is None else options.max_turns,
    ]
    may = [_allowed_on(options, t) for t in range(NOTHING, RANK_COUNT)]
    return numpy.array([*facts, *may, *(ORDER[card] for card in pack(size))], dtype=numpy.int64)


def uncovered(_options: ShitheadOptions) -> str:
    return ""


def row(state: ShitheadState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    phase = ("exchange", "play", "over").index(state.phase)
    turn = NONE if state.turn is None else state.turn
    found = [state.game_no, state.dealer, state.direction, phase, turn, state.turns]
    for cards in (state.stock, state.pile, state.burned):
        found += [len(cards), *(ORDER[card] for card in cards)]
    for seat, (hand, top, slots) in enumerate(
        zip(state.hands, state.tops, state.hidden, strict=True)
    ):
        found += [sum(1 << ORDER[card] for card in hand), sum(1 << ORDER[card] for card in top)]
        found += [state.places[seat], int(state.ready[seat])]
        found += [state.times_shed[seat], state.points[seat], int(seat in state.last_shed)]
        found += [NONE if card is None else ORDER[card] for card in slots]
    return found


def players_of(options: ShitheadOptions) -> int:
    return options.players


VARIANTS: Final[dict[str, Variant]] = {
    "random": (("random",), {}),
    "keeper": (("keeper", "lowest"), {}),
    "four": (("lowest", "keeper", "random"), {"players": 4, "games": 2}),
    "traditional": (
        ("keeper", "random", "lowest"),
        {
            "players": 4,
            "games": 3,
            "deal": "three",
            "jokers": 0,
            "refill": "up_to_three",
            "pickup": "voluntary",
            "first_starter": "lowest_card",
            "next_starter": "left_of_shed",
            "max_turns": 500,
        },
    ),
    "jokers": (
        ("keeper", "random"),
        {
            "joker_top": "transparent",
            "two_player_joker": "again",
            "burn_through_threes": True,
            "seven_lower": False,
            "exchange": False,
        },
    ),
    "many": (("keeper", "random"), {"players": 9, "joker_top": "reset", "max_turns": 200}),
}

KERNEL: Final = Kernel(
    slug="shithead",
    columns=COLUMNS,
    policies={"random": RANDOM, "lowest": LOWEST, "keeper": KEEPER},
    encode=encode,
    uncovered=uncovered,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=64 + 18 * 16,
    sides=players_of,
    seats=players_of,
    variants=VARIANTS,
)

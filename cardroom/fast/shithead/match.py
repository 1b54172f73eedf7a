"""Whole matches of Shithead, on one record a match.

The world of the searches counts ranks; here every card is one, as observations and states need it.
Cards are numbered in the order of ``predicates.in_order``: rank times four and suit. A set of them
is the bits of one number, a rank four of them. ``note`` writes a match as ``row`` reads a state of
the rules.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import numpy

from cardroom.fast.binding import bound, empty_records, records, stream_words
from cardroom.fast.compiling import below, chance, count_bits, shuffle
from cardroom.fast.kernel import Columns, Variant, play_matches
from cardroom.rules.cards import JOKER, RANKS, TEN, THREE, pack
from cardroom.rules.search import Flat
from cardroom.rules.shithead.bots.simple import PATIENCE, WHIM, decide
from cardroom.rules.shithead.bots.world import PLACE, RANK_OF
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, pack_size
from cardroom.rules.shithead.predicates import NOTHING, ORDER, RANK_COUNT, allowed
from cardroom.rules.shithead.state import LOWEST_FIRST, ShitheadState
from cardroom.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("games",),
    measures=("burns",),
    events=(
        "game_started", "dealt", "exchanged", "ready", "played", "hidden_failed", "picked_up",
        "direction", "burned", "drew", "seat_out", "turn", "game_over", "match_over",
    ),
)  # fmt: skip
ROUNDS, PLIES, BURNS, EVENTS = 1, 2, 3, 4
(
    STARTED, DEALT, EXCHANGED, READY_SAID, PLAYED, FAILED, PICKED_UP, TURNED, BURNED, DREW,
    SEAT_OUT, TURN_TOLD, GAME_OVER, MATCH_OVER,
) = range(14)  # fmt: skip
POINTS: Final = COLUMNS.points

NONE: Final = -1
RANDOM, LOWEST, KEEPER = range(3)
SEATS: Final = 18
SLOTS: Final = 9
CARDS: Final = 54
IN_EXCHANGE, IN_PLAY, IS_OVER = range(3)
OF_CARDS, OF_SLOT, OF_PILE = range(3)  # kinds of moves

RANK_PLACES: Final = tuple(PLACE[rank] for rank in RANKS)
CLAIMS: Final = tuple(LOWEST_FIRST.index(rank) for rank in RANKS)
RULES_CARDS: Final = numpy.argsort(numpy.array(ORDER, dtype=numpy.int64))
PHASES: Final = {"exchange": IN_EXCHANGE, "play": IN_PLAY, "over": IS_OVER}

BySeat = Annotated[list[int], SEATS]
Pack = Annotated[list[int], CARDS]


class ShitheadMatch(Flat):
    """One match in play; lists have a place for each of 18 seats.

    ``may`` has the cards that may be played, by the rank to beat, from NOTHING on. The stock are
    the cards of the ``deck`` from ``stock`` on. The move that is chosen is its ``kind``, a set of
    cards of the ``source`` (or a slot), and those of the tops with them (R9). ``events`` are
    counted.
    """

    players: int
    games: int
    cards: int
    each: int
    three: int
    voluntary: int
    transparent: int
    again: int
    through: int
    lowest_card: int
    left_of_shed: int
    exchanges: int
    max_turns: int
    may: Annotated[list[int], RANK_COUNT + 1]
    pack: Pack
    deck: Pack
    stock: int
    pile: Pack
    pile_size: int
    burnt: Pack
    burnt_size: int
    hidden: Annotated[list[list[int]], SEATS, SLOTS]
    hidden_size: BySeat
    hands: BySeat
    tops: BySeat
    places: BySeat
    ready: BySeat
    swaps_left: BySeat
    times_shed: BySeat
    points: BySeat
    shed: BySeat
    game_no: int
    dealer: int
    direction: int
    phase: int
    turn: int
    turns: int
    out: int
    kind: int
    source: int
    with_tops: int
    events: Annotated[list[int], len(COLUMNS.events)]


def encode(options: ShitheadOptions, _setups: Sequence[Setup]) -> Any:
    """The match before its first game."""
    match = ShitheadMatch()
    match.players, match.games, match.cards = options.players, options.games, pack_size(options)
    match.each = cards_each(options)
    match.three = int(options.refill == "up_to_three")
    match.voluntary = int(options.pickup == "voluntary")
    match.transparent = int(options.joker_top == "transparent")
    match.again = int(options.two_player_joker == "again")
    match.through = int(options.burn_through_threes)
    match.lowest_card = int(options.first_starter == "lowest_card")
    match.left_of_shed = int(options.next_starter == "left_of_shed")
    match.exchanges = int(options.exchange)
    match.max_turns = NONE if options.max_turns is None else options.max_turns
    match.may[:] = [_allowed_on(options, t) for t in range(NOTHING, RANK_COUNT)]
    match.pack[: match.cards] = [ORDER[card] for card in pack(match.cards)]
    return records([match], ShitheadMatch)


def _allowed_on(options: ShitheadOptions, t: int) -> int:
    reset = options.joker_top == "reset"
    ranks = [rank for rank in range(RANK_COUNT) if allowed(rank, t, options.seven_lower, reset)]
    return sum(15 << 4 * rank for rank in ranks)


def lowest_rank(cards: int) -> int:
    rank = 0
    while (cards >> 4 * rank) & 15 == 0:
        rank += 1
    return rank


def lowest_card(cards: int) -> int:
    card = 4 * lowest_rank(cards)
    while (cards >> card) & 1 == 0:
        card += 1
    return card


def first_cards(cards: int, rank: int, count: int) -> int:
    """The first ``count`` cards of a rank, as a set."""
    chosen, card = 0, 4 * rank
    while count:
        if (cards >> card) & 1:
            chosen |= 1 << card
            count -= 1
        card += 1
    return chosen


def counts_of(cards: int) -> int:
    """A set as the searches count it (``bots.world``)."""
    counts = 0
    for place in range(RANK_COUNT):
        counts |= count_bits((cards >> 4 * RANK_OF[place]) & 15) << 4 * place
    return counts


def rank_to_beat(match: ShitheadMatch) -> int:
    """R11."""
    for at in range(match.pile_size - 1, -1, -1):
        rank = match.pile[at] >> 2
        if rank != THREE and not (match.transparent and rank == JOKER):
            return rank
    return NOTHING


def run_on_top(match: ShitheadMatch, height: int) -> int:
    """R13: how many cards on top of so high a pile have one rank."""
    last, run = match.pile[height - 1] >> 2, 0
    for at in range(height - 1, -1, -1):
        rank = match.pile[at] >> 2
        if rank == last:
            run += 1
        elif not (match.through and rank == THREE):
            break
    return run


def cards_left(match: ShitheadMatch, seat: int) -> int:
    return count_bits(match.hands[seat]) + count_bits(match.tops[seat]) + match.hidden_size[seat]


def open_match(words: Any, match: ShitheadMatch) -> None:
    open_game(words, match, 0)


def open_game(words: Any, match: ShitheadMatch, first: int) -> None:
    """R2 to R4; ``first`` gets the first card."""
    players, each = match.players, match.each
    for at in range(match.cards):
        match.deck[at] = match.pack[at]
    shuffle(words, match.deck, 0, match.cards)
    part = each * players
    for seat in range(players):
        lies = (seat - first) % players
        hand = top = 0
        for nth in range(each):
            match.hidden[seat][nth] = match.deck[nth * players + lies]
            top |= 1 << match.deck[part + nth * players + lies]
            hand |= 1 << match.deck[2 * part + nth * players + lies]
        match.hands[seat], match.tops[seat], match.hidden_size[seat] = hand, top, each
        match.places[seat] = 0
        match.ready[seat] = 1 - match.exchanges
        match.swaps_left[seat] = 3 * each * match.exchanges
    match.game_no += 1
    match.dealer = (first - 1) % players
    match.direction = 1
    match.stock = 3 * part
    match.pile_size = match.burnt_size = match.turns = match.out = 0
    match.phase, match.turn = IN_EXCHANGE, NONE
    match.events[STARTED] += 1
    match.events[DEALT] += players
    open_play(match)


def open_play(match: ShitheadMatch) -> None:
    """The starter's turn (R3, `first_starter`), once every seat is ready."""
    players, claims = match.players, SEATS * RANK_COUNT * 2
    turn = first = (match.dealer + 1) % players
    for seat in range(players):
        if not match.ready[seat]:
            return
        claim = RANK_COUNT
        for rank in range(RANK_COUNT):
            if (match.hands[seat] >> 4 * rank) & 15:
                claim = min(claim, CLAIMS[rank])
        claim = claim * SEATS + (seat - first) % players
        if claim < claims and match.lowest_card and match.game_no == 1:
            claims, turn = claim, seat
    match.phase, match.turn = IN_PLAY, turn
    match.events[TURN_TOLD] += 1


def is_over(match: ShitheadMatch) -> bool:
    return match.phase == IS_OVER


def take_turn(words: Any, match: ShitheadMatch, policies: Any) -> None:
    """R5: any seat that is not ready may act, until all are; then the seat whose turn it is."""
    if match.phase == IN_PLAY:
        choose(words, match, policies[match.turn])
        play(words, match)
        return
    count = 0
    for seat in range(match.players):
        count += 1 - match.ready[seat]
    number = below(words, count) if count > 1 else 0
    for seat in range(match.players):
        number -= 1 - match.ready[seat]
        if number < 0:
            card, top = choose_swap(words, match, seat, policies[seat])
            exchange(match, seat, card, top)
            return


def exchange(match: ShitheadMatch, seat: int, card: int, top: int) -> None:
    """R5: a card of the hand and a top card change places; with none the seat is ready."""
    if card < 0:
        match.ready[seat] = 1
        match.events[READY_SAID] += 1
        open_play(match)
        return
    cards = 1 << card | 1 << top
    match.hands[seat] ^= cards
    match.tops[seat] ^= cards
    match.swaps_left[seat] -= 1
    match.events[EXCHANGED] += 1


def choose_swap(words: Any, match: ShitheadMatch, seat: int, policy: int) -> tuple[int, int]:
    hand, top = match.hands[seat], match.tops[seat]
    if policy == LOWEST or not match.swaps_left[seat]:
        return NONE, NONE
    if policy == RANDOM:
        number = below(words, 1 + match.each * match.each) - 1
        if number < 0:
            return NONE, NONE
        for _ in range(number // match.each):
            hand &= hand - 1
        for _ in range(number % match.each):
            top &= top - 1
        return lowest_card(hand), lowest_card(top)
    best = worst = NONE
    for rank in range(RANK_COUNT):
        place = RANK_PLACES[rank]
        if (hand >> 4 * rank) & 15 and (best < 0 or place > RANK_PLACES[best]):
            best = rank
        if (top >> 4 * rank) & 15 and (worst < 0 or place < RANK_PLACES[worst]):
            worst = rank
    if RANK_PLACES[best] <= RANK_PLACES[worst]:
        return NONE, NONE
    return lowest_card(hand & (15 << 4 * best)), lowest_card(top & (15 << 4 * worst))


def choose(words: Any, match: ShitheadMatch, policy: int) -> None:
    """The move of the seat whose turn it is."""
    seat = match.turn
    hand, top = match.hands[seat], match.tops[seat]
    source = hand or top
    bored = policy != RANDOM and match.turns >= PATIENCE
    if source == 0:
        slots, number = match.hidden_size[seat], 0
        whim = policy == RANDOM or (policy == KEEPER and bored)
        if slots > 1 and whim and (policy == RANDOM or chance(words) < WHIM):
            number = below(words, slots)
        choose_cards(match, OF_SLOT, occupied_slot(match, number), 0)
        return
    may = source & match.may[1 + rank_to_beat(match)]
    extras, whole = 0, 15 << 4 * lowest_rank(hand or top)
    if may and hand and top and hand & ~whole == 0:
        extras = count_bits(top & whole)
    total = count_bits(may) + extras
    total += match.pile_size > 0 and (may == 0 or match.voluntary)
    if may == 0:
        choose_cards(match, OF_PILE, 0, 0)
    elif total == 1:
        choose_cards(match, OF_CARDS, may, 0)
    elif policy == RANDOM or (bored and chance(words) < WHIM):
        choose_any(match, below(words, total), may, source, top, extras)
    elif policy == LOWEST:
        rank = 15 << 4 * lowest_rank(may)
        choose_cards(match, OF_CARDS, may & rank, top & rank if extras else 0)
    else:
        choose_kept(match, may, hand, top)


def choose_cards(match: ShitheadMatch, kind: int, source: int, with_tops: int) -> None:
    match.kind, match.source, match.with_tops = kind, source, with_tops


def occupied_slot(match: ShitheadMatch, number: int) -> int:
    """The occupied slot of this number."""
    slot = 0
    while match.hidden[match.turn][slot] < 0 or number:
        number -= match.hidden[match.turn][slot] >= 0
        slot += 1
    return slot


def choose_any(
    match: ShitheadMatch, number: int, may: int, source: int, top: int, extras: int
) -> None:
    """Any legal move in the order of the rules: cards by rank and number, R9, `pickup`."""
    cards = count_bits(may)
    if number < cards:
        for _ in range(number):
            may &= may - 1
        card = lowest_card(may)
        choose_cards(match, OF_CARDS, source & ((1 << card + 1) - 1) & (15 << (card & ~3)), 0)
    elif number < cards + extras:
        tops = first_cards(top, lowest_rank(source), number - cards + 1)
        choose_cards(match, OF_CARDS, source, tops)
    else:
        choose_cards(match, OF_PILE, 0, 0)


def choose_kept(match: ShitheadMatch, may: int, hand: int, top: int) -> None:
    """Choose the cards that ``keeper`` plays."""
    height, last, run = match.pile_size, 0, 0
    while match.through and height and match.pile[height - 1] >> 2 == THREE:
        height -= 1
    if height:
        last, run = RANK_PLACES[match.pile[height - 1] >> 2], run_on_top(match, height)
    place, cards, extra = decide(counts_of(may), counts_of(hand), counts_of(top), last, run)
    rank = RANK_OF[place]
    choose_cards(match, OF_CARDS, first_cards(may, rank, cards), first_cards(top, rank, extra))


def play(words: Any, match: ShitheadMatch) -> None:
    """The chosen move with what follows: R15 to R17, and the end of the game (R18, R19)."""
    seat, players = match.turn, match.players
    again = act(match)
    wanted = 3 - count_bits(match.hands[seat]) if match.three else 1
    while wanted > 0 and match.stock < match.cards:
        match.hands[seat] |= 1 << match.deck[match.stock]
        match.stock += 1
        wanted -= 1
        match.events[DREW] += 1
    if cards_left(match, seat) == 0:
        match.out += 1
        match.places[seat] = match.out
        match.events[SEAT_OUT] += 1
        again = False
    match.turns += 1
    if match.out == players - 1 or 0 <= match.max_turns <= match.turns:
        first = score_game(match)
        if match.game_no < match.games:
            open_game(words, match, first)
        return
    match.events[TURN_TOLD] += 1
    if not again:
        match.turn = following(match)


def following(match: ShitheadMatch) -> int:
    """R17: the next seat in the game."""
    seat = (match.turn + match.direction) % match.players
    while match.places[seat]:
        seat = (seat + match.direction) % match.players
    return seat


def act(match: ShitheadMatch) -> bool:
    """R7 to R14: the chosen move; whether the seat has another turn."""
    seat, cards = match.turn, match.source
    if match.kind == OF_PILE:
        pick_up(match)
        return False
    if match.kind == OF_SLOT:
        card = match.hidden[seat][match.source]
        match.hidden[seat][match.source] = NONE
        match.hidden_size[seat] -= 1
        cards = 1 << card
        if match.may[1 + rank_to_beat(match)] & cards == 0:  # R10
            match.hands[seat] |= cards
            match.events[FAILED] += 1
            pick_up(match)
            return False
    elif match.hands[seat]:
        match.hands[seat] &= ~cards
        match.tops[seat] &= ~match.with_tops
    else:
        match.tops[seat] &= ~cards
    return after_lay(match, put(match, cards) + put(match, match.with_tops))


def pick_up(match: ShitheadMatch) -> None:
    for at in range(match.pile_size):
        match.hands[match.turn] |= 1 << match.pile[at]
    match.pile_size = 0
    match.events[PICKED_UP] += 1


def put(match: ShitheadMatch, cards: int) -> int:
    """Cards of a set onto the pile in order; how many."""
    count = 0
    while cards:
        match.pile[match.pile_size] = lowest_card(cards)
        match.pile_size += 1
        cards &= cards - 1
        count += 1
    return count


def after_lay(match: ShitheadMatch, count: int) -> bool:
    """R12 to R14: direction and burn; whether the seat has another turn."""
    match.events[PLAYED] += 1
    last = match.pile[match.pile_size - 1] >> 2
    turned = last == JOKER and count % 2 == 1
    if turned:
        match.direction = -match.direction
        match.events[TURNED] += 1
    run = run_on_top(match, match.pile_size)
    if last == TEN or run >= 4 or (last == JOKER and run >= 2):
        for at in range(match.pile_size):
            match.burnt[match.burnt_size + at] = match.pile[at]
        match.burnt_size += match.pile_size
        match.pile_size = 0
        match.events[BURNED] += 1
        return True
    return turned and match.again == 1 and match.players - match.out == 2


def score_game(match: ShitheadMatch) -> int:
    """Places and sheds (R18, R19); who gets the first card of the next game."""
    players, most, first = match.players, 0, NONE
    for seat in range(players):
        most = max(most, cards_left(match, seat))
    out = match.out
    for seat in range(players):
        cards, place = cards_left(match, seat), match.places[seat]
        match.shed[seat] = 1 if cards == most else 0
        if cards == most:
            place = players
            first = seat if first < 0 else first
        elif cards:
            place = 1 + out
            for other in range(players):
                place += 0 < cards_left(match, other) < cards
        match.places[seat] = place
        match.points[seat] += place
        match.times_shed[seat] += match.shed[seat]
    match.events[GAME_OVER] += 1
    match.phase, match.turn = IS_OVER, NONE
    return (first + 1) % players if match.left_of_shed else first


def finish(match: ShitheadMatch, result: Any) -> None:
    players = match.players
    match.events[MATCH_OVER] = 1
    for at in range(len(match.events)):
        result[EVENTS + at] = match.events[at]
    result[ROUNDS], result[BURNS] = match.events[GAME_OVER], match.events[BURNED]
    for seat in range(players):
        result[POINTS + seat] = match.points[seat]
        place = 1
        for other in range(players):
            if match.times_shed[other] != match.times_shed[seat]:
                place += match.times_shed[other] < match.times_shed[seat]
            else:
                place += match.points[other] < match.points[seat]
        result[POINTS + players + seat] = place


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return stream_words(), empty_records(1, ShitheadMatch)


def note(match: ShitheadMatch, out: Any) -> None:
    """The whole state as ``row`` has it, into the trace."""
    players = match.players
    out[1], out[2], out[3] = match.game_no, match.dealer, match.direction
    out[4], out[5], out[6] = match.phase, match.turns, match.turn
    at = note_cards(out, 7, match.deck, match.stock, match.cards)
    at = note_cards(out, at, match.pile, 0, match.pile_size)
    at = note_cards(out, at, match.burnt, 0, match.burnt_size)
    for seat in range(players):
        out[at + seat], out[at + players + seat] = match.places[seat], match.ready[seat]
        out[at + 2 * players + seat] = match.times_shed[seat]
        out[at + 3 * players + seat] = match.points[seat]
        out[at + 4 * players + seat] = match.swaps_left[seat]
        out[at + 5 * players + seat] = match.shed[seat]
    at += 6 * players
    for seat in range(players):
        at = note_set(out, at, match.hands[seat])
        at = note_set(out, at, match.tops[seat])
        for slot in range(match.each):
            card = match.hidden[seat][slot]
            out[at] = NONE if card < 0 else RULES_CARDS[card]
            at += 1
    out[0] = at - 1


def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """Cards by the numbers that the rules give them: how many and which; the next place."""
    out[at] = last - first
    at += 1
    for nth in range(first, last):
        out[at] = RULES_CARDS[cards[nth]]
        at += 1
    return at


def note_set(out: Any, at: int, cards: int) -> int:
    """A set of cards in the order of the rules: how many and which; the next place."""
    first = at
    at += 1
    while cards:
        out[at] = RULES_CARDS[lowest_card(cards)]
        cards &= cards - 1
        at += 1
    out[first] = at - first - 1
    return at


def row(state: ShitheadState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    turn, stock, pile, burned = state.turn, state.stock, state.pile, state.burned
    numbers = [state.game_no, state.dealer, state.direction, PHASES[state.phase], state.turns]
    numbers += (NONE if turn is None else turn, len(stock), *stock, len(pile), *pile)
    numbers += (len(burned), *burned, *state.places, *state.ready, *state.times_shed)
    numbers += (*state.points, *(state.swaps_left or ()))
    numbers += [seat in state.last_shed for seat in range(len(state.hands))]
    for hand, top, slots in zip(state.hands, state.tops, state.hidden, strict=True):
        numbers += (len(hand), *hand, len(top), *top)
        numbers += [NONE if card is None else card for card in slots]
    return numbers


play_batch: Final = bound(
    play_matches,
    open_match=open_match,
    is_over=is_over,
    take_turn=take_turn,
    finish=finish,
    note=note,
)

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

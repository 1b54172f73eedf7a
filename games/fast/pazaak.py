"""Pazaak compiled: whole matches, R1 to R25 with every option of the rules and every side deck.

The policies ``random``, ``rookie``, ``gambler`` and ``cheater`` play exactly as the bots of these
names.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from games.fast.compiling import inner, outer
from games.fast.kernel import Columns, Kernel, Variant
from games.fast.stream import below, shuffle
from games.rules.pazaak import predicates
from games.rules.pazaak.bots.chances import worth
from games.rules.pazaak.bots.gambler import FAIR, GOOD
from games.rules.pazaak.bots.rookie import ENOUGH
from games.rules.pazaak.deal import CHEATER, complete_setup
from games.rules.pazaak.deal import HAND as HAND_SIZE
from games.rules.pazaak.moves import CARD_PLAYS, WAYS
from games.rules.pazaak.options import PazaakOptions
from games.rules.pazaak.predicates import MAIN_PACK, PLACES, TAKES_PLACE, TARGET
from games.rules.pazaak.side_cards import CODES, DECK_SIZE
from games.rules.pazaak.state import PazaakState, PlayerState
from games.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("rounds", "limit"),
    measures=(),
    events=(
        "match_started", "round_started", "opener", "hand_drawn", "main_drawn", "card_played",
        "passed", "stood", "round_over", "match_over",
    ),
)  # fmt: skip
ROUNDS, PLIES = 1, 2
(
    MATCH_STARTED, ROUND_STARTED, OPENER_TOLD, HAND_DRAWN, MAIN_DRAWN, CARD_PLAYED, PASSED, STOOD,
    ROUND_OVER, MATCH_OVER,
) = range(3, 13)  # fmt: skip
POINTS: Final = COLUMNS.points

# The options as they are encoded, then for each seat whether it cheats, then both side decks.
(
    ONCE, ROUNDS_TO_WIN, AT_END, AUTO_STAND, FILL_STANDS, TAKES_SLOT, ANY_TIEBREAKER, FIRST, NEXT,
    MAX_ROUNDS, CHEATS,
) = range(11)  # fmt: skip
SIDE_DECKS: Final = CHEATS + 2
OPENER, SEAT_0, SEAT_1 = range(3)
ALTERNATE, WINNER, LOSER, ALWAYS = range(4)
NONE: Final = -1
RANDOM, ROOKIE, GAMBLER = range(3)

SIDE_CARDS: Final = len(CODES)
MAIN_SIZE: Final = len(MAIN_PACK)
_PLAYS: Final = [[CARD_PLAYS[move] for move in WAYS[code]] for code in CODES]
_MOST_WAYS: Final = max(map(len, _PLAYS))


def _table(numbers: Any) -> Any:
    return numpy.array(list(numbers), dtype=numpy.int64)


VALUE, FLIP, DOUBLE = range(3)
KINDS: Final = _table(
    {"flip": FLIP, "double": DOUBLE}.get(plays[0].kind, VALUE) for plays in _PLAYS
)
WAY_COUNTS: Final = _table(len(plays) for plays in _PLAYS)
AMOUNTS: Final = _table(
    [play.amount for play in plays] + [0] * (_MOST_WAYS - len(plays)) for plays in _PLAYS
)
FLIPS: Final = _table(plays[0].flips or (0, 0) for plays in _PLAYS)
NEEDS_PLACE: Final = _table(code in TAKES_PLACE for code in CODES)
WORTHS: Final = _table(worth(code) for code in CODES)
MAIN_CARDS: Final = _table(MAIN_PACK)
TIEBREAKER: Final = CODES.index("T")
MAIN_CODE: Final = 100  # and its value: the code of a main card on a board

# The facts of a match.
ROUND_NO, OPENED, STARTER, TO_ACT, PHASE, WINS_0, WINS_1, CHOSEN, WAY, LEADS = range(10)
TURN_START, TURN_PLAY, TURN_CLOSE, IS_OVER = range(4)
DRAW, STAND, CLOSE = -1, -2, -3  # CHOSEN where it is no card
# What is kept of a seat.
MAIN_AT, SIDE, PLAYED, BOARD, TOTAL, STANDING, ALLOWANCE = range(7)
# The cards of a seat: its decks and what it has played, in order.
MAIN, REST, GONE, CODE, NUMBER = range(5)
# What remains to be done before a seat has a choice again.
(
    WAIT, DO_DRAW, DO_END, DO_FILLED, DO_GO_ON, DO_BEGIN, DO_OVER,
) = range(7)  # fmt: skip

is_bust = inner(predicates.is_bust)
is_filled = inner(predicates.is_filled)


@inner
def has_space(options: Any, board: int, code: int) -> bool:
    if board < PLACES:
        return True
    return not NEEDS_PLACE[code] and not options[TAKES_SLOT]


@inner
def is_flipped(value: int, code: int) -> bool:
    size = abs(value)
    return size == FLIPS[code, 0] or size == FLIPS[code, 1]  # type: ignore[no-any-return]


@inner
def total_after(cards: Any, seats: Any, seat: int, code: int, way: int) -> int:
    total, board = seats[seat, TOTAL], seats[seat, BOARD]
    if KINDS[code] == VALUE:
        return total + AMOUNTS[code, way]  # type: ignore[no-any-return]
    if KINDS[code] == DOUBLE:
        return total + cards[seat, NUMBER, board - 1]  # type: ignore[no-any-return]
    for at in range(board):
        if is_flipped(cards[seat, NUMBER, at], code):
            total -= 2 * cards[seat, NUMBER, at]
    return total  # type: ignore[no-any-return]


@inner
def has_tiebreaker(options: Any, cards: Any, seats: Any, seat: int) -> bool:
    """R22."""
    board = seats[seat, BOARD]
    for at in range(0 if options[ANY_TIEBREAKER] else max(0, board - 1), board):
        if cards[seat, CODE, at] == TIEBREAKER:
            return True
    return False


@inner
def breaks_ties_after(options: Any, cards: Any, seats: Any, seat: int, code: int) -> bool:
    """Whether the seat has a tiebreaker that counts once it has played this card."""
    if code == TIEBREAKER:
        return True
    if not options[ANY_TIEBREAKER] and (KINDS[code] == VALUE or options[TAKES_SLOT]):
        return False
    return has_tiebreaker(options, cards, seats, seat)


@inner
def add(cards: Any, seats: Any, seat: int, code: int, value: int) -> None:
    board = seats[seat, BOARD]
    cards[seat, CODE, board] = code
    cards[seat, NUMBER, board] = value
    seats[seat, BOARD] = board + 1


@inner
def lay(options: Any, cards: Any, seats: Any, seat: int, code: int, way: int) -> None:
    """R14 to R17."""
    newest = seats[seat, BOARD] - 1
    if KINDS[code] == VALUE:
        add(cards, seats, seat, code, AMOUNTS[code, way])
    elif KINDS[code] == DOUBLE:
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, cards[seat, NUMBER, newest])
        else:
            cards[seat, NUMBER, newest] *= 2
    else:
        for at in range(seats[seat, BOARD]):
            if is_flipped(cards[seat, NUMBER, at], code):
                cards[seat, NUMBER, at] = -cards[seat, NUMBER, at]
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, 0)
    total = 0
    for at in range(seats[seat, BOARD]):
        total += cards[seat, NUMBER, at]
    seats[seat, TOTAL] = total


@inner
def spend(cards: Any, seats: Any, hands: Any, seat: int, code: int) -> None:
    """The card is gone for the match (R3), off a cheater's allowance (R25)."""
    hands[seat, code] -= 1
    cards[seat, GONE, seats[seat, PLAYED]] = code
    seats[seat, PLAYED] += 1
    if seats[seat, ALLOWANCE] < 0:
        return
    seats[seat, ALLOWANCE] -= 1
    at = 0
    while cards[seat, REST, at] != code:
        at += 1
    seats[seat, SIDE] -= 1
    for place in range(at, seats[seat, SIDE]):
        cards[seat, REST, place] = cards[seat, REST, place + 1]


@inner
def set_up(options: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any) -> None:
    """Side decks shuffled once (R3), nothing dealt. A cheater's deck is its hand."""
    for seat in range(2):
        for code in range(SIDE_CARDS):
            hands[seat, code] = 0
        for at in range(DECK_SIZE):
            cards[seat, REST, at] = options[SIDE_DECKS + seat * DECK_SIZE + at]
            hands[seat, cards[seat, REST, at]] += options[CHEATS + seat]
        shuffle(words, cards[seat, REST], 0, DECK_SIZE)
        seats[seat, SIDE] = DECK_SIZE
        seats[seat, PLAYED] = 0
        seats[seat, ALLOWANCE] = 0 if options[CHEATS + seat] else NONE
    for fact in (ROUND_NO, OPENED, STARTER, WINS_0, WINS_1):
        facts[fact] = 0


@inner
def first_starter(options: Any, cards: Any) -> int:
    """R6."""
    if options[FIRST] != OPENER:
        return 1 if options[FIRST] == SEAT_1 else 0
    for at in range(MAIN_SIZE - 1, -1, -1):
        if cards[0, MAIN, at] != cards[1, MAIN, at]:
            return 1 if cards[1, MAIN, at] > cards[0, MAIN, at] else 0
    return 0


@inner
def next_starter(options: Any, facts: Any) -> int:
    winner = facts[LEADS]
    if options[NEXT] == ALWAYS:
        return facts[OPENED]  # type: ignore[no-any-return]
    if options[NEXT] == ALTERNATE or winner < 0:
        return 1 - facts[STARTER]  # type: ignore[no-any-return]
    return winner if options[NEXT] == WINNER else 1 - winner  # type: ignore[no-any-return]


@inner
def open_round(
    options: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any, result: Any
) -> None:
    """R4 to R6, R25; LEADS is who won the round before."""
    for seat in range(2):
        for at in range(MAIN_SIZE):
            cards[seat, MAIN, at] = MAIN_CARDS[at]
        shuffle(words, cards[seat, MAIN], 0, MAIN_SIZE)
    limit = HAND_SIZE if facts[ROUND_NO] == 0 or not options[ONCE] else 0
    facts[ROUND_NO] += 1
    if facts[ROUND_NO] == 1:
        facts[STARTER] = facts[OPENED] = first_starter(options, cards)
        result[OPENER_TOLD] += options[FIRST] == OPENER
    else:
        facts[STARTER] = next_starter(options, facts)
    for seat in range(2):
        seats[seat, MAIN_AT] = seats[seat, BOARD] = seats[seat, TOTAL] = seats[seat, STANDING] = 0
        if options[CHEATS + seat]:
            seats[seat, ALLOWANCE] += min(limit, seats[seat, SIDE] - seats[seat, ALLOWANCE])
            continue
        drawn = min(limit, seats[seat, SIDE])
        for at in range(drawn):
            hands[seat, cards[seat, REST, at]] += 1
        seats[seat, SIDE] -= drawn
        for at in range(seats[seat, SIDE]):
            cards[seat, REST, at] = cards[seat, REST, at + drawn]
    result[ROUND_STARTED] += 1
    result[HAND_DRAWN] += 2
    facts[TO_ACT], facts[PHASE] = facts[STARTER], TURN_START


@inner
def count_ways(options: Any, seats: Any, hands: Any, seat: int) -> int:
    """How many moves play a card."""
    if seats[seat, ALLOWANCE] == 0:
        return 0
    count = 0
    for code in range(SIDE_CARDS):
        if hands[seat, code] and has_space(options, seats[seat, BOARD], code):
            count += WAY_COUNTS[code]
    return count


@inner
def choose_way(options: Any, seats: Any, hands: Any, facts: Any, seat: int, number: int) -> None:
    """The card play of this number, in the order of the rules."""
    for code in range(SIDE_CARDS):
        if hands[seat, code] and has_space(options, seats[seat, BOARD], code):
            if number < WAY_COUNTS[code]:
                facts[CHOSEN], facts[WAY] = code, number
                return
            number -= WAY_COUNTS[code]


@inner
def beats(options: Any, seats: Any, cards: Any, seat: int, total: int, breaks: bool) -> bool:  # noqa: FBT001
    """Whether standing with this wins against what the rival stands on."""
    if total != seats[1 - seat, TOTAL]:
        return total > seats[1 - seat, TOTAL]  # type: ignore[no-any-return]
    return breaks and not has_tiebreaker(options, cards, seats, 1 - seat)


@inner
def is_content(options: Any, seats: Any, cards: Any, seat: int) -> bool:
    """``gambler.is_content``."""
    total, rival = seats[seat, TOTAL], seats[1 - seat, TOTAL]
    if total == TARGET:
        return True
    if is_bust(total):
        return False
    if seats[1 - seat, STANDING]:
        breaks = has_tiebreaker(options, cards, seats, seat)
        ahead = beats(options, seats, cards, seat, total, breaks)
        return ahead or (total == rival and total >= GOOD)
    return total >= GOOD or (total == FAIR and rival < FAIR)  # type: ignore[no-any-return]


@inner
def mend(
    options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int, cheap: int
) -> None:
    """Undoes a bust with the highest total; with ``cheap`` by the cheapest card of several."""
    best = NONE * 1000
    for code in range(SIDE_CARDS):
        if not hands[seat, code] or not has_space(options, seats[seat, BOARD], code):
            continue
        for way in range(WAY_COUNTS[code]):
            total = total_after(cards, seats, seat, code, way)
            rank = 8 * total - cheap * WORTHS[code]
            if not is_bust(total) and rank > best:
                best = rank
                facts[CHOSEN], facts[WAY] = code, way


@inner
def reach(
    options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int, to_target: int
) -> None:
    """The cheapest card that makes 20, or that beats what the rival stands on."""
    best = 1 << 20
    for code in range(SIDE_CARDS):
        if not hands[seat, code] or not has_space(options, seats[seat, BOARD], code):
            continue
        for way in range(WAY_COUNTS[code]):
            total = total_after(cards, seats, seat, code, way)
            if is_bust(total):
                continue
            if to_target:
                fits = total == TARGET
            else:
                breaks = breaks_ties_after(options, cards, seats, seat, code)
                fits = beats(options, seats, cards, seat, total, breaks)
            rank = 1000 * WORTHS[code] + total
            if fits and rank < best:
                best = rank
                facts[CHOSEN], facts[WAY] = code, way


@inner
def gamble(options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int) -> None:
    """``gambler.best_card``."""
    total = seats[seat, TOTAL]
    if seats[seat, ALLOWANCE] == 0:
        return
    if is_bust(total):
        mend(options, seats, cards, hands, facts, seat, 1)
        return
    if total == TARGET or seats[seat, BOARD] == PLACES:
        return
    reach(options, seats, cards, hands, facts, seat, 1)
    if facts[CHOSEN] < 0 and seats[1 - seat, STANDING]:
        breaks = has_tiebreaker(options, cards, seats, seat)
        if not beats(options, seats, cards, seat, total, breaks):
            reach(options, seats, cards, hands, facts, seat, 0)


@inner
def choose_at_random(options: Any, seats: Any, hands: Any, facts: Any, words: Any) -> None:
    seat, ways, closing = facts[TO_ACT], 0, 2
    if facts[PHASE] == TURN_PLAY:
        ways = count_ways(options, seats, hands, seat)
        closing = 2 if options[AT_END] else 1
    number = below(words, ways + closing) if ways + closing > 1 else 0
    if number < ways:
        choose_way(options, seats, hands, facts, seat, number)
    elif number > ways:
        facts[CHOSEN] = STAND
    else:
        facts[CHOSEN] = DRAW if facts[PHASE] == TURN_START else CLOSE


@inner
def choose(
    options: Any, policy: int, seats: Any, cards: Any, hands: Any, facts: Any, words: Any
) -> None:
    """The move of the seat to act, into CHOSEN and WAY."""
    if policy == RANDOM:
        choose_at_random(options, seats, hands, facts, words)
        return
    seat = facts[TO_ACT]
    total = seats[seat, TOTAL]
    facts[CHOSEN] = DRAW
    if facts[PHASE] == TURN_PLAY:
        if policy == GAMBLER:
            gamble(options, seats, cards, hands, facts, seat)
        elif is_bust(total) and seats[seat, ALLOWANCE] != 0:
            mend(options, seats, cards, hands, facts, seat, 0)
        if facts[CHOSEN] >= 0:
            return
    if facts[PHASE] == TURN_PLAY and not options[AT_END]:
        facts[CHOSEN] = CLOSE
        return
    if policy == GAMBLER:
        stands = is_content(options, seats, cards, seat)
    else:
        stands = total >= ENOUGH and (facts[PHASE] == TURN_START or not is_bust(total))
    facts[CHOSEN] = STAND if stands else DRAW if facts[PHASE] == TURN_START else CLOSE


@inner
def stand(seats: Any, seat: int, result: Any) -> None:
    seats[seat, STANDING] = 1
    result[STOOD] += 1


@inner
def end_round(facts: Any, result: Any) -> None:
    """LEADS has won the round, or nobody (R18 to R24)."""
    if facts[LEADS] >= 0:
        facts[WINS_0 + facts[LEADS]] += 1
    facts[TO_ACT], facts[PHASE] = NONE, IS_OVER
    result[ROUND_OVER] += 1


@inner
def is_decided(options: Any, facts: Any) -> bool:
    most = max(facts[WINS_0], facts[WINS_1])
    return most >= options[ROUNDS_TO_WIN] or facts[ROUND_NO] == options[MAX_ROUNDS]  # type: ignore[no-any-return]


@inner
def compare(options: Any, cards: Any, seats: Any, facts: Any) -> None:
    """R21, R22."""
    facts[LEADS] = NONE
    if seats[0, TOTAL] != seats[1, TOTAL]:
        facts[LEADS] = 1 if seats[1, TOTAL] > seats[0, TOTAL] else 0
        return
    first = has_tiebreaker(options, cards, seats, 0)
    second = has_tiebreaker(options, cards, seats, 1)
    if first != second:
        facts[LEADS] = 1 if second else 0


@inner
def draw(cards: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R9, R10."""
    value = cards[seat, MAIN, seats[seat, MAIN_AT]]
    seats[seat, MAIN_AT] += 1
    add(cards, seats, seat, MAIN_CODE + value, value)
    seats[seat, TOTAL] += value
    result[MAIN_DRAWN] += 1
    facts[TO_ACT], facts[PHASE] = seat, TURN_PLAY
    return DO_FILLED if is_filled(seats[seat, BOARD], seats[seat, TOTAL]) else WAIT


@inner
def end_turn(options: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R12."""
    total = seats[seat, TOTAL]
    if is_bust(total):
        facts[LEADS] = 1 - seat
        return DO_OVER
    if is_filled(seats[seat, BOARD], total):
        return DO_FILLED
    if total == TARGET and options[AUTO_STAND] and not seats[seat, STANDING]:
        stand(seats, seat, result)
    return DO_GO_ON


@inner
def fill(options: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R20, `table_fill`."""
    if not options[FILL_STANDS]:
        facts[LEADS] = seat
        return DO_OVER
    if not seats[seat, STANDING]:
        stand(seats, seat, result)
    return DO_GO_ON


@inner
def go_on(options: Any, cards: Any, seats: Any, seat: int, facts: Any) -> int:
    """R12.4, R12.5, R7."""
    following = 1 - seat
    if seats[1 - seat, STANDING]:
        if seats[seat, STANDING]:
            compare(options, cards, seats, facts)
            return DO_OVER
        following = seat
    facts[TO_ACT], facts[PHASE] = following, TURN_START
    return DO_BEGIN


@inner
def carry_on(
    options: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any, do: int, result: Any
) -> None:
    """All that follows by itself, until a seat has a choice or the match is over."""
    seat = facts[TO_ACT]
    while do != WAIT:
        if do == DO_DRAW:
            do = draw(cards, seats, seat, facts, result)
        elif do == DO_END:
            do = end_turn(options, seats, seat, facts, result)
        elif do == DO_FILLED:
            do = fill(options, seats, seat, facts, result)
        elif do == DO_GO_ON:
            do = go_on(options, cards, seats, seat, facts)
        elif do == DO_OVER:
            end_round(facts, result)
            if is_decided(options, facts):
                return
            open_round(options, words, cards, seats, hands, facts, result)
            do = DO_BEGIN
        else:
            seat = facts[TO_ACT]
            do = DO_DRAW if options[AT_END] else WAIT


@inner
def act(options: Any, cards: Any, seats: Any, hands: Any, facts: Any, result: Any) -> int:
    """The chosen move; what is to be done next."""
    seat, chosen = facts[TO_ACT], facts[CHOSEN]
    if chosen >= 0:
        lay(options, cards, seats, seat, chosen, facts[WAY])
        spend(cards, seats, hands, seat, chosen)
        result[CARD_PLAYED] += 1
        facts[PHASE] = TURN_CLOSE
        return WAIT if options[AT_END] else DO_END
    if chosen == DRAW:
        return DO_DRAW
    if chosen == CLOSE:
        result[PASSED] += 1
        return DO_END
    stand(seats, seat, result)
    return DO_END if options[AT_END] else DO_GO_ON


@inner
def play_match(
    options: Any, policies: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any,
    result: Any, trace: Any,
) -> None:  # fmt: skip
    set_up(options, words, cards, seats, hands, facts)
    open_round(options, words, cards, seats, hands, facts, result)
    carry_on(options, words, cards, seats, hands, facts, DO_BEGIN, result)
    while facts[PHASE] != IS_OVER:
        if trace.shape[0]:
            note(cards, seats, hands, facts, trace, result[PLIES])
        choose(options, policies[facts[TO_ACT]], seats, cards, hands, facts, words)
        do = act(options, cards, seats, hands, facts, result)
        result[PLIES] += 1
        carry_on(options, words, cards, seats, hands, facts, do, result)


@inner
def finish(options: Any, facts: Any, result: Any) -> None:
    wins = (facts[WINS_0], facts[WINS_1])
    result[0] = max(wins[0], wins[1]) < options[ROUNDS_TO_WIN]
    result[ROUNDS] = result[ROUND_OVER]
    result[MATCH_STARTED] = result[MATCH_OVER] = 1
    for seat in range(2):
        result[POINTS + seat] = facts[WINS_0 + seat]
        result[POINTS + 2 + seat] = 1 + (facts[WINS_0 + 1 - seat] > facts[WINS_0 + seat])


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    out[at] = last - first
    at += 1
    for nth in range(first, last):
        out[at] = cards[nth]
        at += 1
    return at


@inner
def note(cards: Any, seats: Any, hands: Any, facts: Any, trace: Any, ply: int) -> None:
    """The whole state as ``row`` has it, into the trace."""
    out, at = trace[ply], 1
    for fact in (ROUND_NO, OPENED, STARTER, TO_ACT, PHASE, WINS_0, WINS_1):
        out[at] = facts[fact]
        at += 1
    for seat in range(2):
        for fact in (STANDING, TOTAL, ALLOWANCE):
            out[at] = seats[seat, fact]
            at += 1
        at = note_cards(out, at, cards[seat, MAIN], seats[seat, MAIN_AT], MAIN_SIZE)
        at = note_cards(out, at, cards[seat, REST], 0, seats[seat, SIDE])
        at = note_cards(out, at, cards[seat, GONE], 0, seats[seat, PLAYED])
        at = note_cards(out, at, cards[seat, CODE], 0, seats[seat, BOARD])
        at = note_cards(out, at, cards[seat, NUMBER], 0, seats[seat, BOARD])
        for code in range(SIDE_CARDS):
            out[at] = hands[seat, code]
            at += 1
    out[0] = at - 1


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    shapes = ((2, 5, 64), (2, 7), (2, SIDE_CARDS), 10)
    arrays = [numpy.zeros(shape, dtype=numpy.int64) for shape in shapes]
    return (numpy.zeros(2, dtype=numpy.uint64), *arrays)


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,
    words: Any, cards: Any, seats: Any, hands: Any, facts: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        play_match(options, policies, words, cards, seats, hands, facts, result, rows)
        finish(options, facts, result)
        if rows.shape[0]:
            note(cards, seats, hands, facts, rows, result[PLIES])
        first += result[PLIES] + 1


def encode(options: PazaakOptions, setups: Sequence[Setup]) -> Any:
    facts = [
        options.hand_rule == "once",
        options.rounds_to_win,
        options.stand_timing == "turn_end",
        options.auto_stand_20,
        options.table_fill == "stand",
        options.specials_take_slot,
        options.tiebreaker_scope == "played_this_round",
        ("opener", "seat0", "seat1").index(options.first_starter),
        ("alternate", "winner", "loser", "fixed").index(options.next_starter),
        NONE if options.max_rounds is None else options.max_rounds,
    ]
    facts += [setup.bot == CHEATER for setup in setups]
    for setup in setups:
        deck = complete_setup(options, setup).side_deck or ()
        facts += [CODES.index(code) for code in deck]
    return numpy.array(facts, dtype=numpy.int64)


def uncovered(_options: PazaakOptions) -> str:
    return ""


def row(state: PazaakState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    phase = ("turn_start", "turn_play", "turn_close", "over").index(state.phase)
    to_act = NONE if state.to_act is None else state.to_act
    found = [state.round_no, state.opener, state.starter, to_act, phase, *state.wins]
    for player in state.halves:
        found += _half(player)
    return found


def _half(player: PlayerState) -> list[int]:
    allowance = NONE if player.allowance is None else player.allowance
    board = [
        MAIN_CODE + int(card.code) if card.source == "main" else CODES.index(card.code)
        for card in player.board
    ]
    found = [int(player.standing), player.total, allowance, len(player.main), *player.main]
    for codes in (player.side, player.played):
        found += [len(codes), *map(CODES.index, codes)]
    found += [len(board), *board, len(board), *(card.value for card in player.board)]
    held = player.hand if player.allowance is None else player.side
    return [*found, *(held.count(code) for code in CODES)]


def two(_options: PazaakOptions) -> int:
    return 2


VARIANTS: Final[dict[str, Variant]] = {
    "random": (("random",), {}),
    "gambler": (("gambler", "rookie"), {}),
    "cheater": (("cheater", "gambler"), {"max_copies": 3}),
    "kotor1": (
        ("gambler", "cheater"),
        {
            "hand_rule": "once",
            "rounds_to_win": 3,
            "catalogue": "kotor1",
            "stand_timing": "turn_end",
            "table_fill": "stand",
            "next_starter": "fixed",
        },
    ),
    "kotor2": (
        ("random", "gambler"),
        {
            "hand_rule": "once",
            "rounds_to_win": 3,
            "catalogue": "kotor2",
            "stand_timing": "turn_end",
            "specials_take_slot": True,
        },
    ),
    "limit": (
        ("rookie", "random"),
        {
            "max_rounds": 4,
            "auto_stand_20": False,
            "tiebreaker_scope": "played_this_round",
            "first_starter": "seat1",
            "next_starter": "loser",
        },
    ),
}

KERNEL: Final = Kernel(
    slug="pazaak",
    columns=COLUMNS,
    policies={"random": RANDOM, "rookie": ROOKIE, "gambler": GAMBLER, "cheater": GAMBLER},
    encode=encode,
    uncovered=uncovered,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=300,
    sides=two,
    seats=two,
    variants=VARIANTS,
)

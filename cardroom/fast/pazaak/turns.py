"""A move and what follows by itself (R7 to R12, R20).

How a match and its rounds begin and end (R3 to R6, R18 to R24).

The rule of ``gambler``: when it stands and which card it plays.

The move of each bot that the kernel plays.
"""

from typing import Any

from cardroom.fast.compiling import below, inner, shuffle
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    ALTERNATE,
    ALWAYS,
    AT_END,
    AUTO_STAND,
    BOARD,
    CARD_PLAYED,
    CHEATS,
    CHOSEN,
    CLOSE,
    DO_BEGIN,
    DO_DRAW,
    DO_END,
    DO_FILLED,
    DO_GO_ON,
    DO_OVER,
    DRAW,
    FILL_STANDS,
    FIRST,
    GAMBLER,
    HAND_DRAWN,
    IS_OVER,
    LEADS,
    MAIN,
    MAIN_AT,
    MAIN_CARDS,
    MAIN_CODE,
    MAIN_DRAWN,
    MAIN_SIZE,
    MAX_ROUNDS,
    NEXT,
    NONE,
    ONCE,
    OPENED,
    OPENER,
    OPENER_TOLD,
    PASSED,
    PHASE,
    PLAYED,
    RANDOM,
    REST,
    ROUND_NO,
    ROUND_OVER,
    ROUND_STARTED,
    ROUNDS_TO_WIN,
    SEAT_1,
    SIDE,
    SIDE_CARDS,
    SIDE_DECKS,
    STAND,
    STANDING,
    STARTER,
    STOOD,
    TO_ACT,
    TOTAL,
    TURN_CLOSE,
    TURN_PLAY,
    TURN_START,
    WAIT,
    WAY,
    WAY_COUNTS,
    WINNER,
    WINS_0,
    WINS_1,
    WORTHS,
    add,
    breaks_ties_after,
    has_space,
    has_tiebreaker,
    is_bust,
    is_filled,
    lay,
    spend,
    total_after,
)
from cardroom.rules.pazaak.bots.simple import ROOKIE_ENOUGH
from cardroom.rules.pazaak.bots.six_rule import GOOD
from cardroom.rules.pazaak.predicates import PLACES, TARGET
from cardroom.rules.pazaak.side_cards import DECK_SIZE
from cardroom.rules.pazaak.state import HAND as HAND_SIZE


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
def stand(seats: Any, seat: int, result: Any) -> None:
    seats[seat, STANDING] = 1
    result[STOOD] += 1


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
    return total >= GOOD  # type: ignore[no-any-return]


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
        stands = total >= ROOKIE_ENOUGH and (facts[PHASE] == TURN_START or not is_bust(total))
    facts[CHOSEN] = STAND if stands else DRAW if facts[PHASE] == TURN_START else CLOSE

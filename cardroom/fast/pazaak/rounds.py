"""How a match and its rounds begin and end (R3 to R6, R18 to R24)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.board import has_tiebreaker
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    ALTERNATE,
    ALWAYS,
    BOARD,
    CHEATS,
    FIRST,
    HAND_DRAWN,
    IS_OVER,
    LEADS,
    MAIN,
    MAIN_AT,
    MAIN_CARDS,
    MAIN_SIZE,
    MAX_ROUNDS,
    NEXT,
    NONE,
    ONCE,
    OPENED,
    OPENER,
    OPENER_TOLD,
    PHASE,
    PLAYED,
    REST,
    ROUND_NO,
    ROUND_OVER,
    ROUND_STARTED,
    ROUNDS_TO_WIN,
    SEAT_1,
    SIDE,
    SIDE_CARDS,
    SIDE_DECKS,
    STANDING,
    STARTER,
    TO_ACT,
    TOTAL,
    TURN_START,
    WINNER,
    WINS_0,
    WINS_1,
)
from cardroom.fast.stream import shuffle
from cardroom.rules.pazaak.deal import HAND as HAND_SIZE
from cardroom.rules.pazaak.side_cards import DECK_SIZE


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

"""Whole matches, one after the other."""

from typing import Any

from cardroom.fast.compiling import inner, outer
from cardroom.fast.kernel import work_arrays
from cardroom.fast.pisti.dealing import deal_from_stock, open_deal
from cardroom.fast.pisti.layout import (
    CARDS,
    DEAL_NO,
    HAND,
    MATCH_OVER,
    OVER,
    PISTI,
    PISTIS,
    PLAYED,
    PLAYERS,
    PLIES,
    POINTS,
    ROUNDS,
    SCORED,
    SIDES,
    STOCK,
    TARGET,
    TOTAL,
)
from cardroom.fast.pisti.rounds import is_decided, score
from cardroom.fast.pisti.states import note
from cardroom.fast.pisti.turns import play_batch_of_hands
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL


@inner
def open_match(options: Any, facts: Any, seats: Any) -> None:
    facts[DEAL_NO] = facts[OVER] = 0
    for side in range(options[SIDES]):
        seats[side, TOTAL] = 0


@inner
def play_match(
    options: Any, policies: Any, words: Any, deck: Any, pile: Any, facts: Any, seats: Any,
    hands: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    open_match(options, facts, seats)
    while not facts[OVER]:
        open_deal(options, words, deck, pile, facts, seats, hands, result)
        while True:
            if trace.shape[0]:  # two copies of it: see there
                play_batch_of_hands(
                    options, policies, words, deck, pile, facts, seats, hands, result, trace, True
                )
            else:
                play_batch_of_hands(
                    options, policies, words, deck, pile, facts, seats, hands, result, trace, False
                )
            if facts[STOCK] == CARDS:
                break
            deal_from_stock(options, deck, facts, seats, hands, result)
        score(options, facts, seats, result)
        facts[OVER] = is_decided(options, seats)
        result[PLIES] += PLAYS_PER_DEAL


@inner
def finish(options: Any, facts: Any, seats: Any, result: Any) -> None:
    players, sides, deals = options[PLAYERS], options[SIDES], facts[DEAL_NO]
    result[0] = options[TARGET] < 0
    result[ROUNDS] = result[SCORED] = deals
    result[PLAYED] = result[PLIES]
    result[PISTIS] = result[PISTI]
    result[MATCH_OVER] = 1
    for side in range(sides):
        result[POINTS + side] = seats[side, TOTAL]
    for seat in range(players):
        place = 1
        for other in range(sides):
            place += seats[other, TOTAL] > seats[seat % sides, TOTAL]
        result[POINTS + sides + seat] = place


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays(64, 64, 11, (HAND, 5), HAND)


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,
    words: Any, deck: Any, pile: Any, facts: Any, seats: Any, hands: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        play_match(options, policies, words, deck, pile, facts, seats, hands, result, rows)
        finish(options, facts, seats, result)
        if rows.shape[0]:
            note(options, deck, pile, facts, seats, hands, rows, result[PLIES])
        first += result[PLIES] + 1

"""Whole matches, one after the other.

Rules and bots over which the kernel is checked against the rules.
"""

from typing import Any, Final

from cardroom.fast.compiling import inner, outer
from cardroom.fast.kernel import Variant, work_arrays
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
    deal_from_stock,
    note,
    open_deal,
)
from cardroom.fast.pisti.turns import is_decided, play_batch_of_hands, score
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


VARIANTS: Final[dict[str, Variant]] = {
    "random": (("random",), {}),
    "greedy": (("greedy", "random"), {}),
    "four": (("random", "greedy"), {"players": 4, "pisti_points": 7, "last_card_pisti": True}),
    "three": (
        ("random",),
        {
            "players": 3,
            "target_score": 60,
            "starter_rule": "fixed",
            "fixed_starter_seat": 2,
            "double_pisti_points": 3,
            "majority_points": 9,
        },
    ),
    "partnership": (("greedy", "random"), {"players": 4, "teams": True, "bottom_card": "exposed"}),
    "single": (("random",), {"target_score": None, "show_counts": False}),
}

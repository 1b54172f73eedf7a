"""Whole matches, one after the other.

Rules and bots over which the kernel is checked against the rules.
"""

from typing import Any, Final

from cardroom.fast.compiling import inner, outer
from cardroom.fast.kernel import Variant, work_arrays
from cardroom.fast.pazaak.layout import (
    DO_BEGIN,
    FACTS,
    IS_OVER,
    MATCH_OVER,
    MATCH_STARTED,
    PHASE,
    PLIES,
    POINTS,
    ROUND_OVER,
    ROUNDS,
    ROUNDS_TO_WIN,
    SIDE_CARDS,
    TO_ACT,
    WINS_0,
    WINS_1,
    note,
)
from cardroom.fast.pazaak.turns import act, carry_on, choose, open_round, set_up


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


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays((2, 5, 64), (2, 7), (2, SIDE_CARDS), FACTS)


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

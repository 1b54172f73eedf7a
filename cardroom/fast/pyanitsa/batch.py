"""Whole matches, one after the other, and their places (R15, R16).

Rules and bots over which the kernel is checked against the rules.
"""

from typing import Any, Final

from cardroom.fast.compiling import inner, outer
from cardroom.fast.kernel import Variant, work_arrays
from cardroom.fast.pyanitsa.layout import (
    ALL_CARDS,
    AT_LEVEL,
    DEALT,
    DISPUTING,
    GAVE_AWAY,
    GIVEAWAY,
    HAS_MORTGAGE,
    LAY_FROM,
    LAYING,
    LEADER,
    LIMIT,
    MAX_TRICKS,
    MOST_SEATS,
    OUT_IN,
    OVER,
    PLAYERS,
    PLIES,
    POINTS,
    ROOM,
    ROTATE,
    ROUNDS,
    TABLE,
    TAKEN,
    TRICK_NO,
    TRICKS,
    TURN_LEADER,
    WINNER,
    deal,
    held,
    note,
)
from cardroom.fast.pyanitsa.turns import collect, leave, open_trick, play_trick


@inner
def play_match(
    options: Any, words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any,
    table: Any, order: Any, deck: Any, result: Any, trace: Any,
) -> int:  # fmt: skip
    """A match from the deal to its last trick; how many seats are in."""
    players = options[PLAYERS]
    deal(options, words, deck, piles, seats)
    first, trick_no = 0, 1
    while True:
        trick[TRICK_NO] = trick_no
        open_trick(options, seats, trick, laying, first)
        taker = play_trick(
            options, words, piles, seats, trick, laying, tied, table, result, deck, trace
        )
        collect(options, words, piles, seats, taker, trick, table, order)
        left = leave(players, seats, taker, trick_no, result)
        over = left < players if options[GIVEAWAY] else left == 1
        if over or trick_no >= options[MAX_TRICKS]:
            trick[TABLE] = trick[AT_LEVEL] = trick[HAS_MORTGAGE] = trick[DISPUTING] = 0
            trick[LAYING] = trick[LAY_FROM] = 0
            return left
        trick_no += 1
        if options[LEADER] == WINNER:
            first = taker
        elif options[LEADER] == ROTATE:
            first = (trick[TURN_LEADER] + 1) % players


@inner
def rank(options: Any, seats: Any, seat: int) -> int:
    """Lower is better (R15, R16)."""
    out_in = seats[seat, OUT_IN]
    if options[GIVEAWAY]:
        return 0 if out_in else 1 + held(seats, seat)
    return ROOM - out_in + options[MAX_TRICKS] if out_in else -held(seats, seat)


@inner
def finish(options: Any, seats: Any, trick: Any, left: int, result: Any) -> None:
    players = options[PLAYERS]
    if options[GIVEAWAY]:
        result[0] = GAVE_AWAY if left < players else LIMIT
    else:
        result[0] = ALL_CARDS if left == 1 else LIMIT
    result[ROUNDS] = result[DEALT] = result[OVER] = 1
    result[TRICKS] = result[TAKEN] = trick[TRICK_NO]
    for seat in range(players):
        place = 1
        for other in range(players):
            place += rank(options, seats, other) < rank(options, seats, seat)
        result[POINTS + seat] = result[POINTS + players + seat] = place


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays(
        (MOST_SEATS, 2, ROOM), (MOST_SEATS, 5), 8, MOST_SEATS, MOST_SEATS, (ROOM, 4), ROOM, ROOM
    )


@outer
def play_batch(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any,  # noqa: ARG001
    words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any, table: Any,
    order: Any, deck: Any,
) -> None:  # fmt: skip
    first = 0
    for number in range(seeds.shape[0]):
        rows = trace[first:]
        words[0] = seeds[number, 0]
        words[1] = seeds[number, 1]
        result = results[number]
        left = play_match(
            options, words, piles, seats, trick, laying, tied, table, order, deck, result, rows
        )
        finish(options, seats, trick, left, result)
        if rows.shape[0]:
            note(options, piles, seats, trick, laying, tied, table, deck, rows, result[PLIES])
        first += result[PLIES] + 1


VARIANTS: Final[dict[str, Variant]] = {
    "plain": ((), {}),
    "war": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_order": "random",
            "short_dispute": "loses",
        },
    ),
    "six": (
        (),
        {
            "deck": 52,
            "dispute": "mortgage",
            "collect_to": "bottom",
            "collect_order": "own_first",
            "low_beats_ace": "six",
            "leader": "fixed",
            "max_tricks": 500,
        },
    ),
    "eight": (
        (),
        {
            "players": 8,
            "deck": 54,
            "recycle": "shuffle",
            "jokers": "ranked",
            "leader": "rotate",
            "dispute": "mortgage",
            "max_tricks": 700,
        },
    ),
    "giveaway": (
        (),
        {
            "players": 3,
            "recycle": "lifo",
            "goal": "giveaway",
            "low_beats_ace": "lowest",
            "pace": "auto",
        },
    ),
}

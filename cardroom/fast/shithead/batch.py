"""Whole matches, one after the other, and how games are scored (R18, R19).

Rules and bots over which the kernel is checked against the rules.
"""

from typing import Any, Final

from cardroom.fast.compiling import inner, outer
from cardroom.fast.kernel import Variant, work_arrays
from cardroom.fast.shithead.layout import (
    BURNED,
    BURNS,
    GAME_NO,
    GAME_OVER,
    GAMES,
    IS_OVER,
    LEFT_OF_SHED,
    MATCH_OVER,
    MOST_SEATS,
    MOST_SLOTS,
    NONE,
    OUT,
    PHASE,
    PLAYERS,
    PLIES,
    POINTS,
    ROUNDS,
    SEAT_PLACE,
    SHED,
    SUM,
    TIMES_SHED,
    TURN,
    cards_left,
    note,
)
from cardroom.fast.shithead.turns import choose, exchange, open_game, open_play, take_turn


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


def scratch() -> tuple[Any, ...]:
    """The arrays that ``play_batch`` works in, in the order of its parameters."""
    return work_arrays(64, (MOST_SEATS, MOST_SLOTS), 64, 64, 13, (MOST_SEATS, 9), MOST_SEATS)


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

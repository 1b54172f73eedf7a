"""One short round of Pazaak, small enough for exact solvers: ``cardroom_pazaak_last_round``.

    import cardroom.research.pazaak.last_round
    game = pyspiel.load_game("cardroom_pazaak_last_round(values=2)")

Both boards show ``START``. Each seat has a main deck of ``values`` cards (2 or 3) in an order that
nobody knows, and one side card of two, which only it knows. Chance deals both, all of them equally
likely; the rules play the round, and who wins it wins. A tie is worth nothing.
"""

from itertools import permutations, product
from typing import Any, Final

from cardroom.research.environment import Lineup, lineup
from cardroom.research.spiel import register_listed
from cardroom.rules.pazaak.predicates import MAIN, total_of
from cardroom.rules.pazaak.state import PazaakState, PlayerState

SLUG: Final = "pazaak-last-round"
SIZES: Final = {"values": 2}
START: Final = (9, 4)
# After them all, 13 and 15, every total is more than 20, whatever side card was played.
VALUES: Final = {2: (5, 8), 3: (3, 5, 7)}
HANDS: Final = ("M3", "P2")


def worlds(values: int) -> tuple[Lineup, list[PazaakState]]:
    """Every order of both decks with every side card of both seats."""
    if values not in VALUES:
        raise ValueError(f"A main deck has 2 or 3 cards, not {values}.")
    chosen = lineup("pazaak", options={"rounds_to_win": 1, "max_rounds": 1})
    halves = [_half(deck, hand) for deck, hand in product(permutations(VALUES[values]), HANDS)]
    return chosen, [_state(chosen.options, pair) for pair in product(halves, halves)]


def _half(deck: tuple[int, ...], hand: str) -> PlayerState:
    board = tuple([MAIN[value] for value in START])
    return PlayerState(main=deck, side=(), hand=(hand,), board=board, total=total_of(board))


def _state(options: Any, halves: tuple[PlayerState, PlayerState]) -> PazaakState:
    return PazaakState(
        options=options,
        halves=halves,
        wins=(0, 0),
        round_no=1,
        opener=0,
        starter=0,
        to_act=0,
        phase="turn_start",
    )


register_listed(SLUG, "Pazaak, one short round", worlds, SIZES, "winners")

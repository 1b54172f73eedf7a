"""Rules and bots over which the kernel is checked against the rules."""

from typing import Final

from cardroom.fast.kernel import Variant

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

"""Rules and bots over which the kernel is checked against the rules."""

from typing import Final

from cardroom.fast.kernel import Variant

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

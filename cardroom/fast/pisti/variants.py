"""Rules and bots over which the kernel is checked against the rules."""

from typing import Final

from cardroom.fast.kernel import Variant

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

"""Rules and bots over which the kernel is checked against the rules."""

from typing import Final

from cardroom.fast.kernel import Variant

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

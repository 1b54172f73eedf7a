"""Tallies and meetings as SQL over a table of results: for counting and for recounting."""

from typing import Final

NUMBERS: Final = ("won", "drawn", "lost")
_MET: Final = {"won": "<", "drawn": "=", "lost": ">"}


def tallies_of(results: str) -> str:
    counts = ", ".join(f"count(*) FILTER (WHERE outcome = '{name}') AS {name}" for name in NUMBERS)
    return f"""
    SELECT account_id, game, bot, {counts} FROM {results} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """  # noqa: S608 - the names are our own


def meetings_of(results: str) -> str:
    """Two people compare their places: of eight seats the fourth has beaten the fifth."""
    counts = ", ".join(
        f"count(*) FILTER (WHERE one.place {sign} other.place) AS {name}"
        for name, sign in _MET.items()
    )
    return f"""
    SELECT one.account_id, other.account_id AS opponent_id, one.game, {counts} FROM {results} one
    JOIN {results} other ON other.match_id = one.match_id AND other.side <> one.side
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    """  # noqa: S608 - the names are our own

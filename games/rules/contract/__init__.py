"""The contract of a game as checks: one sentence each, tried over random matches of any game.

``python -m games.rules.contract my_game:GAME`` prints a line for each; the package
``cardroom_contract`` runs the same checks as tests, their examples drawn by Hypothesis. Only the
standard library and msgspec are needed here, so a service can try a game before it offers it.

* ``moves``, ``values``, ``endings``, ``facts``, ``words``, ``numbers``: what a game does and says;
* ``leaks`` (by ``witnesses``), ``twins``: what it may not tell;
* ``worlds``: what is dealt again or imagined; ``bots``; ``chance``.

``sitting`` plays a match and notes everything, ``luck`` draws, ``check`` says how a failure reads.
"""

from typing import Final

from games.rules.contract import (
    bots,
    chance,
    endings,
    facts,
    leaks,
    moves,
    numbers,
    twins,
    values,
    words,
    worlds,
)
from games.rules.contract.check import Broken, Check

__all__ = ["CHECKS", "Broken", "Check", "named"]

ROOMS: Final = (facts, moves, values, words, leaks, twins, worlds, numbers, endings, bots, chance)
CHECKS: Final[tuple[Check, ...]] = tuple(
    one for room in ROOMS for one in vars(room).values() if isinstance(one, Check)
)


def named(name: str) -> Check:
    """The check of this name; ``KeyError`` if there is none."""
    return {check.name: check for check in CHECKS}[name]

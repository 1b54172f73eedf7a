"""The contract of a game as checks: one sentence each, tried over random matches of any game.

``python -m cardroom.contract my_game:GAME`` prints a line for each; the package
``cardroom.contract`` runs the same checks as tests, their examples drawn by Hypothesis. Only the
standard library and msgspec are needed here, so a service can try a game before it offers it.

* ``facts``: what a game says of itself, its moves, values, words and numbers;
* ``endings``: how matches end, what bots choose, and that chance is all the same;
* ``secrets``: what it may not tell, and the worlds that are dealt again or imagined;
* ``playing``: matches with everything noted, what is drawn, what a reader is told;
* ``reporting``: what a check is, and how its failure reads.
"""

from typing import Final

from cardroom.contract import endings, facts, secrets
from cardroom.contract.reporting import Broken, Check

__all__ = ["CHECKS", "Broken", "Check", "named"]

ROOMS: Final = (facts, secrets, endings)
CHECKS: Final[tuple[Check, ...]] = tuple(
    one for room in ROOMS for one in vars(room).values() if isinstance(one, Check)
)


def named(name: str) -> Check:
    """The check of this name; ``KeyError`` if there is none."""
    return {check.name: check for check in CHECKS}[name]

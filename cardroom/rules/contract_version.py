"""Which contract the rules here keep with the games that are built on them.

A game from outside requires it as any library: ``cardroom~=1.0`` means this first number, and
at least this second one. The first one changes with what breaks a game that kept the contract
before, the second one with what a game may newly use.
"""

from typing import Final

CONTRACT: Final = (1, 0)
LIBRARY: Final = "cardroom"


def written(contract: tuple[int, int] = CONTRACT) -> str:
    return ".".join(map(str, contract))

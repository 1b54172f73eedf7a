"""How strong people are, as far as pairing and the lobby need to know.

An app that rates people declares ``people_ratings`` on its ``AppConfig`` (``config.offers``).
"""

from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

from config.offers import offered

NEUTRAL: Final = 1500.0


def ratings_for(game: str, accounts: Collection[UUID]) -> Mapping[UUID, float]:
    """Each account's rating in a game; those of whom none is known are equal."""
    return dict.fromkeys(accounts, NEUTRAL) | known_ratings(game, accounts)


def known_ratings(game: str, accounts: Collection[UUID]) -> dict[UUID, float]:
    """The ratings in a game of those who have one."""
    known: dict[UUID, float] = {}
    for ratings in offered("people_ratings"):
        known |= ratings(game, accounts)
    return known

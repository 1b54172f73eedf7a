"""The side decks that a player may bring to a match."""

from collections.abc import Iterable
from uuid import UUID

from cardroom.rules.game import AnyGame
from decks import selectors as decks
from decks.models import Deck


def decks_for(user: UUID | None, game: AnyGame) -> Iterable[Deck]:
    """The player's own decks; none where the game has no side decks."""
    return decks.of(user) if user and game.needs_side_deck else ()

"""Refusals of the deck services."""

from collections.abc import Sequence

from cardroom.rules.text import Words, one_after_the_other
from config.refusals import NotFound, Refusal


class BadDeck(Refusal, status=422, members={"faults": list[str]}):
    """The deck is not one; ``faults`` names everything that is wrong, a sentence each."""

    def __init__(self, faults: Sequence[Words]) -> None:
        super().__init__(one_after_the_other(faults), faults=list(faults))


class DeckNameTaken(Refusal, status=409):
    """You have a deck of this name already. Choose another name."""


class TooManyDecks(Refusal, status=409, members={"limit": int}):
    """You have as many decks as one account may have. Delete one first."""


class NoSuchDeck(NotFound):
    """You have no such deck."""


class TooManyMeasurements(Refusal, status=409):
    """You have as many decks measured at once as one account may have. Try again in a minute."""

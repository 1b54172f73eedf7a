"""Why a deck service refuses."""

from collections.abc import Sequence

from config.refusals import NotFound, Refusal, TooManyRequests


class BadDeck(Refusal, status=422):
    """The deck is not one; ``faults`` names everything that is wrong, a sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults), faults=list(faults))


class DeckNameTaken(Refusal, status=409):
    """You have a deck of this name already. Choose another name."""


class TooManyDecks(Refusal, status=409):
    """You have as many decks as one account may have. Delete one first."""


class NoSuchDeck(NotFound):
    """You have no such deck."""


class MeasuringBusy(TooManyRequests):
    """The computer is busy measuring other decks. Try again in a minute."""

"""Why a deck service said no. ``code`` is the API's word for it, the text is for a person."""

from collections.abc import Sequence

from config.refusals import Refused


class BadDeck(Refused):
    """The deck is not one; ``faults`` names everything that is wrong, a sentence each."""

    code = "bad_deck"

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults), faults=list(faults))


class DeckNameTaken(Refused):
    """You have a deck of this name already. Choose another name."""

    code = "deck_name_taken"


class TooManyDecks(Refused):
    """You have as many decks as one account may have. Delete one first."""

    code = "too_many_decks"


class NoSuchDeck(Refused):
    """You have no such deck."""

    code = "not_found"


class MeasuringBusy(Refused):
    """The computer is busy measuring other decks. Try again in a minute."""

    code = "throttled"

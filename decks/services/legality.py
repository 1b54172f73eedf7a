"""What may be saved as a deck: every fault of the name and the cards at once."""

import unicodedata
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from decks.models import NAME_LENGTH
from decks.refusals import BadDeck
from games.language import words
from games.rules.pazaak import side_cards


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def check(*, name: str, cards: Sequence[str]) -> None:
    """``BadDeck`` with each fault of a name and of the cards."""
    faults = [*name_faults(shown_name(name)), *map(words, side_cards.faults(cards))]
    if faults:
        raise BadDeck(faults)


def name_faults(name: str) -> Iterator[str]:
    if not name:
        yield gettext("A deck needs a name.")
    if len(name) > NAME_LENGTH:
        told = gettext("A deck's name has at most {most} characters; this one has {n}.")
        yield told.format(most=NAME_LENGTH, n=len(name))
    if not name.isprintable():
        yield gettext("A deck's name has printable characters only.")

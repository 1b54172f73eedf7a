"""Whether something may be saved as a deck: every fault of the name and the cards at once."""

import unicodedata
from collections.abc import Iterator, Sequence

from cardroom.rules.pazaak import side_cards
from cardroom.rules.text import Phrase, say
from decks.models import NAME_LENGTH
from decks.refusals import BadDeck


def shown_name(name: str) -> str:
    """The name in NFC and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def check(*, name: str, cards: Sequence[str]) -> None:
    """Raises ``BadDeck`` with each fault of the name and of the cards."""
    faults = [*name_faults(shown_name(name)), *side_cards.faults(cards)]
    if faults:
        raise BadDeck(faults)


def name_faults(name: str) -> Iterator[Phrase]:
    if not name:
        yield say("A deck needs a name.")
    if len(name) > NAME_LENGTH:
        yield say(
            "A deck's name has at most {most} characters; this one has {n}.",
            most=NAME_LENGTH,
            n=len(name),
        )
    if not name.isprintable():
        yield say("A deck's name has printable characters only.")

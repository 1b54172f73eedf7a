"""Decks from elsewhere: a share code, or a text with one card code a line."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from cardroom.rules.pazaak.side_cards import CARD, CODES, faults, unknown_card
from cardroom.rules.text import Phrase, say
from decks import share_codes
from decks.models import Deck
from decks.refusals import BadDeck
from decks.services.decks import create, free_name

IMPORTED = say("Imported deck")  # the name if none is given; a door renders it for the owner


def from_code(*, owner: UUID, code: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from a share code. Raises BadDeck for a mistyped one, and what ``create`` raises."""
    return _create(owner, name, unnamed, read_code(code))


def from_text(*, owner: UUID, text: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from lines. Raises BadDeck naming each faulty line, and what ``create`` raises."""
    return _create(owner, name, unnamed, read_text(text))


def from_either(*, owner: UUID, typed: str, name: str = "", unnamed: str = str(IMPORTED)) -> Deck:
    """A deck from one field of a form: a share code or the lines of a deck."""
    return _create(owner, name, unnamed, read_either(typed))


def read_either(typed: str) -> tuple[str, ...]:
    return read_code(typed) if _looks_like_a_code(typed) else read_text(typed)


def read_code(code: str) -> tuple[str, ...]:
    try:
        return share_codes.decode(code)
    except share_codes.BadCode as error:
        raise BadDeck([error.sentence]) from None


def read_text(text: str) -> tuple[str, ...]:
    """The cards of the lines; small letters and empty lines are fine, and F42 is F24."""
    lines = [
        (number, spelled(line))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    wrong = [*_size_faults(len(lines)), *_line_faults(lines)]
    if wrong:
        raise BadDeck(wrong)
    return tuple(card for _, card in lines)


def spelled(code: str) -> str:
    """A card's code as the catalogue spells it, if it is recognised."""
    code = code.strip().upper()
    turned = f"F{code[2:]}{code[1:2]}"
    return turned if len(code) == 3 and code.startswith("F") and turned in CARD else code


def _size_faults(count: int) -> Sequence[Phrase]:
    return faults([CODES[0]] * count)  # of known cards: only their number can be wrong


def _line_faults(lines: Sequence[tuple[int, str]]) -> Iterator[Phrase]:
    for number, card in lines:
        if card not in CARD:
            yield say("Line {n}: {fault}", n=number, fault=unknown_card(card))


def _looks_like_a_code(typed: str) -> bool:
    """One line that is longer than any card's code."""
    line = typed.strip()
    return "\n" not in line and len(line) > max(map(len, CODES))


def _create(owner: UUID, name: str, unnamed: str, cards: tuple[str, ...]) -> Deck:
    return create(owner=owner, name=name or free_name(owner, unnamed), cards=cards)

"""A side deck as a short code to pass on: eight symbols, the last of them a check digit.

A deck is a multiset of ten of the 36 card types; all of them are numbered (the combinatorial
number system), and the number is written with 31 symbols that are not mistaken for each other. No
server is needed: the code is the deck. As 31 is prime, the check digit finds every single wrong
symbol and every two that changed places.
"""

from collections.abc import Sequence
from math import comb
from typing import Final

from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE, in_order
from cardroom.rules.text import Phrase, say

SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXY"  # no I, L, O, U, Z
_BASE: Final = len(SYMBOLS)
_DIGITS: Final = 7  # 31^7 > C(45, 10), the number of all decks
_ALIKE: Final = str.maketrans({"I": "1", "L": "1", "O": "0", "U": "V", "Z": "2", "-": "", " ": ""})
_DECKS: Final = comb(len(CODES) + DECK_SIZE - 1, DECK_SIZE)


class BadCode(ValueError):
    """Not the code of a deck; the sentence says what is wrong with it."""

    def __init__(self, sentence: Phrase) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def encode(cards: Sequence[str]) -> str:
    """The code of ten cards of the catalogue, in any order, such as ``0A4K-T7Q2``."""
    number = _number([CODES.index(code) for code in in_order(cards)])
    digits = [number // _BASE**place % _BASE for place in reversed(range(_DIGITS))]
    text = "".join(SYMBOLS[digit] for digit in [*digits, _check(digits)])
    return f"{text[:4]}-{text[4:]}"


def decode(code: str) -> tuple[str, ...]:
    """The cards of a code, in catalogue order; case, spaces and the dash do not matter.

    Raises ``BadCode``.
    """
    text = code.strip().upper().translate(_ALIKE)
    if len(text) != _DIGITS + 1 or not set(text) <= set(SYMBOLS):
        raise BadCode(say("A deck's code has 8 letters and digits, such as 0A4K-T7Q2."))
    *digits, check = (SYMBOLS.index(symbol) for symbol in text)
    number = 0
    for digit in digits:
        number = number * _BASE + digit
    if check != _check(digits) or number >= _DECKS:
        raise BadCode(say("This code has a typing error: its check digit does not fit."))
    return tuple(CODES[kind] for kind in _kinds(number))


def _check(digits: Sequence[int]) -> int:
    return sum(weight * digit for weight, digit in enumerate(digits, start=2)) % _BASE


def _number(kinds: Sequence[int]) -> int:
    """The place of a multiset, given ascending, among all of its size."""
    return sum(comb(kind + i, i + 1) for i, kind in enumerate(kinds))


def _kinds(number: int) -> list[int]:
    kinds: list[int] = []
    for size in range(DECK_SIZE, 0, -1):
        top = size - 1
        while comb(top + 1, size) <= number:
            top += 1
        number -= comb(top, size)
        kinds.append(top - (size - 1))
    return kinds[::-1]

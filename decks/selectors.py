"""Reads of saved side decks and of their measurements."""

from collections.abc import Sequence
from math import comb
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE, READY_MADE, in_order, reference_deck
from cardroom.rules.text import Phrase, say
from cardroom.rules.values import Options
from decks.models import Deck, Measurement

# A side deck as a short code to pass on: eight symbols, the last of them a check digit.
#
# A deck is a multiset of ten of the 36 card types; all of them are numbered (the combinatorial
# number system), and the number is written with 31 symbols that are not mistaken for each other.
# No server is needed: the code is the deck. As 31 is prime, the check digit finds every single
# wrong symbol and every two that changed places.

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


def encode_deck(cards: Sequence[str]) -> str:
    """The code of ten cards of the catalogue, in any order, such as ``0A4K-T7Q2``."""
    number = _number([CODES.index(code) for code in in_order(cards)])
    digits = [number // _BASE**place % _BASE for place in reversed(range(_DIGITS))]
    text = "".join(SYMBOLS[digit] for digit in [*digits, _check(digits)])
    return f"{text[:4]}-{text[4:]}"


def decode_deck(code: str) -> tuple[str, ...]:
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


REFERENCE: Final = reference_deck("full")


def cards(*, owner: UUID, deck: str | None) -> tuple[str, ...] | None:
    """The cards of the owner's deck, or of the default one; ``None`` if there is no such deck."""
    own = Deck.objects.filter(owner_id=owner)
    named = own.filter(is_default=True) if deck is None else own.filter(id__in=_ids(deck))
    chosen = named.values_list("cards", flat=True).first()
    return None if chosen is None else tuple(chosen)


def for_newcomer(options: Options) -> tuple[str, ...] | None:
    """The deck of a person who has none of their own: as good as the computer's."""
    return reference_deck(options.catalogue) if isinstance(options, PazaakOptions) else None


def ready_made() -> list[tuple[str, ...]]:
    """The decks that everybody is offered, each as its cards."""
    return [deck.cards for deck in READY_MADE]


def _ids(text: str) -> list[UUID]:
    """The id that a text names, if it names one."""
    try:
        return [UUID(text)]
    except ValueError:
        return []


def of(owner: UUID | None) -> QuerySet[Deck]:
    """An owner's decks, the newest first; a visitor without an account has none."""
    return Deck.objects.filter(owner_id=owner).order_by("-id")


def measurement(code: str, against: str | None = None) -> Measurement | None:
    """The measurement of the cards of a share code by today's rules and reference deck, or
    ``against`` a field of the deck doctor.

    None also where it was made by an earlier release or has failed: it can be requested again.
    """
    rows = Measurement.objects.filter(code=code, **terms(against)).select_related("simulation")
    return next((row for row in rows if row.holds), None)


def running_measurements(*requesters: UUID) -> QuerySet[Measurement]:
    requested = {"simulation__requester__in": requesters}
    return Measurement.objects.filter(simulation__status="running", **requested)


def terms(against: str | None = None) -> dict[str, Any]:
    """The terms for which a measurement made today holds."""
    against = encode_deck(REFERENCE) if against is None else against
    return {"against": against, "rules_version": PAZAAK.rules_version}

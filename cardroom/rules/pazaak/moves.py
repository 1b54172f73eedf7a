"""The notation of moves (rules §3): every move there is, with what it means, and how to read one.

Fifty texts are all there are, so reading is a look-up and anything else is malformed.
"""

import re
from functools import reduce
from typing import Final, Literal, NamedTuple

from cardroom.rules.errors import MalformedMove
from cardroom.rules.pazaak.side_cards import CARD, SIDE_CARDS, SideCard
from cardroom.rules.text import Value, say
from cardroom.rules.values import Move

SIGNS: Final[tuple[Literal["+", "-"], ...]] = ("+", "-")
NOTATION: Final = say(
    "A move is draw, stand, pass, end, or a side card with its choice, such as P3, PM3-, "
    "PM12+2, F24, D or T+."
)


class CardPlay(NamedTuple):
    """A side card with the choices it needs.

    ``amount`` is the signed value that it places; ``flips`` the two numbers of a flip card;
    ``sign`` and ``value`` are what the player chose, ``None`` where the card leaves no choice.
    """

    code: str
    kind: str
    sign: Literal["+", "-"] | None = None
    value: int | None = None
    amount: int = 0
    flips: tuple[int, int] | None = None


def _signed(card: SideCard, number: int, choice: int | None) -> list[tuple[Move, CardPlay]]:
    return [
        (
            f"{card.code}{sign}{choice or ''}",
            CardPlay(card.code, card.kind, sign=sign, value=choice, amount=int(f"{sign}{number}")),
        )
        for sign in SIGNS
    ]


def _spellings(card: SideCard) -> list[tuple[Move, CardPlay]]:
    """Every way to play a card, in the order a player would read them."""
    if card.kind == "plus-or-minus":
        return _signed(card, int(card.code[2:]), None)
    if card.kind == "tiebreaker":
        return _signed(card, 1, None)
    if card.kind == "plus-or-minus-1-2":
        ones, twos = _signed(card, 1, 1), _signed(card, 2, 2)
        return [ones[0], twos[0], ones[1], twos[1]]
    return [(card.code, _plain(card))]


def _plain(card: SideCard) -> CardPlay:
    if card.kind == "flip":
        return CardPlay(card.code, card.kind, flips=(int(card.code[1]), int(card.code[2])))
    if card.kind == "double":
        return CardPlay(card.code, card.kind)
    number = int(card.code[1:])
    return CardPlay(card.code, card.kind, amount=number if card.kind == "plus" else -number)


WAYS: Final[dict[str, tuple[Move, ...]]] = {
    card.code: tuple(move for move, _ in _spellings(card)) for card in SIDE_CARDS
}
CARD_PLAYS: Final[dict[Move, CardPlay]] = {
    move: play for card in SIDE_CARDS for move, play in _spellings(card)
}
WORDS: Final = ("stand", "draw", "pass", "end")
MOVES: Final[dict[Move, CardPlay | None]] = dict.fromkeys(WORDS) | CARD_PLAYS


def parse(move: Move) -> CardPlay | None:
    """The card play that ``move`` spells, ``None`` for one of ``WORDS``; ``MalformedMove``."""
    try:
        return MOVES[move]
    except (KeyError, TypeError):
        raise _malformed(str(move)) from None


def _malformed(move: str) -> MalformedMove:
    code = re.split("[+-]", move, maxsplit=1)[0]
    if code not in CARD:
        return MalformedMove("unknown_move", NOTATION)
    ways: list[Value] = [*WAYS[code]]
    listed = reduce(lambda before, way: say("{ways} or {way}", ways=before, way=way), ways)
    name = CARD[code].name
    return MalformedMove("bad_fields", say("{card} is played as {ways}.", card=name, ways=listed))

"""The notation of moves (RULES.md §3): ``7H`` plays a card, ``x7H`` takes one of the table."""

from typing import NamedTuple

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.text import say
from cardroom.rules.values import MalformedMove, Move
from scopa_cardroom.predicates import PACK

TAKES = "x"


class Parsed(NamedTuple):
    card: int
    takes: bool


def parse(move: Move) -> Parsed:
    """Raises ``MalformedMove``."""
    takes = move.startswith(TAKES)
    card = CARD.get(move.removeprefix(TAKES))
    if card not in PACK:
        raise MalformedMove(
            "not_a_card", say("A move is a card, such as 7H, or one to be taken, such as x7H.")
        )
    return Parsed(card, takes)


def take(card: int) -> Move:
    return TAKES + TEXT[card]

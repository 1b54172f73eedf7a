"""The notation: a move is the code of the card to be played."""

from typing import Final

from cardroom.rules.cards import CARD
from cardroom.rules.errors import MalformedMove
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.text import say
from cardroom.rules.values import Move

NOTATION: Final = say("A move is the code of a card, rank and suit, such as 7H or TD.")


def parse(move: Move) -> int:
    """The card that a move names; ``MalformedMove`` for everything else."""
    card = CARD.get(move)
    if card is None or card >= len(PACK):
        raise MalformedMove("malformed_move", NOTATION)
    return card

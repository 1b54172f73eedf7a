"""The notation: a move is the code of the card to be played."""

from typing import Final

from games.rules.cards import CARD
from games.rules.errors import MalformedMove
from games.rules.pisti.predicates import PACK
from games.rules.text import say
from games.rules.values import Move

NOTATION: Final = say("A move is the code of a card, rank and suit, such as 7H or TD.")


def parse(move: Move) -> int:
    """The card that a move names; ``MalformedMove`` for everything else."""
    card = CARD.get(move)
    if card is None or card >= len(PACK):
        raise MalformedMove("malformed_move", NOTATION)
    return card

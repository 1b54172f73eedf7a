"""What captures and what is a pişti, on plain ints: the rules and simulation kernels read these."""

from games.rules.cards import JACK

NO_BONUS, SINGLE, DOUBLE = range(3)
PLAYS_A_DEAL = 48


def is_jack(card: int) -> bool:
    return card % 13 == JACK


def captures(card: int, top: int) -> bool:
    """Whether ``card`` takes a pile whose top card is ``top`` (R12, R13)."""
    rank = card % 13
    return rank == top % 13 or rank == JACK


def bonus(card: int, top: int, pile_size: int) -> int:
    """What the capture of a pile of this size is: nothing special, a pişti, a double (R17, R18)."""
    if pile_size != 1 or card % 13 != top % 13:
        return NO_BONUS
    return DOUBLE if card % 13 == JACK else SINGLE

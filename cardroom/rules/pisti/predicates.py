"""The facts of the rules on plain ints, for the rules, the bots and simulation kernels.

A heap is a set of cards as the bits of one int (card c is bit ``1 << c``), because
the order of a heap does not matter.

The notation: a move is the code of the card to be played.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cardroom.rules.cards import ACE, CARD, JACK, RANK, pack
from cardroom.rules.text import say
from cardroom.rules.values import MalformedMove, Move

PACK: Final = pack(52)
PLAYS_PER_DEAL: Final = 48
NO_BONUS, SINGLE, DOUBLE = range(3)


def heap_of(cards: Iterable[int]) -> int:
    heap = 0
    for card in cards:
        heap |= 1 << card
    return heap


def cards_of(heap: int) -> Iterator[int]:
    return (card for card in PACK if heap >> card & 1)


JACKS: Final = heap_of(card for card in PACK if RANK[card] == JACK)
ACES: Final = heap_of(card for card in PACK if RANK[card] == ACE)
TWO_CLUBS: Final = heap_of([CARD["2C"]])
TEN_DIAMONDS: Final = heap_of([CARD["TD"]])


def is_jack(card: int) -> bool:
    return card % 13 == JACK


def captures(card: int, top: int) -> bool:
    """Whether ``card`` takes a pile whose top card is ``top`` (R12, R13)."""
    rank = card % 13
    return rank == top % 13 or rank == JACK


def bonus(card: int, top: int, pile_size: int) -> int:
    """The bonus of a capture of a pile of this size: none, a pişti, a double (R17, R18)."""
    if pile_size != 1 or card % 13 != top % 13:
        return NO_BONUS
    return DOUBLE if card % 13 == JACK else SINGLE


def card_points(heap: int) -> int:
    """The points of single cards in a heap (R23, R24)."""
    each = ((heap & JACKS) | (heap & ACES)).bit_count()
    return each + 2 * bool(heap & TWO_CLUBS) + 3 * bool(heap & TEN_DIAMONDS)


def is_decided(totals: Sequence[int], target: int | None) -> bool:
    """Whether the match ends after this deal: one side alone in front, at the target (R27, R28)."""
    best = max(totals)
    return target is None or (best >= target and totals.count(best) == 1)


def leading_side(counts: Sequence[int]) -> int | None:
    """The side with strictly more than every other, in cards (R24) or points; else ``None``."""
    best = max(counts)
    return counts.index(best) if counts.count(best) == 1 else None


NOTATION: Final = say("A move is the code of a card, rank and suit, such as 7H or TD.")


def parse(move: Move) -> int:
    """The card that a move names; ``MalformedMove`` for everything else."""
    card = CARD.get(move)
    if card is None or card >= len(PACK):
        raise MalformedMove("malformed_move", NOTATION)
    return card

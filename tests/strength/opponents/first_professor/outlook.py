"""What the professor takes as given while it weighs one decision, and what results are worth.

All values are its chance to win the match, so the rival looks for the smallest.
"""

from math import fsum
from operator import mul
from typing import Final, NamedTuple

from games.rules.pazaak.predicates import PLACES, TARGET
from tests.strength.opponents.first_professor.hands import RivalHands
from tests.strength.opponents.first_professor.prospects import Prospects

Row = list[float]  # a value for each total 0 … 30
Odds = list[float]  # the chances to draw 1, 2, … 10

SIZE: Final = TARGET + 11
NEAR: Final = 5  # with fewer cards on a board nine are out of sight
DEEPEST: Final = 6  # so far a side card is expected to lower a total


class Outlook(NamedTuple):
    prospects: Prospects
    tie: float  # what equal totals are worth
    my_odds: Odds
    their_odds: Odds
    changes: tuple[int, ...]  # what one own card can add to the total
    breaks_ties: bool  # an own tiebreaker would win an equal round
    hands: RivalHands
    closing: bool  # turn_end: a turn begins with the draw and may end with standing
    filled_wins: bool

    def compared(self, mine: int, theirs: int) -> float:
        """Both stand."""
        if mine == theirs:
            return self.tie
        return self.prospects.win if mine > theirs else self.prospects.loss


def expected(odds: Odds, values: Row, total: int) -> float:
    """The mean of ``values`` over the totals that one draw leads to."""
    return fsum(map(mul, odds, values[total + 1 : total + 11]))


def layers_of(count: int) -> int:
    """How many turns are told apart: all until nine cards if they are in sight, else none."""
    return PLACES - count if count >= NEAR else 1


def is_last(count: int, layer: int) -> bool:
    """Whether the draw of this turn would be the ninth card."""
    return count >= NEAR and count + layer + 1 >= PLACES

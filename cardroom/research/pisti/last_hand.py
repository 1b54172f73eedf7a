"""The last cards of a deal of Pişti, small enough for exact solvers: ``cardroom_pisti_last_hand``.

    import cardroom.research.pisti.last_hand
    game = pyspiel.load_game("cardroom_pisti_last_hand(cards=3)")

Both seats know every card that is gone, one card lies on the table, and each holds ``cards`` cards
(1 to 4) of which it knows its own. Chance deals them, each hand equally likely. The rest is the
rules': what is won is the margin of the deal in points.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from cardroom.research.environment import Lineup, lineup
from cardroom.research.spiel import register_listed
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.predicates import PACK, PLAYS_PER_DEAL, heap_of
from cardroom.rules.pisti.state import PistiState

SLUG: Final = "pisti-last-hand"
SIZES: Final = {"cards": 2}
TABLE: Final = CARD["7H"]
# Unknown cards, the first ones in the smallest game: a card that captures the card on the table, a
# jack that captures all, and cards with points that one would not give away.
UNKNOWN: Final = [CARD[code] for code in ("7C", "TD", "JC", "TC", "AC", "AD", "2C", "2D")]


def worlds(cards: int) -> tuple[Lineup, list[PistiState]]:
    """Every way to deal the unknown cards, with ``cards`` in each hand."""
    if cards not in range(1, 5):
        raise ValueError(f"There are 1 to 4 cards in a hand, not {cards}.")
    chosen = lineup("pisti", preset="single")
    return chosen, list(_dealt(chosen.options, UNKNOWN[: 2 * cards]))


def _dealt(options: Any, unknown: list[int]) -> Iterator[PistiState]:
    gone = [card for card in PACK if card != TABLE and card not in unknown]
    for hand in combinations(unknown, len(unknown) // 2):
        other = tuple([card for card in unknown if card not in hand])
        yield PistiState(
            options=options,
            deal_no=1,
            dealer=1,
            to_play=0,
            plays_made=PLAYS_PER_DEAL - len(unknown),
            stock=(),
            pile=(TABLE,),
            face_down=0,
            hands=(hand, other),
            heaps=(heap_of(gone[::2]), heap_of(gone[1::2])),
            pistis=(0, 0),
            doubles=(0, 0),
            totals=(0, 0),
            last_capturer=1,
        )


register_listed(SLUG, "Pişti, the last hand", worlds, SIZES, "margin")

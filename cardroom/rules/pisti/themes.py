"""The themes of exercises of Pişti, the most special one first."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import CARD, RANK
from cardroom.rules.pisti.knowledge import knowledge_of
from cardroom.rules.pisti.predicates import PACK, captures, is_jack
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.text import say
from cardroom.rules.theme import Theme, Themes
from cardroom.rules.values import Event, Move

OF_A_RANK: Final = 4


def of(view: PistiView, events: Sequence[Event], moves: Sequence[Move]) -> str | None:
    best, tempting = CARD[moves[0]], CARD[moves[1]]
    if view.stock_size == 0:
        return "last_hand"
    if is_jack(best) != is_jack(tempting):
        return "jacks"
    if _is_gone(view, events, best):
        return "counting"
    if view.top is None:
        return "empty_table"
    takes = [captures(card, CARD[view.top]) for card in (best, tempting)]
    return "take_or_leave" if takes[0] != takes[1] else None


def _is_gone(view: PistiView, events: Sequence[Event], card: int) -> bool:
    """Whether no other seat can hold a card of this rank: all of them were seen."""
    seen = knowledge_of(view, events).seen
    of_rank = [each for each in PACK if RANK[each] == RANK[card]]
    return sum(each in seen for each in of_rank) == OF_A_RANK


THEMES: Final = Themes(
    {
        "jacks": Theme(
            say("Counting jacks"), say("A jack takes any pile: spend it now or keep it?")
        ),
        "last_hand": Theme(
            say("The last block"),
            say("Nothing is dealt any more: all that you have not seen is in the other hands."),
        ),
        "counting": Theme(
            say("Counting ranks"), say("Which ranks are gone, so that nobody can match them?")
        ),
        "empty_table": Theme(
            say("An empty table"), say("A card that lies alone may become a pişti.")
        ),
        "take_or_leave": Theme(
            say("Take or leave"), say("Is the pile worth the card that takes it?")
        ),
    },
    of,
)

"""The themes of exercises of Shithead, the most special one first."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import CARD, RANK, TEN
from cardroom.rules.shithead.moves import PICKUP, parse
from cardroom.rules.shithead.predicates import burn_reason, is_wild
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.text import say
from cardroom.rules.theme import Theme, Themes
from cardroom.rules.values import Event, Move


def of(
    view: ShitheadView,
    events: Sequence[Event],  # noqa: ARG001 - the pile and what is open lie in the view
    moves: Sequence[Move],
) -> str | None:
    best, tempting = moves[:2]
    if PICKUP in (best, tempting):
        return "picking_up"
    ranks = [_rank(move) for move in (best, tempting)]
    if ranks[0] != ranks[1] and TEN in ranks:
        return "tens"
    if _burns(view, best) != _burns(view, tempting):
        return "burning"
    if ranks[0] == ranks[1]:
        return "how_many"
    if any(map(is_wild, ranks)):
        return "keeping_specials"
    return "last_cards" if view.stock_count == 0 else None


def _burns(view: ShitheadView, move: Move) -> bool:
    played = parse(move)
    if played.kind != "cards":
        return False
    pile = [*(CARD[code] for code in view.pile), *played.numbers]
    return burn_reason(pile, view.options.burn_through_threes) is not None


def _rank(move: Move) -> int:
    played = parse(move)
    return RANK[played.numbers[0]] if played.kind == "cards" else -1


THEMES: Final = Themes(
    {
        "burning": Theme(
            say("Burning the pile"), say("A burned pile is gone, and you play once more.")
        ),
        "tens": Theme(say("Keeping tens"), say("A ten burns any pile: is this one worth it?")),
        "keeping_specials": Theme(
            say("Keeping twos and threes"), say("They go on anything, so they are missed later.")
        ),
        "how_many": Theme(
            say("One or all"), say("Several cards of a rank: play them together, or one by one?")
        ),
        "picking_up": Theme(say("Picking up"), say("A pile in your hand is not always the worst.")),
        "last_cards": Theme(
            say("The last cards"), say("The stock is empty: what you play is not replaced.")
        ),
    },
    of,
)

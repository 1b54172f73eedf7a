"""How likely each other seat plays as ``keeper``, by those of its turns that tell.

Much of a hand is known: what was picked up, what lay open. Where ``keeper`` would have played other
cards than the seat did, it is hardly one; where the seat had a choice and played as ``keeper``
would, it is the likelier one.
"""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import TEXT
from cardroom.rules.shithead.bots.inference.lacks import this_game
from cardroom.rules.shithead.bots.inference.pile import follow_pile
from cardroom.rules.shithead.bots.keeper import decide
from cardroom.rules.shithead.bots.rank_counts import counts_of
from cardroom.rules.shithead.bots.world import ShitheadWorld, empty_world
from cardroom.rules.shithead.events import Dealt, Exchanged, Played
from cardroom.rules.shithead.knowledge import Knowledge
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event

FIRST: Final = 0.9  # before a turn has told anything; one that is no keeper soon shows it
DOUBT: Final = 0.01  # the least chance that a seat is not what its turns say
ALIKE: Final = 1.5  # odds of a keeper by a turn that is one of keepers, where there was a choice
UNLIKE: Final = 0.01  # by a turn that is none


def trusted(view: ShitheadView, events: Sequence[Event]) -> list[float]:
    """By seat, the chance that it plays as ``keeper``."""
    seats, table = len(view.tops), empty_world(view.options)
    knowledge, tops = Knowledge(seats), [set[str]() for _ in range(seats)]
    odds = [FIRST / (1 - FIRST)] * seats
    for event in this_game(events):
        match event:
            case Dealt(seat=seat, top=top):
                tops[seat] = set(top)
            case Exchanged(seat=seat, to_top=up, to_hand=down):
                tops[seat] = tops[seat] - {down} | {up}
            case Played(seat=seat, cards=cards, source=source):
                if source != "hidden":
                    hand = {TEXT[card] for card in knowledge.hands[seat]}
                    held = tops[seat] if source == "top" else hand
                    played = [c for c in cards if source == "top" or c not in tops[seat]]
                    odds[seat] *= _likelihood(table, counts_of(held), counts_of(played))
                tops[seat].difference_update(cards)
        follow_pile(table, event)
        knowledge.note(event)
    chances = [each / (1 + each) for each in odds]
    return [min(1 - DOUBT, max(DOUBT, chance)) for chance in chances]


def _likelihood(table: ShitheadWorld, held: int, played: int) -> float:
    """How much likelier a keeper plays these cards, of one rank, than another player does.

    The seat certainly ``held`` so many of each rank, and what it played. Cards that nobody knows
    can only make a keeper play a lower rank, or more cards.
    """
    rank = (played.bit_length() - 1) // 4
    lying = 15 << 4 * rank
    held = (held & ~lying) + max(held & lying, played)
    may = held & table.masks[table.t]
    if may == 1 << 4 * rank:
        return 1.0
    keepers, cards, _ = decide(may, held, 0, table.last, table.run)
    return ALIKE if cards << 4 * keepers == played else UNLIKE

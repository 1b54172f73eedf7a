"""The pile of a world as the events of a match leave it."""

from cardroom.rules.shithead.bots.rank_counts import PLACE
from cardroom.rules.shithead.bots.world import ShitheadWorld, clear, stack
from cardroom.rules.shithead.events import Burned, HiddenFailed, PickedUp, Played
from cardroom.rules.values import Event


def follow_pile(table: ShitheadWorld, event: Event) -> None:
    match event:
        case Played(cards=cards):
            stack(table, PLACE[cards[0][0]], len(cards))
        case HiddenFailed() | PickedUp() | Burned():  # R10: who fails picks up at once
            clear(table)

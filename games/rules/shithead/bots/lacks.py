"""Which ranks a hand does not hold, as far as the turns of its seat tell.

A seat that picks the pile up holds nothing that may be played there (R8). A seat that plays a rank
hardly holds one that most players part with sooner, nor more of the same. Cards drawn from the
stock are unknown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.shithead.bots.rank_counts import KING, ONE, PLACE
from games.rules.shithead.bots.world import ShitheadWorld, clear, empty_world, stack
from games.rules.shithead.events import (
    Burned,
    Drew,
    Exchanged,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
)
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event


class Lacks(NamedTuple):
    """Ranks as bits of counts: surely not among the unknown cards of a hand, and hardly."""

    none: int = 0
    few: int = 0


def lacking(view: ShitheadView, events: Sequence[Event]) -> list[Lacks]:
    """By seat, what its unknown hand cards are not."""
    lacks, table = [Lacks()] * len(view.tops), empty_world(view.options)
    for event in _this_game(events):
        match event:
            case Played(seat=seat, cards=cards, source=source):
                if source in ("hand", "hand_top"):
                    lacks[seat] = _after_play(lacks[seat], table, PLACE[cards[0][0]])
                for code in cards:
                    stack(table, PLACE[code[0]], 1)
            case HiddenFailed(card=code):
                stack(table, PLACE[code[0]], 1)
                table.pile = 0  # its seat had no hand to look for a card in
            case PickedUp(seat=seat):
                if table.pile:
                    lacks[seat] = _after_pick_up(lacks[seat], table, view)
                clear(table)
            case Burned():
                clear(table)
            case Drew(seat=seat) | Exchanged(seat=seat):
                lacks[seat] = Lacks()
    return lacks


def _this_game(events: Sequence[Event]) -> Sequence[Event]:
    started = [at for at, event in enumerate(events) if isinstance(event, GameStarted)]
    return events[started[-1] :] if started else events


def _after_play(lacks: Lacks, table: ShitheadWorld, place: int) -> Lacks:
    sooner = table.masks[table.t] & (ONE[place] - 1)
    same = 15 << 4 * place if place < KING else 0
    return Lacks(lacks.none, lacks.few | sooner | same)


def _after_pick_up(lacks: Lacks, table: ShitheadWorld, view: ShitheadView) -> Lacks:
    playable = table.masks[table.t]
    if view.options.pickup == "forced":
        return Lacks(lacks.none | playable, lacks.few)
    return Lacks(lacks.none, lacks.few | playable)

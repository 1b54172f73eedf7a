"""Which ranks a hand does not hold, as far as the turns of its seat tell.

A seat that picks the pile up holds nothing that may be played there (R8). A seat that plays a rank
hardly holds one that most players part with sooner, nor more of the same. A seat that laid its best
cards open in the exchange hardly kept better ones (``laid_open_best``). Cards drawn from the stock
are unknown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.shithead.bots.rank_counts import KING, ONE, ONES, PLACE, counts_of, first
from games.rules.shithead.bots.world import ShitheadWorld, clear, empty_world, stack
from games.rules.shithead.events import (
    Burned,
    Dealt,
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


def lacking(view: ShitheadView, events: Sequence[Event], *, exchanges: bool) -> list[Lacks]:
    """By seat, what its unknown hand cards are not; with what ``exchanges`` tell or without."""
    events, table = this_game(events), empty_world(view.options)
    lacks = since_exchange(events, len(view.tops)) if exchanges else [Lacks()] * len(view.tops)
    for event in events:
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
            case Drew(seat=seat):
                lacks[seat] = Lacks()
    return lacks


def since_exchange(events: Sequence[Event], seats: int) -> list[Lacks]:
    """By seat, what its hand is not when play begins."""
    tops, taken = [0] * seats, [0] * seats
    for event in events:
        match event:
            case Dealt(seat=seat, top=top):
                tops[seat] = counts_of(top)
            case Exchanged(seat=seat, to_top=up, to_hand=down):
                tops[seat] += counts_of([up]) - counts_of([down])
                taken[seat] += counts_of([down])
    return [Lacks(0, laid_open_best(*each)) for each in zip(tops, taken, strict=True)]


def laid_open_best(tops: int, taken: int) -> int:
    """The ranks above the lowest top, after an exchange in which all that was ``taken`` into the
    hand is no better: hardly any of them stayed in the hand.
    """
    above = ONES * 15 >> 4 * first(tops) + 4 << 4 * first(tops) + 4
    return 0 if not taken or taken & above else above


def this_game(events: Sequence[Event]) -> Sequence[Event]:
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

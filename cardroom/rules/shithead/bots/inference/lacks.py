"""Which ranks the unknown cards of a hand are not, as far as the turns of its seat tell.

A seat that picks the pile up holds nothing that may be played there (R8). A seat that plays a rank
hardly holds one that most players part with sooner, nor more of the same. A seat that laid its best
cards open in the exchange hardly kept better ones (``laid_open_best``). A card drawn from the stock
may be anything; what is known of the others in that hand stays known.
"""

from collections.abc import Sequence, Set
from functools import reduce
from operator import and_
from typing import NamedTuple

from cardroom.rules.cards import CARD
from cardroom.rules.shithead.bots.inference.pile import follow_pile
from cardroom.rules.shithead.bots.rank_counts import KING, ONE, ONES, PLACE, counts_of, first
from cardroom.rules.shithead.bots.world import ShitheadWorld, empty_world
from cardroom.rules.shithead.events import (
    Dealt,
    Drew,
    Exchanged,
    GameStarted,
    PickedUp,
    Played,
)
from cardroom.rules.shithead.knowledge import Knowledge
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event


class Lacks(NamedTuple):
    """Ranks as bits of counts: an unknown card is surely none of those, and hardly one of these."""

    none: int = 0
    few: int = 0

    @property
    def excluded(self) -> int:
        """How many bits of ranks it is not: 0 if it may be anything."""
        return (self.none | self.few).bit_count()

    def and_also(self, other: "Lacks") -> "Lacks":
        return Lacks(self.none | other.none, self.few | other.few)


def lacking(view: ShitheadView, events: Sequence[Event], *, exchanges: bool) -> list[list[Lacks]]:
    """By seat, what each unknown card of its hand is not, with what ``exchanges`` tell or without.

    The cards of a hand are in no order. Of cards dealt before the first event nothing is told.
    """
    events, seats, table = this_game(events), len(view.tops), empty_world(view.options)
    kept = since_exchange(events, seats) if exchanges else [Lacks()] * seats
    hands, knowledge = [list[Lacks]() for _ in range(seats)], Knowledge(seats)
    forced = view.options.pickup == "forced"
    for event in events:
        match event:
            case Dealt(seat=seat, top=top):
                hands[seat] = [kept[seat]] * len(top)
            case Exchanged(seat=seat, to_top=code):
                hands[seat] = _without([code], hands[seat], knowledge.hands[seat])
            case Played(seat=seat):
                hands[seat] = _after_play(event, hands[seat], knowledge.hands[seat], table)
            case PickedUp(seat=seat) if table.pile:
                hands[seat] = _each_also(hands[seat], _by_pick_up(table, forced=forced))
            case Drew(seat=seat):
                hands[seat] = [*hands[seat], Lacks()]
        follow_pile(table, event)
        knowledge.note(event)
    return hands


def _after_play(
    event: Played, hand: list[Lacks], known: Set[int], table: ShitheadWorld
) -> list[Lacks]:
    if event.source == "hand":
        lacks = _by_play(table, PLACE[event.cards[0][0]])
        return _each_also(_without(event.cards, hand, known), lacks)
    return [] if event.source == "hand_top" else hand  # R9: with all that was left of the hand


def _each_also(hand: list[Lacks], lacks: Lacks) -> list[Lacks]:
    return [card.and_also(lacks) for card in hand]


def _without(codes: Sequence[str], hand: list[Lacks], known: Set[int]) -> list[Lacks]:
    """The unknown cards of a hand that has parted with these cards, some of them ``known`` ones.

    An unknown card was any of those that it could be, so what these have in common is all that is
    sure of those of them that stay.
    """
    for code in codes:
        if CARD[code] in known or not hand:
            continue
        rank = 15 << 4 * PLACE[code[0]]
        could = [card for card in hand if not card.none & rank] or hand
        likely = [card for card in could if not card.few & rank] or could
        sure = reduce(and_, [card.none for card in could])
        hardly = reduce(and_, [card.none | card.few for card in likely])
        hand = [
            *[card for card in hand if card not in could],
            *[Lacks(sure, card.none | card.few) for card in could if card not in likely],
            *[Lacks(sure, hardly)] * (len(likely) - 1),
        ]
    return hand


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


def _by_play(table: ShitheadWorld, place: int) -> Lacks:
    sooner = table.masks[table.t] & (ONE[place] - 1)
    same = 15 << 4 * place if place < KING else 0
    return Lacks(0, sooner | same)


def _by_pick_up(table: ShitheadWorld, *, forced: bool) -> Lacks:
    playable = table.masks[table.t]
    return Lacks(playable, 0) if forced else Lacks(0, playable)

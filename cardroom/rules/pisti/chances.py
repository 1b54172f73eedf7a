"""Pişti's luck: each block of hands dealt. Its worth is guessed once the block is played."""

from math import exp, sqrt
from random import Random
from typing import Final

from msgspec.structs import replace

from cardroom.rules.chances import Chances, nothing_listed
from cardroom.rules.pisti.luck import added
from cardroom.rules.pisti.options import sides
from cardroom.rules.pisti.predicates import (
    DOUBLE,
    NO_BONUS,
    PLAYS_PER_DEAL,
    bonus,
    captures,
    card_points,
    heap_of,
)
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Move, Seat

SPREAD: Final = 4.0  # points by which a block moves the lead, about
ALL: Final = 52


def falls(state: PistiState, _seat: Seat, _move: Move) -> bool:
    """The last card of a block brings the next one, or the next deal."""
    return state.bottom is None and sum(map(len, state.hands)) == 1


def again(state: PistiState, rng: Random) -> PistiState:
    return replace(state, stock=tuple(rng.sample(state.stock, len(state.stock))))


def worth(state: PistiState) -> list[float]:
    table = _Block(state)
    table.play()
    points = table.points()
    left = _blocks_left(state, max(points))
    weights = [exp((point - max(points)) / (SPREAD * sqrt(left + 0.5))) for point in points]
    return [weight / sum(weights) for weight in weights]


def _blocks_left(state: PistiState, best: float) -> float:
    """After this one; of a match to a score about so many more deals come."""
    players, target = state.options.players, state.options.target_score
    blocks = len(state.stock) / (4 * players)
    if target is None:
        return blocks
    a_deal = PLAYS_PER_DEAL / (4 * players)
    return blocks + max(0.0, (target - best) / 14) * a_deal


class _Block:
    """A block in which each seat has one card at most: what is left plays itself."""

    def __init__(self, state: PistiState) -> None:
        self._state = state
        self._pile = list(state.pile)
        self._heaps = list(state.heaps)
        self._bonus = [
            pistis * state.options.pisti_points + doubles * state.options.double_pisti_points
            for pistis, doubles in zip(state.pistis, state.doubles, strict=True)
        ]
        self._last = state.last_capturer

    def play(self) -> None:
        for seat, hand in enumerate(self._state.hands):
            for card in hand:
                self._put_down(seat, card)
        if not self._state.stock and self._last is not None:
            self._heaps[self._last] |= heap_of(self._pile)

    def _put_down(self, seat: Seat, card: int) -> None:
        pile, options = self._pile, self._state.options
        if not pile or not captures(card, pile[-1]):
            pile.append(card)
            return
        self._last = seat
        self._heaps[seat] |= heap_of(pile) | 1 << card
        kind = bonus(card, pile[-1], len(pile))
        if kind != NO_BONUS:
            double = kind == DOUBLE
            points = options.double_pisti_points if double else options.pisti_points
            self._bonus[seat % len(self._bonus)] += points
        pile.clear()

    def points(self) -> list[float]:
        """Of each side, the match points of earlier deals included."""
        state = self._state
        heaps = [sum(self._heaps[seat] for seat in side) for side in sides(state.options)]
        cards = [heap.bit_count() for heap in heaps]
        left = ALL - sum(cards)
        lead = [
            own - max(c for at, c in enumerate(cards) if at != side)
            for side, own in enumerate(cards)
        ]
        return [
            total
            + self._bonus[side]
            + card_points(heap)
            + state.options.majority_points / (1 + exp(-3 * lead[side] / (left + 4)))
            for side, (heap, total) in enumerate(zip(heaps, state.totals, strict=True))
        ]


CHANCES: Final[Chances[PistiState]] = Chances(
    falls, again, worth, nothing_listed, plays_on=True, added=added
)

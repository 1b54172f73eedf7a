"""The end of a deal: the leftover pile, what each side made of it, what follows (R22 to R28)."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import texts
from cardroom.rules.pisti.deal import deal
from cardroom.rules.pisti.events import DealScored, LeftoverAwarded, MatchOver, SideScore
from cardroom.rules.pisti.options import PistiOptions, sides
from cardroom.rules.pisti.predicates import (
    ACES,
    JACKS,
    TEN_DIAMONDS,
    TWO_CLUBS,
    card_points,
    cards_of,
    heap_of,
    is_decided,
    leading_side,
)
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.seats import set_item
from cardroom.rules.steps import StepBuilder


def award_leftover(state: PistiState, step: StepBuilder) -> PistiState:
    """The pile goes to the last capturer; it is neither a capture nor a pişti (R22)."""
    seat, pile = state.last_capturer, state.pile
    if seat is None or not pile:
        return state
    step.emit(LeftoverAwarded(seat=seat, count=len(pile)))
    heap = state.heaps[seat] | heap_of(pile)
    return replace(state, pile=(), face_down=0, heaps=set_item(state.heaps, seat, heap))


def score_deal(state: PistiState) -> tuple[SideScore, ...]:
    """What each side made of the deal; partners put their heaps together (R23)."""
    heaps = [sum(state.heaps[seat] for seat in side) for side in sides(state.options)]
    return side_scores(state.options, heaps, state.pistis, state.doubles, state.totals)


def close_deal(state: PistiState, scored: tuple[SideScore, ...], step: StepBuilder) -> PistiState:
    """The match is over or the next deal lies on the table (R26 to R28)."""
    step.emit(DealScored(sides=scored))
    totals = tuple([side.total for side in scored])
    if not is_decided(totals, state.options.target_score):
        return deal(state.options, state.deal_no + 1, totals, step)
    step.emit(MatchOver(winner=leading_side(totals), totals=totals))
    return replace(state, totals=totals, over=True)


def side_scores(
    options: PistiOptions,
    heaps: Sequence[int],
    pistis: Sequence[int],
    doubles: Sequence[int],
    totals: Sequence[int],
) -> tuple[SideScore, ...]:
    """Every side's deal; ``heaps`` one a side, ``totals`` those before this deal."""
    majority = leading_side([heap.bit_count() for heap in heaps])  # R24
    return tuple(
        _side_score(options, heap, pistis[side], doubles[side], totals[side], side == majority)
        for side, heap in enumerate(heaps)
    )


def _side_score(
    options: PistiOptions,
    heap: int,
    pistis: int,
    doubles: int,
    total: int,
    majority: bool,  # noqa: FBT001
) -> SideScore:
    points = (
        card_points(heap)
        + options.majority_points * majority
        + options.pisti_points * pistis
        + options.double_pisti_points * doubles
    )
    return SideScore(
        jacks=(heap & JACKS).bit_count(),
        aces=(heap & ACES).bit_count(),
        two_clubs=bool(heap & TWO_CLUBS),
        ten_diamonds=bool(heap & TEN_DIAMONDS),
        cards=heap.bit_count(),
        majority=majority,
        pistis=pistis,
        doubles=doubles,
        deal_points=points,
        total=total + points,
        heap=texts(cards_of(heap)),
    )

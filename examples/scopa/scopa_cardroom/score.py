"""The points of a deal (R13 to R16)."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import RANK, SEVEN
from cardroom.rules.values import StepBuilder
from scopa_cardroom.deal import deal
from scopa_cardroom.events import DealScored, SideScore
from scopa_cardroom.predicates import COINS, SEVEN_OF_COINS, Cards, cards_of, primiera
from scopa_cardroom.state import ScopaState


def score(state: ScopaState) -> tuple[SideScore, ...]:
    """The score of each side for its heap and sweeps."""
    heaps = [cards_of(heap) for heap in state.heaps]
    cards = [len(heap) for heap in heaps]
    coins = [len(COINS.intersection(heap)) for heap in heaps]
    primes = [prime_of(heap, state.options.prime) for heap in heaps]
    return tuple(
        [
            _side(
                SideScore(
                    cards=cards[side],
                    coins=coins[side],
                    prime=primes[side],
                    sweeps=state.sweeps[side],
                    most_cards=has_most(cards, side),
                    most_coins=has_most(coins, side),
                    seven_of_coins=SEVEN_OF_COINS in heap,
                    best_prime=has_most(primes, side),
                    points=0,
                    total=state.totals[side],
                )
            )
            for side, heap in enumerate(heaps)
        ]
    )


def _side(counted: SideScore) -> SideScore:
    won = (
        counted.most_cards,
        counted.most_coins,
        counted.seven_of_coins,
        counted.best_prime,
    )
    points = sum(won) + counted.sweeps
    return replace(counted, points=points, total=counted.total + points)


def prime_of(heap: Cards, kind: str) -> int:
    """R15: the primiera, or by option the number of sevens."""
    return primiera(heap) if kind == "primiera" else sum(RANK[card] == SEVEN for card in heap)


def has_most(counts: Sequence[int], side: int) -> bool:
    """R14: more than every other side."""
    return all(count < counts[side] for at, count in enumerate(counts) if at != side)


def close_deal(state: ScopaState, sides: Sequence[SideScore], step: StepBuilder) -> ScopaState:
    """R17: the match is over, or the next deal lies there."""
    step.emit(DealScored(state.round, tuple(sides)))
    totals = tuple([side.total for side in sides])
    best = max(totals)
    if best >= state.options.target_score and totals.count(best) == 1:
        return replace(state, totals=totals, over=True)
    return deal(state.options, state.round + 1, totals, step)

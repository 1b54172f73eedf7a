"""The rest of a deal on plain numbers, played on by rule of thumb: what the planner searches."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final, Self

from cardroom.rules.cards import CARD
from cardroom.rules.values import Move
from scopa_cardroom.bots.greedy import gain_now
from scopa_cardroom.bots.worth import plays, table_after
from scopa_cardroom.imagine import cards, unseen
from scopa_cardroom.moves import TAKES
from scopa_cardroom.predicates import COINS, SEVEN_OF_COINS, VALUE, Cards
from scopa_cardroom.score import has_most, prime_of
from scopa_cardroom.view import ScopaView

SWEEPABLE: Final = 10  # the most that one card takes
RISK: Final = 0.35  # of leaving a table that one card sweeps
SPREAD: Final = 1.5  # points that decide little where the end is near …
FAR: Final = 0.5  # … and how much more each point makes that is still missing


class World:
    """A deal from the seat ``own`` on; ``heaps`` and ``sweeps`` are by side."""

    def __init__(self, view: ScopaView) -> None:
        self.options = view.options
        self.fifteen = view.options.capture == "fifteen"
        self.own = self.turn = view.seat or 0
        self.hidden = unseen(view)
        self.sizes = view.hand_sizes
        self.hands = [list(cards(view.hand)) if seat == self.own else [] for seat in _seats(view)]
        self.stock: list[int] = []
        self.chosen = cards(view.chosen)
        self.table: Cards = (*cards(view.table), *self.chosen)
        self.laid = None if view.laid is None else CARD[view.laid]
        self.heaps = [list(cards(heap)) for heap in view.heaps]
        self.sweeps = list(view.sweeps)
        self.totals = view.totals
        self.leader = view.leader
        self.last = view.last_capturer

    def sample(self, rng: Random) -> Self:
        world, hidden = self.copy(), list(self.hidden)
        rng.shuffle(hidden)
        for seat, size in enumerate(self.sizes):
            if seat != self.own:
                world.hands[seat] = [hidden.pop() for _ in range(size)]
        world.stock = hidden
        return world

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.heaps = [list(heap) for heap in self.heaps]
        twin.stock, twin.sweeps = list(self.stock), list(self.sweeps)
        return twin

    def play(self, move: Move) -> None:
        """The move, and what it takes by rule of thumb."""
        wanted = set(self.chosen)
        if move.startswith(TAKES):
            wanted.add(CARD[move.removeprefix(TAKES)])
        else:
            self.laid = CARD[move]
            self.hands[self.turn].remove(self.laid)
        assert self.laid is not None  # noqa: S101 - a card is taken by the one that is laid
        ways = [way for way in self._plays(self.laid) if wanted.issubset(way)]
        self._put(self.laid, max(ways, key=lambda way: self._judge(self.laid or 0, way)))
        self.laid, self.chosen = None, ()

    def playout(self) -> None:
        while True:
            hand = self.hands[self.turn]
            if not hand and not self._deal():
                break
            hand = self.hands[self.turn]
            choices = [(card, way) for card in hand for way in self._plays(card)]
            card, way = max(choices, key=lambda choice: self._judge(*choice))
            hand.remove(card)
            self._put(card, way)
        if self.last is not None:
            self.heaps[self.last % len(self.heaps)] += self.table

    def _plays(self, card: int) -> list[Cards]:
        return plays(card, self.table, fifteen=self.fifteen)

    def _judge(self, card: int, way: Cards) -> float:
        left = table_after(card, way, self.table)
        sweepable = bool(left) and sum([VALUE[other] for other in left]) <= SWEEPABLE
        return gain_now(card, way, self.table) - RISK * sweepable

    def _put(self, card: int, way: Cards) -> None:
        side = self.turn % len(self.heaps)
        if way:
            self.last = self.turn
            self.heaps[side] += (card, *way)
            last = not self.stock and not any(self.hands)
            self.sweeps[side] += len(way) == len(self.table) and not last
        self.table = table_after(card, way, self.table)
        self.turn = (self.turn + 1) % len(self.hands)

    def _deal(self) -> bool:
        """New hands where there are cards; all are empty at once."""
        if not self.stock:
            return False
        for hand in self.hands:
            hand.extend([self.stock.pop() for _ in range(self.options.hand_size)])
        return True

    def worth(self) -> float:
        """The chance to win the match from the totals after this deal, by their difference."""
        totals = [total + points for total, points in zip(self.totals, self._points(), strict=True)]
        own = totals.pop(self.own % len(totals))
        best, target = max(totals), self.options.target_score
        if max(own, best) >= target and own != best:
            return float(own > best)
        missing = max(0, target - max(own, best))
        return 1 / (1 + exp((best - own) / (SPREAD + FAR * missing)))

    def _points(self) -> list[int]:
        heaps = self.heaps
        counts: list[Sequence[int]] = [
            [len(heap) for heap in heaps],
            [len(COINS.intersection(heap)) for heap in heaps],
            [prime_of(tuple(heap), self.options.prime) for heap in heaps],
        ]
        return [
            sum([has_most(each, side) for each in counts])
            + (SEVEN_OF_COINS in heap)
            + self.sweeps[side]
            for side, heap in enumerate(heaps)
        ]


def _seats(view: ScopaView) -> range:
    return range(view.options.players)

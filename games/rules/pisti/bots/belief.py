"""What a seat knows of a deal, and the worlds that it may be in.

A rank that a seat let lie is hardly in its hand. A hand, and a model of its seat, is the likelier
the better it explains what the seat has played since it was dealt.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from random import Random
from typing import Final, Self

from games.rules.cards import CARD
from games.rules.pisti.bots.chances import refused_ranks
from games.rules.pisti.bots.last_block import expected
from games.rules.pisti.bots.models import COUNTER, GREEDY
from games.rules.pisti.bots.outlook import chance
from games.rules.pisti.bots.plan import Plan
from games.rules.pisti.bots.story import Decision, story_of
from games.rules.pisti.bots.world import EMPTY, POINTS, RANKS_OF, World
from games.rules.pisti.knowledge import Knowledge, knowledge_of
from games.rules.pisti.predicates import PACK, PLAYS_PER_DEAL
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move, Seat

DOUBT: Final = 0.05  # the least chance that a seat is not what its earlier cards say
KEPT: Final = 0.1  # the chance that a rank let lie is held all the same
POOL: Final = 500  # worlds, at most, that are weighed by what they explain


class Belief(World):
    """The deal as one seat knows it; ``sample`` deals what it does not know."""

    __slots__ = (
        "all_known", "counting", "draws", "hidden_in_heap", "hidden_in_pile", "lot", "me",
        "models", "plan", "pool", "story", "target", "trust", "weights", "worlds",
    )  # fmt: skip

    def __init__(
        self, view: PistiView, me: Seat, events: Sequence[Event], worlds: int = POOL
    ) -> None:
        options = view.options
        super().__init__(options)
        knowledge = knowledge_of(view, events)
        self.me, self.target = me, options.target_score
        self.hands[me] = [CARD[code] for code in view.hand]
        for card in knowledge.seen.difference(self.hands[me]):
            self.seen[RANKS_OF[card]] += 1
        self.lot = [card for card in PACK if card not in knowledge.seen]
        self._lay_out(view, knowledge)
        self._place_bottom(view, knowledge)
        sizes = enumerate(view.hand_sizes)
        self.draws = [
            (seat, size - len(self.hands[seat])) for seat, size in sizes if seat != me and size
        ]
        others = sum(size for _, size in self.draws)
        self.all_known = options.players == 2 and not view.stock_size and others == len(self.lot)
        for seat, ranks in enumerate(refused_ranks(events, options.players)):
            self.refused[seat] = sum(1 << rank for rank in ranks)
        self.story, closed = story_of(view, me, events)
        self.trust = self._judge(closed)
        self.plan = Plan()
        self.models = [COUNTER] * self.players
        self.counting = [0.5] * self.players  # the chance that a seat counts, if a world is right
        self.pool: list[Self] = []
        self.worlds = min(worlds, POOL)
        self.weights: list[float] = []

    def _lay_out(self, view: PistiView, knowledge: Knowledge) -> None:
        options, pile = view.options, knowledge.pile
        self.hidden_in_pile = pile.count(None)
        self.pile_size = len(pile)
        self.pile_points = sum(POINTS[card] for card in pile if card is not None)
        self.top = EMPTY if view.top is None else RANKS_OF[CARD[view.top]]
        self.hidden_in_heap = [0] * self.sides
        for seat, heap in enumerate(knowledge.heaps):
            side = seat % self.sides
            self.cards[side] += len(heap)
            self.points[side] += sum(POINTS[card] for card in heap if card is not None)
            self.hidden_in_heap[side] += heap.count(None)
        for side, (pistis, doubles) in enumerate(zip(view.pistis, view.doubles, strict=True)):
            self.bonus[side] = pistis * options.pisti_points + doubles * self.double
        self.totals = list(view.totals)
        self.turn, self.plays = self.me, view.plays_made
        self.last = -1 if view.last_capturer is None else view.last_capturer

    def _place_bottom(self, view: PistiView, knowledge: Knowledge) -> None:
        """The exposed card is the dealer's once the stock is dealt, until it is played."""
        if view.bottom_card is None or view.stock_size or view.dealer == self.me:
            return
        bottom = CARD[view.bottom_card]
        if not any(bottom in slots for slots in (knowledge.pile, *knowledge.heaps)):
            self.hands[view.dealer] = [bottom]
            self.seen[RANKS_OF[bottom]] -= 1

    def copy(self) -> Self:
        twin = super().copy()
        twin.me, twin.target, twin.plan = self.me, self.target, self.plan
        twin.all_known, twin.models = self.all_known, self.models
        twin.counting = self.counting
        return twin

    # Worlds

    def sample(self, rng: Random) -> Self:
        """A world of the pool, the more likely the better it explains what was played, and in it
        a model for every other seat.
        """
        if not self.pool:
            self.pool = [self._deal_unknown(rng) for _ in range(self.worlds)]
            self.weights = list(accumulate([self._explain(world) for world in self.pool]))
        at = bisect(self.weights, rng.random() * self.weights[-1], hi=len(self.pool) - 1)
        world = self.pool[at]
        for seat, counting in enumerate(world.counting):
            if seat != self.me:
                world.models[seat] = COUNTER if rng.random() < counting else GREEDY
        return world

    def _deal_unknown(self, rng: Random) -> Self:
        world, lot = self.copy(), self.lot[:]
        world.models = self.models[:]
        for seat, size in self.draws:
            refused, hand = self.refused[seat], world.hands[seat]
            wanted = len(hand) + size
            tries = 4 * len(lot)
            while len(hand) < wanted and lot:
                at = int(rng.random() * len(lot))
                tries -= 1
                if refused >> RANKS_OF[lot[at]] & 1 and tries > 0 and rng.random() > KEPT:
                    continue
                hand.append(_take(lot, at))
        for side, hidden in enumerate((*self.hidden_in_heap, self.hidden_in_pile)):
            for _ in range(min(hidden, len(lot))):
                points = POINTS[_take(lot, int(rng.random() * len(lot)))]
                if side < self.sides:
                    world.points[side] += points
                else:
                    world.pile_points += points
        return world

    def _judge(self, closed: Sequence[Decision]) -> list[float]:
        """By seat, the chance that it counts, by what it played of hands that are known now."""
        trust = [0.5] * self.players
        for before, seat, played in closed:
            before.hands[seat] = played
            counter = trust[seat] * COUNTER.odds(before)[0]
            greedy = (1 - trust[seat]) * GREEDY.odds(before)[0]
            trust[seat] = counter / (counter + greedy)
        return [min(1 - DOUBT, max(DOUBT, counting)) for counting in trust]

    def _explain(self, world: Self) -> float:
        """How likely the others would have played what they did with the hands of this world."""
        counter, greedy = self.trust[:], [1 - counting for counting in self.trust]
        for before, seat, played in self.story:
            before.hands[seat] = played + world.hands[seat]
            counter[seat] *= COUNTER.odds(before)[0]
            greedy[seat] *= GREEDY.odds(before)[0]
        either = [one + other for one, other in zip(counter, greedy, strict=True)]
        world.counting = [one / both for one, both in zip(counter, either, strict=True)]
        return prod(either)

    # What a search asks for

    def play(self, move: Move) -> None:
        self.plan.begin()
        self.plan.note(CARD[move])
        self.put(CARD[move])

    def playout(self) -> None:
        """To the end of the block."""
        if self.all_known:
            return
        hands, me = self.hands, self.me
        while hand := hands[self.turn]:
            if self.turn == me:
                card = self.plan.pick(self)
            else:
                card = self.models[self.turn].pick(self) if len(hand) > 1 else hand[0]
            self.plan.note(card)
            self.put(card)
        if self.plays == PLAYS_PER_DEAL:
            self.finish()

    def worth(self) -> float:
        if self.all_known:
            return expected(self, self.me, self.target, self.counting[1 - self.me])
        worth = chance(self, self.me % self.sides, self.target)
        self.plan.learn(worth)
        return worth


def _take(lot: list[int], at: int) -> int:
    """The card at this place; the last one takes its place."""
    card = lot[at]
    lot[at] = lot[-1]
    lot.pop()
    return card

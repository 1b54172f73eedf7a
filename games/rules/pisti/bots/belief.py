"""What a seat knows of a deal, and the worlds that it may be in.

A rank that a seat let lie is hardly in its hand, and a hand is the likelier the better it explains
what its seat has played since it was dealt.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import exp
from random import Random
from typing import Final, NamedTuple, Self

from games.rules.cards import CARD
from games.rules.pisti.bots import quick_counter
from games.rules.pisti.bots.chances import refused_ranks
from games.rules.pisti.bots.outlook import chance
from games.rules.pisti.bots.world import EMPTY, POINTS, RANKS_OF, World
from games.rules.pisti.events import (
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from games.rules.pisti.knowledge import Knowledge, knowledge_of
from games.rules.pisti.predicates import PACK, PLAYS_PER_DEAL
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move, Seat

KEPT: Final = 0.1  # the chance that a rank let lie is held all the same
POOL: Final = 500  # worlds, at most, that are weighed by what they explain
TEMPERATURE: Final = 0.5  # points: a play that much worse is e times less likely
FLOOR: Final = 0.03  # how likely any play is, for players who weigh otherwise


class Decision(NamedTuple):
    """A card that another seat chose: what lay there, and what it has played from then on."""

    before: World
    seat: Seat
    played: list[int]


class Belief(World):
    """The deal as one seat knows it; ``sample`` deals what it does not know."""

    __slots__ = (
        "all_known", "draws", "found", "hidden_in_heap", "hidden_in_pile", "lot", "me", "move",
        "pool", "story", "target", "value", "weights", "worlds",
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
        # The last block between two: the other hand is what is left, so it is solved.
        others = sum(size for _, size in self.draws)
        self.all_known = options.players == 2 and not view.stock_size and others == len(self.lot)
        for seat, ranks in enumerate(refused_ranks(events, options.players)):
            self.refused[seat] = sum(1 << rank for rank in ranks)
        self.story = decisions(view, me, events)
        self.pool: list[Self] = []
        self.value: float | None = None
        self.move = ""
        self.found: dict[Move, float] = {}  # what a move was worth in this world
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
        twin.me, twin.target, twin.value = self.me, self.target, None
        twin.all_known, twin.found = self.all_known, self.found
        return twin

    # Worlds

    def sample(self, rng: Random) -> Self:
        if self.all_known or not self.story:
            return self._deal_unknown(rng)
        if not self.pool:
            self.pool = [self._deal_unknown(rng) for _ in range(self.worlds)]
            self.weights = list(accumulate([self._explains(world) for world in self.pool]))
        return rng.choices(self.pool, cum_weights=self.weights)[0]

    def _deal_unknown(self, rng: Random) -> Self:
        world, lot = self.copy(), self.lot[:]
        world.found = {}
        for seat, size in self.draws:
            refused, hand = self.refused[seat], world.hands[seat]
            wanted = len(hand) + size
            tries = 4 * len(lot)
            while len(hand) < wanted and lot:
                at = int(rng.random() * len(lot))
                tries -= 1
                if refused >> RANKS_OF[lot[at]] & 1 and tries > 0 and rng.random() > KEPT:
                    continue
                hand.append(lot[at])
                lot[at] = lot[-1]
                lot.pop()
        for side, hidden in enumerate((*self.hidden_in_heap, self.hidden_in_pile)):
            for _ in range(min(hidden, len(lot))):
                points = POINTS[lot.pop(int(rng.random() * len(lot)))]
                if side < self.sides:
                    world.points[side] += points
                else:
                    world.pile_points += points
        return world

    def _explains(self, world: World) -> float:
        """How likely the others would have played what they did with the hands of this world."""
        likely = 1.0
        for before, seat, played in self.story:
            before.hands[seat] = played + world.hands[seat]
            worths = quick_counter.weigh(before)
            likely *= FLOOR + (1 - FLOOR) * exp((worths[0] - max(worths)) / TEMPERATURE)
        return likely

    # What a search asks for. Nothing is left to chance in a world, so a move that was
    # tried there is not played again.

    def play(self, move: Move) -> None:
        self.move = move
        self.value = self.found.get(move)
        if self.value is None:
            self.put(CARD[move])

    def playout(self) -> None:
        """To the end of the block."""
        if self.value is not None:
            return
        if self.all_known:
            self.value = self.solved(0.0, 1.0)
            return
        quick_counter.play_block(self)
        if self.plays == PLAYS_PER_DEAL:
            self.finish()

    def worth(self) -> float:
        if self.value is None:
            self.value = chance(self, self.me % self.sides, self.target)
            self.found[self.move] = self.value
        return self.value

    def solved(self, low: float, high: float) -> float:
        """The worth if both seats see all cards and play their best from here (alpha-beta)."""
        hand = self.hands[self.turn]
        if not hand:
            self.finish()
            return chance(self, self.me, self.target)
        mine = self.turn == self.me
        for card in hand:
            twin = self.copy()
            twin.put(card)
            found = twin.solved(low, high)
            low, high = (max(low, found), high) if mine else (low, min(high, found))
            if low >= high:
                break
        return low if mine else high


def decisions(view: PistiView, me: Seat, events: Sequence[Event]) -> list[Decision]:
    """What the other seats chose since they were last dealt cards."""
    told: list[Decision] = []
    world = _undealt(view)
    for event in events:
        match event:
            case DealStarted() | Redeal():
                world, told = _undealt(view), []
            case HandDealt(seat=seat):
                world.hands[seat], world.refused[seat] = [EMPTY] * 4, 0
                told = [decision for decision in told if decision.seat != seat]
            case CentreDealt(top=top):
                world.pile_size, world.pile_points = 4, POINTS[CARD[top]] + 1
                _turn_up(world, top)
            case JackBuried(top=top):
                _turn_up(world, top)
            case CardPlayed(seat=seat, card=code):
                _note_play(world, seat, CARD[code], told, me)
    return told


def _undealt(view: PistiView) -> World:
    return World(view.options)


def _turn_up(world: World, code: str) -> None:
    world.top = RANKS_OF[CARD[code]]
    world.seen[world.top] += 1


def _note_play(world: World, seat: Seat, card: int, told: list[Decision], me: Seat) -> None:
    """Cards of hands are unknown here; only their number counts."""
    world.turn = seat
    for decision in told:
        if decision.seat == seat:
            decision.played.append(card)
    if seat != me and len(world.hands[seat]) > 1:
        told.append(Decision(world.copy(), seat, [card]))
    if world.hands[seat]:
        world.hands[seat][-1] = card
        world.put(card)

"""What the seat that searches plays next, later in the block: a tree that grows with each playout.

A node is what was played since the choice that is searched, rank by rank. In it each card is tried,
and the better it turned out the more often (UCB1: Auer, Cesa-Bianchi and Fischer 2002).
"""

from math import log, sqrt
from typing import Final

from games.rules.pisti.bots import quick_counter
from games.rules.pisti.bots.world import RANKS_OF, World

EXPLORE: Final = 0.1  # of the chance to win: how much rarely tried cards are favoured
RANKS: Final = 13


class Node:
    """By rank: how often it was played here, and what that was worth in all."""

    __slots__ = ("tries", "worths")

    def __init__(self) -> None:
        self.tries = [0] * RANKS
        self.worths = [0.0] * RANKS

    def best(self, hand: list[int]) -> int:
        """The first card not tried yet, else the most promising one."""
        tries, worths = self.tries, self.worths
        ranks = [RANKS_OF[card] for card in hand]
        total = 0
        for rank in ranks:
            if not tries[rank]:
                return hand[ranks.index(rank)]
            total += tries[rank]
        spread = log(total)
        best, highest = hand[0], -1.0
        for card, rank in zip(hand, ranks, strict=True):
            promise = worths[rank] / tries[rank] + EXPLORE * sqrt(spread / tries[rank])
            if promise > highest:
                best, highest = card, promise
        return best


class Plan:
    """The tree of one search, and where the playout in play is."""

    __slots__ = ("chosen", "nodes", "path")

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.path = 0  # four bits a card played
        self.chosen: list[tuple[Node, int]] = []  # with the rank, in this playout

    def begin(self) -> None:
        self.path = 0
        self.chosen.clear()

    def note(self, card: int) -> None:
        self.path = self.path << 4 | RANKS_OF[card] + 1

    def pick(self, world: World) -> int:
        """The card that the seat to play puts down; in a new node it is the counter's."""
        hand = world.hands[world.turn]
        if len(hand) == 1:
            return hand[0]
        node = self.nodes.get(self.path)
        if node is None:
            node = self.nodes[self.path] = Node()
            card = quick_counter.pick(world)
        else:
            card = node.best(hand)
        self.chosen.append((node, RANKS_OF[card]))
        return card

    def learn(self, worth: float) -> None:
        """What the playout came to."""
        for node, rank in self.chosen:
            node.tries[rank] += 1
            node.worths[rank] += worth

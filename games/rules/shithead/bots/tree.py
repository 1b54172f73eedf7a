"""A search tree over the choices of one seat, while ``keeper`` plays all other turns.

Every playout deals a world, follows the tree to its end and adds the choice that comes there. What
a seat sees when it is to choose names a node, not the world, so the choice is the same in all
worlds that it cannot tell apart. Choices that did well are tried more often (UCB1; Kocsis and
Szepesvári 2006, on sampled worlds: Silver and Veness 2010).
"""

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Final

from games.rules import search
from games.rules.shithead.bots import keeper
from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.playout import play_on
from games.rules.shithead.bots.worlds import Unseen
from games.rules.values import Seat

Choice = tuple[int, int, int]  # a rank, how many cards of it, how many top cards with them (R9)
PICK_UP: Final[Choice] = (-1, 0, 0)

CURIOSITY: Final = 0.5  # how much a choice gains by having been tried less than others
LONGEST: Final = 300  # turns of a playout, most of which take about 70
WAITING: Final = 0.5  # a playout that long is worth half a win to who holds fewer cards (R19)
PLACE_COUNTS: Final = 0.02  # of a playout's worth; the rest is not to be the shed


class Node:
    """A situation of the seat: its choices, and how the playouts through each of them ended."""

    __slots__ = ("after", "choices", "fresh", "tries", "worths")

    def __init__(self, choices: Sequence[Choice], rng: Random) -> None:
        self.choices = choices
        self.tries = [0] * len(choices)
        self.worths = [0.0] * len(choices)
        self.fresh = list(range(len(choices)))
        rng.shuffle(self.fresh)
        self.after: dict[tuple[int, ...], Node] = {}

    def next(self) -> int:
        """The number of the choice to try: each once, then what is good or hardly known."""
        if self.fresh:
            return self.fresh.pop()
        wide = CURIOSITY * sqrt(log(1 + sum(self.tries)))
        hopes = [
            worth / tries + wide / sqrt(tries)
            for worth, tries in zip(self.worths, self.tries, strict=True)
        ]
        return hopes.index(max(hopes))

    def note(self, at: int, worth: float) -> None:
        self.tries[at] += 1
        self.worths[at] += worth


def best(
    unseen: Unseen, seat: Seat, choices: Sequence[Choice], playouts: int, rng: Random
) -> Choice:
    """The choice that was tried most often in so many playouts."""
    root = Node(choices, rng)
    for _ in range(max(playouts, len(choices))):
        grow(root, unseen.sample(rng), seat, rng)
        if search.out_of_time():
            break
    return choices[root.tries.index(max(root.tries))]


def grow(root: Node, world: World, seat: Seat, rng: Random) -> None:
    """One playout in ``world``, with a new node for the first situation not met before."""
    node, left, path = root, LONGEST, list[tuple[Node, int]]()
    while True:
        at = node.next()
        path.append((node, at))
        make(world, node.choices[at])
        left = play_on(world, seat, left, to_a_choice=True)
        if is_over(world, seat) or not left:
            break
        seen = (at, left, world.hands[seat], world.pile, world.t, *world.tops)
        known = node.after.get(seen)
        if known is None:
            node.after[seen] = leaf = Node(legal(world), rng)
            path.append((leaf, leaf.choices.index(keeper.play_of(world))))
            leaf.fresh.remove(path[-1][1])
            play_on(world, seat, left)
            break
        node = known
    reached = worth(world, seat)
    for node, at in path:
        node.note(at, reached)


def is_over(world: World, seat: Seat) -> bool:
    """Whether it is settled for the seat how the game ends."""
    return world.places[seat] > 0 or world.active == 1


def worth(world: World, seat: Seat) -> float:
    """1 for the first place, nearly as much for the others, 0 for the shed."""
    place = world.places[seat]
    if place:
        return 1 - PLACE_COUNTS * (place - 1) / (len(world.places) - 1)
    return 0.0 if world.active == 1 or world.holds_most(seat) else WAITING


def legal(world: World) -> list[Choice]:
    """What the seat whose turn it is may choose from its hand or tops (R7–R9)."""
    seat, rules = world.turn, world.rules
    hand, top = world.hands[seat], world.tops[seat]
    may = (hand or top) & rules.masks[world.t]
    choices = [
        (rank, cards, 0) for rank in range(14) for cards in range(1, 1 + (may >> 4 * rank & 15))
    ]
    if choices and hand == choices[-1][1] << 4 * choices[-1][0]:
        rank, cards, _ = choices[-1]
        choices += [(rank, cards, extra) for extra in range(1, 1 + (top >> 4 * rank & 15))]
    if world.pile and (not may or rules.voluntary):
        choices.append(PICK_UP)
    return choices


def make(world: World, choice: Choice) -> None:
    if choice == PICK_UP:
        world.pick_up()
    else:
        world.play(*choice)

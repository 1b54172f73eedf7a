"""A search tree over the choices of one seat, while ``keeper`` plays all other turns.

Every playout deals a world, follows the tree to its end and adds the choice that comes there. What
a seat sees when it is to choose names a node, not the world, so the choice is the same in all
worlds that it cannot tell apart. Choices that did well are tried more often (UCT; Kocsis and
Szepesvári 2006, on sampled worlds: Silver and Veness 2010), by UCB1-tuned (Auer, Cesa-Bianchi and
Fischer 2002): where nearly every playout is worth the same, a few tries tell as much as many do
elsewhere. Where a value network judges (``network``), it and a playout count half each.
"""

from math import log, sqrt
from random import Random
from typing import Final, NamedTuple

from cardroom.rules.flat import Flat, copy_into, shuffle
from cardroom.rules.shithead.bots.choices import MOST, choice, legal, make
from cardroom.rules.shithead.bots.keeper import decide
from cardroom.rules.shithead.bots.network import Network, network_of
from cardroom.rules.shithead.bots.playouts import (
    BY_KEEPERS,
    CUNNINGLY,
    JUDGED,
    LONGEST,
    cunning_worth,
    judged_worth,
    play_cunningly,
    play_on,
    play_to_a_choice,
    worth_of,
)
from cardroom.rules.shithead.bots.sampling import Known, deal_unknown
from cardroom.rules.shithead.bots.world import BySeat, ShitheadWorld, is_over

MOST_VARIANCE: Final = 0.25  # of a worth between 0 and 1
MOST_NODES: Final = 1 << 14  # what comes after so many is played by ``keeper``
FREE: Final = 0  # no node is there: node 0, the root, is in no row
ROOT: Final = 0
_LOW: Final = (1 << 31) - 1


class Node(Flat):
    """A situation of the seat, after the choice at place ``came``.

    What the seat sees: so many turns are ``left``, its hand, the pile, the rank to beat and all
    tops. It has ``wide`` choices, in the places from ``first`` on, and chose ``visits`` times.
    """

    came: int
    left: int
    hand: int
    pile: int
    t: int
    tops: BySeat
    first: int
    wide: int
    visits: int


class Tree(NamedTuple):
    """The tree of one search, the way of a playout through it, and room for a world and choices.

    ``rows`` is a table of open addressing with the numbers of the nodes; ``counts`` has how many
    nodes and choices there are. ``choices``, ``tries`` and ``worths`` have a place for each choice
    of each node: what it is, how often it was tried, what came of it. ``passed`` are such places.
    ``ends``: how the seat plays on where the tree ends (``playouts``).
    """

    rows: list[int]
    nodes: list[Node]
    counts: list[int]
    choices: list[int]
    tries: list[int]
    worths: list[float]
    passed: list[int]
    fresh: list[int]
    playing: list[ShitheadWorld]
    ends: int
    network: Network


def nodes_of(playouts: int) -> int:
    """How many nodes a tree can have."""
    return min(1 + playouts, MOST_NODES)


def rows_of(nodes: int) -> int:
    return 1 << (2 * nodes).bit_length()


def empty_tree(playouts: int, ends: int = BY_KEEPERS) -> Tree:
    nodes = nodes_of(playouts)
    places = nodes * MOST
    return Tree(
        rows=[FREE] * rows_of(nodes),
        nodes=[Node() for _ in range(nodes)],
        counts=[0, 0],
        choices=[0] * places,
        tries=[0] * places,
        worths=[0.0] * places,
        passed=[0] * LONGEST,
        fresh=[0] * MOST,
        playing=[ShitheadWorld()],
        ends=ends,
        network=network_of(),
    )


def grow(rng: Random, playouts: int, known: Known, tree: Tree) -> None:
    """So many playouts, each in a world of its own."""
    if not tree.counts[0]:
        add_node(rng, tree, known.worlds[0])
    for _ in range(playouts):
        copy_into(tree.playing, 0, known.worlds[0])
        deal_unknown(rng, known, tree.playing[0])
        follow(rng, tree, tree.playing[0])


def follow(rng: Random, tree: Tree, world: ShitheadWorld) -> None:
    """One playout, with a new node for the first situation not met before."""
    node, left, passed, known = ROOT, LONGEST, 0, True
    while known:
        place = promising(tree, node)
        tree.passed[passed] = place
        passed += 1
        make(world, tree.choices[place])
        left = play_to_a_choice(world, left - 1)
        if not left or is_over(world):
            break
        row = row_of(tree, world, place, left)
        node = tree.rows[row]
        known = node != FREE
        if not known and tree.counts[0] < len(tree.nodes):
            node = tree.rows[row] = add_node(rng, tree, world)
            name(tree.nodes[node], world, place, left)
            if tree.ends != JUDGED:  # the network judges the node, not a choice of it
                tree.passed[passed] = keepers_place(tree, node, world)
                passed += 1
    if tree.ends == CUNNINGLY:
        play_cunningly(rng, world, left, tree.fresh)
        learn(tree, passed, cunning_worth(world))
    elif tree.ends == JUDGED:
        learn(tree, passed, judged_worth(world, left, tree.network))
    else:
        play_on(world, left)
        learn(tree, passed, worth_of(world))


def promising(tree: Tree, number: int) -> int:
    """The place of the choice to try: each once, then what is good or hardly known."""
    node = tree.nodes[number]
    first, visits = node.first, node.visits
    node.visits = visits + 1
    if visits < node.wide:
        return first + visits
    logged = log(1 + visits)
    best, highest = first, -1.0
    for place in range(first, first + node.wide):
        tried = tree.tries[place]
        mean, part = tree.worths[place] / tried, logged / tried
        hope = mean + sqrt(part * min(MOST_VARIANCE, mean * (1 - mean) + sqrt(2 * part)))
        if hope > highest:
            best, highest = place, hope
    return best


def add_node(rng: Random, tree: Tree, world: ShitheadWorld) -> int:
    """The number of a new node: the choices of the seat to play, in an order of chance."""
    number, first = tree.counts[0], tree.counts[1]
    size = legal(world, tree.fresh)
    shuffle(rng, tree.fresh, size)
    for at in range(size):
        tree.choices[first + at] = tree.fresh[at]
    tree.nodes[number].first, tree.nodes[number].wide = first, size
    tree.counts[0], tree.counts[1] = number + 1, first + size
    return number


def keepers_place(tree: Tree, number: int, world: ShitheadWorld) -> int:
    """The place of what ``keeper`` would play, now the first choice of a new node, and tried."""
    node, chosen = tree.nodes[number], keepers_choice(world)
    at = node.first
    while tree.choices[at] != chosen:
        at += 1
    tree.choices[at] = tree.choices[node.first]
    tree.choices[node.first] = chosen
    node.visits = 1
    return node.first


def keepers_choice(world: ShitheadWorld) -> int:
    hand, top = world.hands[world.turn], world.tops[world.turn]
    may = (hand or top) & world.masks[world.t]
    rank, cards, extra = decide(may, hand, top, world.last, world.run)
    return choice(rank, cards, extra)


def name(node: Node, world: ShitheadWorld, came: int, left: int) -> None:
    """The node is known by what the seat sees."""
    node.came, node.left, node.pile, node.t = came, left, world.pile, world.t
    node.hand = world.hands[world.me]
    for seat in range(world.players):
        node.tops[seat] = world.tops[seat]


def is_named(node: Node, world: ShitheadWorld, came: int, left: int) -> bool:
    if node.came != came or node.left != left or node.pile != world.pile or node.t != world.t:
        return False
    if node.hand != world.hands[world.me]:
        return False
    for seat in range(world.players):  # noqa: SIM110 - compiled code has no generators
        if node.tops[seat] != world.tops[seat]:
            return False
    return True


def row_of(tree: Tree, world: ShitheadWorld, came: int, left: int) -> int:
    """The row of the node that is named so, or the free one where it belongs."""
    seen = world.hands[world.me] + 3 * world.pile + came * LONGEST + left
    seen = (seen ^ seen >> 31) & _LOW
    last = len(tree.rows) - 1
    row = (seen * 1103515245 >> 20) & last
    while tree.rows[row] != FREE and not is_named(tree.nodes[tree.rows[row]], world, came, left):
        row = (row + 1) & last
    return row


def learn(tree: Tree, passed: int, worth: float) -> None:
    """What the playout came to."""
    for nth in range(passed):
        tree.tries[tree.passed[nth]] += 1
        tree.worths[tree.passed[nth]] += worth

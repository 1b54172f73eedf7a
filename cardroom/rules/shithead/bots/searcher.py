"""``searcher``: tries its choices in many possible worlds, played to the end by ``keeper``.

It deals the cards it cannot know at random, but remembers the cards it saw go into other hands and
what the turns of the others tell of theirs. Its own next choices are searched as well (``tree``).
In the exchange it tries several ways to lay its cards out. ``strong_searcher`` is the same with
more worlds and more care (``CAREFUL``).

A search tree over the choices of one seat, while ``keeper`` plays all other turns.

Every playout deals a world, follows the tree to its end and adds the choice that comes there. What
a seat sees when it is to choose names a node, not the world, so the choice is the same in all
worlds that it cannot tell apart. Choices that did well are tried more often (UCT; Kocsis and
Szepesvári 2006, on sampled worlds: Silver and Veness 2010), by UCB1-tuned (Auer, Cesa-Bianchi and
Fischer 2002): where nearly every playout is worth the same, a few tries tell as much as many do
elsewhere. Where a value network judges (``network``), it and a playout count half each.
"""

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.search import Flat, copy_into, shuffle
from cardroom.rules.shithead.bots import world
from cardroom.rules.shithead.bots.belief import Known, believed, deal_unknown
from cardroom.rules.shithead.bots.layouts import (
    JUDGED_LAYOUTS,
    LAYOUTS,
    Compared,
    Exchange,
    ending,
    layouts_of,
    led_to,
    missing,
    play_choices,
    play_layouts,
    step,
)
from cardroom.rules.shithead.bots.playouts import (
    BY_KEEPERS,
    CUNNINGLY,
    JUDGED,
    LONGEST,
    Network,
    cunning_worth,
    judged_worth,
    knows,
    network_of,
    play_cunningly,
    play_on,
    play_to_a_choice,
    worth_of,
)
from cardroom.rules.shithead.bots.simple import READING, decide, escapes_repetition
from cardroom.rules.shithead.bots.world import (
    MOST,
    PLACE,
    BySeat,
    ShitheadWorld,
    choice,
    counts_of,
    is_over,
    legal,
    make,
)
from cardroom.rules.shithead.events import Exchanged
from cardroom.rules.shithead.predicates import PICKUP, READY
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move, Weighing

MOST_VARIANCE: Final = 0.25  # of a worth between 0 and 1
MOST_NODES: Final = 1 << 14  # what comes after so many is played by ``keeper``
FREE: Final = 0  # no node is there: node 0, the root, is in no row
ROOT: Final = 0
_LOW: Final = (1 << 31) - 1


class Node(Flat):
    """A situation of the seat, after the choice at place ``came``.

    The seat sees: so many turns are ``left``, its hand, the pile, the rank to beat and all
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
    """Add the worth of a playout to the choices that it passed."""
    for nth in range(passed):
        tree.tries[tree.passed[nth]] += 1
        tree.worths[tree.passed[nth]] += worth


LONGER: Final = 3  # how much longer a playout of the whole game takes
CUNNING: Final = 2  # how much longer one takes where the own seat plays on cunningly
DOUBTFUL: Final = 2  # how much longer it takes where the other seat is no keeper
UNLIMITED: Final = 99  # swaps, under version 1 of the rules (R5)


class Care(NamedTuple):
    """The considerations of a level of the search.

    If it is ``steady`` it goes on to where its swaps in the exchange led. ``exchanges``: those of
    the others tell it what they hold. ``cunning``: between two, its own seat plays on better than
    ``keeper`` (``playouts.play_cunningly``), and so does the other one, as far as its turns are not
    those of a keeper (``trust``). ``judged``: among four a value network helps (``network``).
    """

    steady: bool
    exchanges: bool
    cunning: bool
    judged: bool


CARE: Final = Care(steady=False, exchanges=False, cunning=False, judged=False)
CAREFUL: Final = Care(steady=True, exchanges=True, cunning=True, judged=True)


class SearchForm(NamedTuple):
    """A form of the search, plain or compiled.

    ``planted`` makes a tree for so many playouts and how they end, and ``grow`` grows it by some of
    them, at most ``at_once`` between two looks at the clock. ``compared`` compares ways to end the
    exchange, ``tried`` choices in play.
    """

    planted: Callable[[Known, int, int], tuple[Any, Any]]
    grow: Callable[[Random, int, Any, Any], None]
    compared: Callable[[Random, Known, Exchange], search.Compare]
    tried: Callable[[Random, Known, Sequence[int]], search.Compare]
    at_once: int


def choose(
    view: ShitheadView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    form: SearchForm | None = None,
    care: Care = CARE,
) -> Move:
    """``form`` is the compiled one."""
    if view.phase == "exchange":
        return _exchange(view, events, rng, playouts, form or PLAIN, care)
    moves = view.legal_moves
    if len(moves) == 1 or moves[0].startswith("blind"):
        return moves[0]
    if escapes_repetition(view, rng):
        return rng.choice(moves)
    by_choice = {choice_of(view, move): move for move in moves}
    ends = how_playouts_end(view, care)
    known = believed(view, events, exchanges=care.exchanges, doubts=ends == CUNNINGLY)
    budget = affordable(playouts, known, ends)
    return by_choice[best(known, len(by_choice), budget, rng, form or PLAIN, ends)]


def choose_carefully(
    view: ShitheadView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    form: SearchForm | None = None,
) -> Move:
    return choose(view, events, rng, playouts, form, CAREFUL)


def is_duel(view: ShitheadView) -> bool:
    """Two seats are left."""
    return view.places.count(0) == 2


def how_playouts_end(view: ShitheadView, care: Care) -> int:
    """One of the ways of ``playouts``."""
    if is_duel(view):
        return CUNNINGLY if care.cunning else BY_KEEPERS
    return JUDGED if care.judged and knows(view.options) else BY_KEEPERS


def affordable(playouts: int, known: Known, ends: int) -> int:
    """So many playouts as take the time of these where all seats play on as keepers."""
    longer = 1 + (DOUBTFUL - 1) * (1 - min(known.trust))
    return round(playouts / (longer * CUNNING if ends == CUNNINGLY else longer))


def choice_of(view: ShitheadView, move: Move) -> int:
    """A legal move as the search plays it."""
    if move == PICKUP:
        return world.PICK_UP
    codes = move.split(" ")
    extra = sum(1 for code in codes if code not in view.hand) if view.hand else 0
    return world.choice(PLACE[codes[0][0]], len(codes) - extra, extra)


def weigh(
    view: ShitheadView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    form: SearchForm | None = None,
) -> Weighing:
    """``form`` is the compiled one; of cards that do the same one is played."""
    moves = view.legal_moves
    if view.phase == "exchange":
        return _weigh_exchange(view, events, rng, playouts, form or PLAIN)
    if moves[0].startswith("blind"):
        return Weighing((), ())
    by_choice = {choice_of(view, move): move for move in moves}
    compare = (form or PLAIN).tried(rng, believed(view, events), list(by_choice))
    weighed = search.weigh_by(compare, list(by_choice.values()), playouts)
    return weighed.spread({move: by_choice[choice_of(view, move)] for move in moves})


def best(
    known: Known,
    wide: int,
    playouts: int,
    rng: Random,
    form: SearchForm,
    ends: int = BY_KEEPERS,
) -> int:
    """The choice of so many that was tried most often; each of them is tried."""
    playouts = max(playouts, wide)
    laid, grown = form.planted(known, playouts, ends)
    for done in range(0, playouts, form.at_once):
        form.grow(rng, min(form.at_once, playouts - done), laid, grown)
        if search.out_of_time():
            break
    return int(grown.choices[max(range(wide), key=grown.tries.__getitem__)])


def _exchange(
    view: ShitheadView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    form: SearchForm,
    care: Care,
) -> Move:
    """One step towards the best way to lay the cards out; ``ready`` once they lie in one."""
    if view.legal_moves == (READY,):  # a person used up the swaps of this seat (R5)
        return READY
    ends = how_playouts_end(view, care)
    seat, tops, aims = layouts_of(view, JUDGED_LAYOUTS if ends == JUDGED else LAYOUTS)
    swaps = sum(isinstance(event, Exchanged) and event.seat == seat for event in events)
    if (swaps and tops in aims) or swaps >= len(view.hand):
        return READY
    wanted = [*aims, tops]
    if care.steady:
        wanted = list(dict.fromkeys([*led_to(aims, tops, events, seat), tops]))
    known = believed(view, events, exchanges=care.exchanges, doubts=ends == CUNNINGLY)
    compare = form.compared(rng, known, ending(view, wanted, ends))
    names = list(map(str, range(len(wanted))))
    budget = affordable(playouts, known, ends) // LONGER
    chosen = search.best_by(compare, names, budget, rng, at_once=form.at_once)
    return step(view.hand, view.tops[seat], wanted[int(chosen)])


def _weigh_exchange(
    view: ShitheadView, events: Sequence[Event], rng: Random, playouts: int, form: SearchForm
) -> Weighing:
    """``ready`` is worth what lies open now, a swap the best layout that can still be reached.

    Only swaps towards one of ``LAYOUTS`` are weighed.
    """
    seat, tops, aims = layouts_of(view)
    left = UNLIMITED if view.swaps_left is None else view.swaps_left[seat]
    within = [aim for aim in aims if aim != tops and missing(aim, tops) <= left]
    wanted = list(dict.fromkeys([tops, *within]))
    compare = form.compared(rng, believed(view, events), ending(view, wanted))
    names = list(map(str, range(len(wanted))))
    means = search.weigh_by(compare, names, max(search.BATCHES, playouts // LONGER)).means
    by_move = {READY: means[0]}
    for aim in within:
        move = step(view.hand, view.tops[seat], aim)
        _, card, top = move.split(" ")
        after = tops + counts_of([card]) - counts_of([top])
        open_ = [at for at, layout in enumerate(wanted) if missing(layout, after) < left]
        by_move[move] = _best_of([means[at] for at in open_])
    return Weighing(tuple(by_move), tuple(by_move.values()))


def _best_of(means: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The best of these, found in every other batch for those between: the best of many uncertain
    numbers looks better than it is."""
    best = [max(means, key=lambda each: sum(each[1 - half :: 2])) for half in (0, 1)]
    return tuple(best[at % 2][at] for at in range(len(means[0])))


def _planted(known: Known, playouts: int, ends: int) -> tuple[Known, Tree]:
    return known, empty_tree(playouts, ends)


def _compared(rng: Random, known: Known, exchange: Exchange) -> search.Compare:
    def play(worlds: int, moves: list[int], totals: list[float]) -> None:
        play_layouts(rng, worlds, moves, totals, known, exchange)

    return search.comparison(play)


def _tried(rng: Random, known: Known, wanted: Sequence[int]) -> search.Compare:
    room = Compared(list(wanted), [ShitheadWorld(), ShitheadWorld()])

    def play(worlds: int, moves: list[int], totals: list[float]) -> None:
        play_choices(rng, worlds, moves, totals, known, room)

    return search.comparison(play)


PLAIN: Final = SearchForm(_planted, grow, _compared, _tried, at_once=1)

SEARCHER: Final[Bot[ShitheadView]] = Search(
    choose, playouts=300, playouts_a_ms=16, weigh=weigh, reading=READING
).bot(
    slug="searcher",
    name="Searcher",
    summary="Deals the cards it cannot see again and again, and tries every choice to the end.",
    level=4,
    remembers="round",
    cost="slow",
    seconds=1.0,
)
STRONG_SEARCHER: Final[Bot[ShitheadView]] = Search(
    choose_carefully, playouts=16_000, playouts_a_ms=16, weigh=weigh, reading=READING
).bot(
    slug="strong_searcher",
    name="Strong searcher",
    summary="The searcher with far more worlds; it thinks for a moment.",
    level=5,
    remembers="round",
    cost="slow",
    seconds=2.0,
)

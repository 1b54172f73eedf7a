"""``searcher``: plays every choice to the end of the block in many worlds that it may be in.

``belief`` is what it knows and infers, ``sampling`` deals the worlds, ``playouts`` plays them;
``models`` says how the others play on, ``plan`` how it does itself, ``outlook`` what the end of a
block is worth. ``last_block`` needs no playouts.

The later plays in the block of the seat that searches: a tree that grows with each playout.

A node is what was played since the choice that is searched, rank by rank (``path``). In it each
card is tried, and the better it turned out the more often (UCB1: Auer, Cesa-Bianchi and Fischer
2002).

The last block of a deal between two, where the other hand is what is left: solved exactly.

Every line is looked at (expectimax). The seat that searches plays its best; the other one plays
each card as likely as its models say, and with each card one of the models fits it better.

No function calls itself: compiled code that does cannot be kept on the disk.

The choices of a seat played to the end of the block, each in the same worlds.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import log, sqrt
from random import Random
from typing import Annotated, Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.belief import (
    GREEDY,
    Known,
    Pool,
    all_known,
    believed,
    drawn,
    empty_pool,
    fill_pool,
    made_whole,
    models_place,
    own_hand,
    weigh_models,
)
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.quick_counter import counters_place
from cardroom.rules.pisti.bots.world import (
    BLOCK,
    HAND,
    MODELS,
    RANKS,
    RANKS_OF,
    PistiWorld,
    finish,
    put,
    recent_deals,
)
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.search import Flat, chance, copy_into
from cardroom.rules.values import Event, Move, Weighing

EXPLORE: Final = 0.1  # of the chance to win: how much rarely tried cards are favoured
EXACT_EXPLORE: Final = 0.03  # where the counter is foreseen to the last rule
UNUSED: Final = 0  # no path: a path has four bits for each card played
MOST_CHOSEN: Final = 3  # of a block, the card that is searched and the last one left aside
NODES_A_PLAYOUT: Final = 2  # at most


class Plan(NamedTuple):
    """The tree of one search, a table of open addressing, and the nodes passed in this playout.

    ``paths`` has a place a node; ``tries`` and ``gains`` have ``HAND`` slots a node, one for each
    rank of the hand (``ranks`` says which): how often it was played here and what that was worth in
    all. ``passed`` are such slots.
    """

    ranks: list[int]
    paths: list[int]
    tries: list[int]
    gains: list[float]
    passed: list[int]


def rows(playouts: int) -> int:
    """Of a table with more places than the search can have nodes: it is never full."""
    return 1 << (NODES_A_PLAYOUT * playouts).bit_length()


def empty_plan(playouts: int, hand: Sequence[int]) -> Plan:
    """For the hand of the seat that searches."""
    size = rows(playouts)
    tries, gains = [0] * (size * HAND), [0.0] * (size * HAND)
    return Plan(ranks_of(hand), [UNUSED] * size, tries, gains, [0] * MOST_CHOSEN)


def ranks_of(hand: Sequence[int]) -> list[int]:
    """By rank, which one of the hand it is, from 0 on; 0 for those that it does not hold."""
    ranks = [0] * RANKS
    for nth, rank in enumerate(sorted({RANKS_OF[card] for card in hand})):
        ranks[rank] = nth
    return ranks


def slot_of(plan: Plan, row: int, card: int) -> int:
    """The index at which the node in this row counts the rank of the card."""
    return HAND * row + plan.ranks[RANKS_OF[card]]


def after_card(path: int, rank: int) -> int:
    return (path << 4) | (rank + 1)


def row_of(plan: Plan, path: int) -> int:
    """The row of this node, or the free one where it belongs."""
    paths = plan.paths
    mask = len(paths) - 1
    row = (((path ^ (path >> 17)) & 0xFFFFFFF) * 40503 >> 7) & mask
    while paths[row] != path and paths[row] != UNUSED:
        row = (row + 1) & mask
    return row


def planned_place(world: PistiWorld, plan: Plan, path: int) -> int:
    """The place of the card that the seat to play puts down; in a new node it is the counter's."""
    row = row_of(plan, path)
    if plan.paths[row] == UNUSED:
        plan.paths[row] = path
        return counters_place(world)
    return most_promising(world, plan, row)


def most_promising(world: PistiWorld, plan: Plan, row: int) -> int:
    """The first card not tried yet, else the most promising one."""
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    total = 0
    for at in range(cards):
        tried = plan.tries[slot_of(plan, row, hand[at])]
        if tried == 0:
            return at
        total += tried
    explore = EXACT_EXPLORE if world.exact else EXPLORE
    spread = log(total)
    best, highest = 0, -1.0
    for at in range(cards):
        slot = slot_of(plan, row, hand[at])
        tried = plan.tries[slot]
        promise = plan.gains[slot] / tried + explore * sqrt(spread / tried)
        if promise > highest:
            best, highest = at, promise
    return best


def learn(plan: Plan, passed: int, worth: float) -> None:
    """Add the worth of a playout to the choices that it passed."""
    for nth in range(passed):
        plan.tries[plan.passed[nth]] += 1
        plan.gains[plan.passed[nth]] += worth


class Node(Flat):
    """A position of a line: what is known of its worth, the chance to win the match.

    ``beliefs`` are the chances of the rival to play by each model, ``tried`` how many of the cards
    of the seat to play were played on. ``worth`` is the best of them for the seat that searches;
    for the other one it is the mean so far. Of its cards ``likely`` are their odds, ``after`` the
    beliefs if it plays them.
    """

    beliefs: Annotated[list[float], MODELS]
    tried: int
    worth: float
    likely: Annotated[list[float], HAND]
    after: Annotated[list[list[float]], HAND, MODELS]


class Solving(NamedTuple):
    """Places in the hand, one a move; the pool, in which all worlds have the same hands; and room
    for the positions of a line, after 0 to ``BLOCK`` cards."""

    places: list[int]
    pool: Pool
    nodes: list[Node]
    playing: list[PistiWorld]


def solve_worlds(
    rng: Random, worlds: int, moves: list[int], totals: list[float], workspace: Solving
) -> None:
    """As ``playouts.play_worlds``."""
    nodes, playing = workspace.nodes, workspace.playing
    for _ in range(worlds):
        sampled = workspace.pool.worlds[drawn(rng, workspace.pool.weights)]
        for nth in range(len(moves)):
            copy_into(playing, 0, sampled)
            put(playing[0], workspace.places[moves[nth]])
            for model in range(MODELS):
                nodes[0].beliefs[model] = sampled.beliefs[1 - sampled.me][model]
            totals[nth] += solve(nodes, playing)


def solve(nodes: list[Node], playing: list[PistiWorld]) -> float:
    """The worth of the first position; its node has ``beliefs``."""
    nth = 0
    begin(nodes[0], playing[0])
    while True:
        node, world = nodes[nth], playing[nth]
        if node.tried < world.sizes[world.turn]:
            copy_into(playing, nth + 1, world)
            put(playing[nth + 1], node.tried)
            for model in range(MODELS):
                nodes[nth + 1].beliefs[model] = node.after[node.tried][model]
            nth += 1
            begin(nodes[nth], playing[nth])
        elif nth:
            nth -= 1
            note(nodes[nth], playing[nth], node.worth)
        else:
            return node.worth


def begin(node: Node, world: PistiWorld) -> None:
    """Nothing is tried yet; the end of the deal has its worth at once."""
    node.tried, node.worth = 0, 0.0
    cards = world.sizes[world.turn]
    if not cards:
        finish(world)
        node.worth = chance_to_win(world, world.me)
    elif world.turn == world.me:
        for at in range(cards):
            for model in range(MODELS):
                node.after[at][model] = node.beliefs[model]
    else:
        weigh_models(world)
        for at in range(cards):
            for model in range(MODELS):
                node.after[at][model] = node.beliefs[model] * world.odds[model][at]
            node.likely[at] = made_whole(node.after[at])


def note(node: Node, world: PistiWorld, worth: float) -> None:
    """The card that was tried came to so much."""
    if world.turn == world.me:
        node.worth = max(node.worth, worth)
    else:
        node.worth += node.likely[node.tried] * worth
    node.tried += 1


class Workspace(NamedTuple):
    """Records of playouts: places in the hand, one a move; worlds, a plan, and a world to play."""

    places: list[int]
    pool: Pool
    plan: Plan
    playing: list[PistiWorld]


def play_worlds(
    rng: Random, worlds: int, moves: list[int], totals: list[float], workspace: Workspace
) -> None:
    """Plays each of these moves in so many worlds of the pool; ``totals`` grow by their worth."""
    for _ in range(worlds):
        sampled = workspace.pool.worlds[drawn(rng, workspace.pool.weights)]
        draw_models(rng, sampled)
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, sampled)
            place = workspace.places[moves[nth]]
            totals[nth] += worth_of(workspace.playing[0], place, workspace.plan)


def draw_models(rng: Random, world: PistiWorld) -> None:
    """A model for each other seat, as likely as what it played says."""
    for seat in range(world.players):
        if seat != world.me:
            world.counts[seat] = 0 if chance(rng) < world.beliefs[seat][GREEDY] else 1


def worth_of(world: PistiWorld, place: int, plan: Plan) -> float:
    """Plays this card, then the block to its end; the chance to win the match from there."""
    path = after_card(0, RANKS_OF[world.hands[world.me][place]])
    put(world, place)
    passed = play_block(world, plan, path)
    if world.plays == PLAYS_PER_DEAL:
        finish(world)
    worth = chance_to_win(world, world.me % world.sides)
    learn(plan, passed, worth)
    return worth


def play_block(world: PistiWorld, plan: Plan, path: int) -> int:
    """Every seat plays its hand out; how many nodes of the plan were passed."""
    passed = 0
    while world.sizes[world.turn]:
        seat, place = world.turn, 0
        hand = world.hands[seat]
        if world.sizes[seat] > 1:
            if seat == world.me:
                place = planned_place(world, plan, path)
                plan.passed[passed] = slot_of(plan, row_of(plan, path), hand[place])
                passed += 1
            else:
                place = models_place(world)
        path = after_card(path, RANKS_OF[hand[place]])
        put(world, place)
    return passed


PLAYOUTS: Final = 20_000
POOL: Final = 500  # worlds, at least, that are weighed by what they explain
PLAYOUTS_A_WORLD: Final = 10  # of a larger pool
LEAST_POOL: Final = 100  # worlds of a batch, where moves are weighed
LARGEST_BATCH: Final = 1024  # playouts of a move; a plan for more of them would be large
LEAST_PLAYOUTS: Final = 2 * HAND  # each move is played once a round, whatever the budget


class Task(NamedTuple):
    """A search to do: places in the hand, one a move; how many worlds and playouts, at most.

    Where every card is known there is one world, which is ``solved``.
    """

    known: Known
    places: list[int]
    worlds: int
    playouts: int
    solved: bool = False


Compare = Callable[[Task, Random], search.Compare]


def choose(
    view: PistiView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Move:
    """``comparison`` is that of the compiled form."""
    moves = unlike(view.legal_moves)
    if len(moves) == 1:
        return moves[0]
    budget = 2 * playouts // view.options.players
    pool = max(POOL, playouts // PLAYOUTS_A_WORLD)
    task = _task(view, events, moves, min(playouts, pool), budget, exact=True)
    compare = (comparison or _compare)(task, rng)
    if task.solved:
        return search.best_by(compare, moves, 1, rng, near=0.0)
    at_once = 1 if comparison is None else search.AT_ONCE
    return search.best_by(compare, moves, budget, rng, at_once=at_once)


def weigh(
    view: PistiView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Weighing:
    """``comparison`` is that of the compiled form; of cards that do the same one is played."""
    moves = unlike(view.legal_moves)
    batches = max(search.BATCHES, playouts // LARGEST_BATCH)
    size = max(1, playouts // batches)
    pool = min(POOL, max(LEAST_POOL, size))
    task = _task(view, events, moves, pool, size * len(moves))
    compare = comparison or _compare
    if task.solved:
        weighed = search.weigh_by(compare(task, rng), moves, 1, batches=1)
    else:
        weighed = search.weigh_by(_anew(compare, task, rng), moves, playouts, batches)
    by_kind = {kind_of(move): move for move in moves}
    return weighed.spread({move: by_kind[kind_of(move)] for move in view.legal_moves})


def _anew(comparison: Compare, task: Task, rng: Random) -> search.Compare:
    """Every batch has worlds and a plan of its own: what it says hangs on no other batch."""

    def compare(candidates: Sequence[search.Candidate], worlds: int) -> None:
        comparison(task, rng)(candidates, worlds)

    return compare


def _task(
    view: PistiView,
    events: Sequence[Event],
    moves: Sequence[Move],
    worlds: int,
    playouts: int,
    *,
    exact: bool = False,
) -> Task:
    known = believed(view, view.to_act[0], recent_deals(events), exact=exact)
    hand = [CARD[code] for code in view.hand]
    places = [hand.index(CARD[move]) for move in moves]
    if all_known(known, view):
        return Task(known, places, 1, 1, solved=True)
    return Task(known, places, worlds, max(playouts, LEAST_PLAYOUTS))


def unlike(moves: Sequence[Move]) -> list[Move]:
    """One of the cards that do the same: of a rank, and worth as much."""
    return list({kind_of(move): move for move in moves}.values())


def kind_of(move: Move) -> str:
    """The rank; the two cards that are worth more than others of theirs stand for themselves."""
    return move if move in ("2C", "TD") else move[0]


def _compare(task: Task, rng: Random) -> search.Compare:
    pool = empty_pool(task.worlds, len(task.known.lot))
    fill_pool(rng, task.known, pool)
    if task.solved:
        nodes, playing = zip(*((Node(), PistiWorld()) for _ in range(BLOCK)), strict=True)
        solving = Solving(task.places, pool, list(nodes), list(playing))
        return search.comparison(partial(solve_worlds, rng, workspace=solving))
    plan = empty_plan(task.playouts, own_hand(task.known))
    workspace = Workspace(task.places, pool, plan, [PistiWorld()])
    return search.comparison(partial(play_worlds, rng, workspace=workspace))


SEARCHER: Final[Bot[PistiView]] = Search(
    choose, playouts=PLAYOUTS, playouts_a_ms=45, weigh=weigh
).bot(
    slug="searcher",
    name="Searcher",
    summary="Guesses the other hands from what they let lie and tries each card in many of them.",
    level=5,
    remembers="match",
    cost="slow",
    seconds=2.0,
)

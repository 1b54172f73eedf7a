"""``searcher``: tries each of its choices in many possible worlds, played to the end by ``keeper``.

It deals the cards it cannot know at random, but remembers the cards it saw go into other hands.
Its thinking is bounded by playouts and never by time, so it chooses alike on every machine.
Choices that do worse are dropped round by round, so that most worlds are spent on close ones.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from games.rules.bot import Bot
from games.rules.shithead.bots import keeper
from games.rules.shithead.bots.kernel import World, play_out
from games.rules.shithead.bots.rank_counts import PLACE
from games.rules.shithead.bots.repetition import escapes_repetition
from games.rules.shithead.bots.worlds import Unseen
from games.rules.shithead.moves import PICKUP
from games.rules.shithead.options import cards_each
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event, Move

PLAYOUTS: Final = 240  # shared by all choices of one move
LONGEST: Final = 300  # turns of a playout, most of which take about 100
WAITING: Final = 0.5  # a playout that long is worth half a win to who holds fewer cards (R19)
PLACE_COUNTS: Final = 0.2  # of a playout's worth; the rest is not to be the shed

# With long rows many low cards may lie open and court cards are better played early; a row of
# nothing but wild cards comes too late. Measured with keeper against keeper.
LONG_ROW: Final = 6
LONG_ROW_WORTH: Final = {rank: worth for worth, rank in enumerate("JQK452367A89TX")}


class Candidate(NamedTuple):
    """A legal move and how the kernel plays it."""

    move: Move
    apply: Callable[[World], None]


def choose(view: ShitheadView, events: Sequence[Event], rng: Random) -> Move:
    if view.phase == "exchange":
        return keeper.swap(view, _worth_on_top(view))
    moves = view.legal_moves
    if len(moves) == 1 or moves[0].startswith("blind"):
        return moves[0]
    if escapes_repetition(view, rng):
        return rng.choice(moves)
    unseen = Unseen.behind(view, events)
    return best([candidate(view, move) for move in moves], unseen, rng)


def _worth_on_top(view: ShitheadView) -> Mapping[str, int]:
    return LONG_ROW_WORTH if cards_each(view.options) >= LONG_ROW else PLACE


def candidate(view: ShitheadView, move: Move) -> Candidate:
    if move == PICKUP:
        return Candidate(move, World.pick_up)
    codes = move.split(" ")
    extra = sum(1 for code in codes if code not in view.hand) if view.hand else 0
    rank, cards = PLACE[codes[0][0]], len(codes) - extra
    return Candidate(move, lambda world: world.play(rank, cards, extra))


def best(candidates: Sequence[Candidate], unseen: Unseen, rng: Random) -> Move:
    """Successive halving: equal worlds for all that are left, then the worse half is dropped."""
    rounds = (len(candidates) - 1).bit_length()
    worth = dict.fromkeys([one.move for one in candidates], 0.0)
    left = list(candidates)
    for _ in range(rounds):
        for _ in range(max(1, PLAYOUTS // (rounds * len(left)))):
            world = unseen.sample(rng)
            for one in left:
                worth[one.move] += _worth(world.copy(), one)
        left.sort(key=lambda one: -worth[one.move])
        left = left[: (len(left) + 1) // 2]
    return left[0].move


def _worth(world: World, candidate: Candidate) -> float:
    """1 for the first place down to 0 for the shed."""
    seat, others = world.turn, len(world.places) - 1
    candidate.apply(world)
    play_out(world, keeper.policy, seat, LONGEST)
    place = world.places[seat]
    if place:
        return 1 - PLACE_COUNTS * (place - 1) / others
    return 0.0 if world.active == 1 or world.holds_most(seat) else WAITING


SEARCHER: Final[Bot[ShitheadView]] = Bot(
    slug="searcher",
    name="Searcher",
    summary="Deals the cards it cannot see again and again, and tries every choice to the end.",
    level=5,
    choose=choose,
    remembers="round",
    cost="slow",
    seconds=2.0,
)

"""``searcher``: tries its choices in many possible worlds, played to the end by ``keeper``.

It deals the cards it cannot know at random, but remembers the cards it saw go into other hands and
what the turns of the others tell of theirs. Its own next choices are searched as well (``tree``).
In the exchange it tries several ways to lay its cards out. ``strong_searcher`` is the same with
more worlds.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final, Self

from games.rules import search
from games.rules.bot import Bot, Search
from games.rules.cards import CARD
from games.rules.shithead.bots import tree
from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.playout import play_on
from games.rules.shithead.bots.rank_counts import PLACE, count, counts_of
from games.rules.shithead.bots.repetition import escapes_repetition
from games.rules.shithead.bots.worlds import Unseen
from games.rules.shithead.events import Exchanged
from games.rules.shithead.moves import PICKUP, READY, SWAP
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event, Move, Seat

# Ways to lay out the exchange: the ranks from those that stay in the hand to those laid open. Wild
# cards laid open are safe until the hand is used up; in a long row court cards do better there.
LAYOUTS: Final = ("456789JQKA32XT", "JQK452367A89TX", "TX32456789JQKA", "456789JQ32XTKA")
LONGER: Final = 3  # a playout of the whole game takes so much longer

Change = Callable[[World], None]


class Layouts:
    """The ways to lay out the cards of a seat, in the worlds it may be in; ``changes`` by name."""

    __slots__ = ("_changes", "_seat", "_unseen", "_world")

    def __init__(
        self, unseen: Unseen, seat: Seat, changes: Mapping[Move, Change], world: World | None = None
    ) -> None:
        self._unseen, self._seat, self._changes = unseen, seat, changes
        self._world = unseen.known if world is None else world

    def sample(self, rng: Random) -> Self:
        return self._with(self._unseen.sample(rng))

    def copy(self) -> Self:
        return self._with(self._world.copy())

    def _with(self, world: World) -> Self:
        return type(self)(self._unseen, self._seat, self._changes, world)

    def play(self, move: Move) -> None:
        self._changes[move](self._world)

    def playout(self) -> None:
        play_on(self._world, self._seat, tree.LONGEST)

    def worth(self) -> float:
        return tree.worth(self._world, self._seat)


def choose(view: ShitheadView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    seat = view.seat or 0
    if view.phase == "exchange":
        return _exchange(view, seat, events, _quick(rng), playouts)
    moves = view.legal_moves
    if len(moves) == 1 or moves[0].startswith("blind"):
        return moves[0]
    if escapes_repetition(view, rng):
        return rng.choice(moves)
    by_choice = {choice_of(view, move): move for move in moves}
    unseen = Unseen.behind(view, events)
    return by_choice[tree.best(unseen, seat, list(by_choice), playouts, _quick(rng))]


def _quick(rng: Random) -> Random:
    """A generator that one number of ``rng`` fixes: searches draw very many."""
    return Random(rng.getrandbits(64))


def choice_of(view: ShitheadView, move: Move) -> tree.Choice:
    """A legal move as the kernel plays it."""
    if move == PICKUP:
        return tree.PICK_UP
    codes = move.split(" ")
    extra = sum(1 for code in codes if code not in view.hand) if view.hand else 0
    return PLACE[codes[0][0]], len(codes) - extra, extra


def _exchange(
    view: ShitheadView, seat: Seat, events: Sequence[Event], rng: Random, playouts: int
) -> Move:
    """One step towards the best way to lay the cards out; ``ready`` once they lie in one."""
    if view.legal_moves == (READY,):  # a person used up the swaps of this seat (R5)
        return READY
    hand, tops = counts_of(view.hand), counts_of(view.tops[seat])
    wanted = {_name(order): laid_out(hand, tops, order) for order in LAYOUTS}
    swaps = sum(isinstance(event, Exchanged) and event.seat == seat for event in events)
    settled = swaps and any(tops == aim for _, aim in wanted.values())
    if settled or swaps >= len(view.hand):
        return READY
    wanted[READY] = hand, tops
    starter = (view.dealer + 1) % len(view.tops)
    changes = {
        name: partial(_begin, ready=view.ready, seat=seat, cards=cards, starter=starter)
        for name, cards in wanted.items()
    }
    ways = Layouts(Unseen.behind(view, events), seat, changes)
    chosen = search.best_move(ways, list(wanted), playouts // LONGER, rng)
    return _step(view.hand, view.tops[seat], wanted[chosen][1])


def _name(order: str) -> str:
    return f"laid out by {order}"


def laid_out(hand: int, tops: int, order: str) -> tuple[int, int]:
    """Hand and tops with the ranks that come last in ``order`` laid open."""
    both, wanted, laid = hand + tops, count(tops), 0
    for rank in reversed(order):
        place = PLACE[rank]
        cards = min(wanted, both >> 4 * place & 15)
        laid += cards << 4 * place
        wanted -= cards
    return both - laid, laid


def _begin(
    world: World, ready: Sequence[bool], seat: Seat, cards: tuple[int, int], starter: Seat
) -> None:
    """The exchange as it may end: this seat's cards as given, the others' as keeper lays them."""
    for other, is_ready in enumerate(ready):
        if not is_ready:
            world.hands[other], world.tops[other] = laid_out(
                world.hands[other], world.tops[other], LAYOUTS[0]
            )
    world.hands[seat], world.tops[seat] = cards
    world.turn = starter


def _step(hand: Sequence[str], tops: Sequence[str], wanted: int) -> Move:
    """A swap that brings the open cards nearer to what is wanted."""
    lying = counts_of(tops)
    better = [code for code in hand if _of(wanted, code) > _of(lying, code)]
    worse = [code for code in tops if _of(wanted, code) < _of(lying, code)]
    return SWAP[CARD[better[0]]][CARD[worse[0]]] if better and worse else READY


def _of(cards: int, code: str) -> int:
    """How many cards of this rank."""
    return cards >> 4 * PLACE[code[0]] & 15


SEARCHER: Final[Bot[ShitheadView]] = Search(choose, playouts=300, playouts_a_ms=16).bot(
    slug="searcher",
    name="Searcher",
    summary="Deals the cards it cannot see again and again, and tries every choice to the end.",
    level=4,
    remembers="round",
    cost="slow",
    seconds=1.0,
)
STRONG_SEARCHER: Final[Bot[ShitheadView]] = Search(choose, playouts=2000, playouts_a_ms=16).bot(
    slug="strong_searcher",
    name="Strong searcher",
    summary="The searcher with far more worlds; it thinks for a moment.",
    level=5,
    remembers="round",
    cost="slow",
    seconds=2.0,
)

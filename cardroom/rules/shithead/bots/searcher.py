"""``searcher``: tries its choices in many possible worlds, played to the end by ``keeper``.

It deals the cards it cannot know at random, but remembers the cards it saw go into other hands and
what the turns of the others tell of theirs. Its own next choices are searched as well (``tree``).
In the exchange it tries several ways to lay its cards out. ``strong_searcher`` is the same with
more worlds and more care (``CAREFUL``).
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.shithead.bots import choices, tree
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.comparing import Compared, play_choices
from cardroom.rules.shithead.bots.layouts import (
    JUDGED_LAYOUTS,
    LAYOUTS,
    Exchange,
    ending,
    layouts_of,
    led_to,
    missing,
    play_layouts,
    step,
)
from cardroom.rules.shithead.bots.network import knows
from cardroom.rules.shithead.bots.playouts import BY_KEEPERS, CUNNINGLY, JUDGED
from cardroom.rules.shithead.bots.rank_counts import PLACE, counts_of
from cardroom.rules.shithead.bots.reading import READING
from cardroom.rules.shithead.bots.repetition import escapes_repetition
from cardroom.rules.shithead.bots.sampling import Known
from cardroom.rules.shithead.bots.world import ShitheadWorld
from cardroom.rules.shithead.events import Exchanged
from cardroom.rules.shithead.moves import PICKUP, READY
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move, Weighing

LONGER: Final = 3  # how much longer a playout of the whole game takes
CUNNING: Final = 2  # how much longer one takes where the own seat plays on cunningly
DOUBTFUL: Final = 2  # how much longer it takes where the other seat is no keeper
UNLIMITED: Final = 99  # swaps, under version 1 of the rules (R5)


class Care(NamedTuple):
    """What a level of the search takes into account.

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
        return choices.PICK_UP
    codes = move.split(" ")
    extra = sum(1 for code in codes if code not in view.hand) if view.hand else 0
    return choices.choice(PLACE[codes[0][0]], len(codes) - extra, extra)


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


def _planted(known: Known, playouts: int, ends: int) -> tuple[Known, tree.Tree]:
    return known, tree.empty_tree(playouts, ends)


def _compared(rng: Random, known: Known, exchange: Exchange) -> search.Compare:
    def play(worlds: int, moves: list[int], totals: list[float]) -> None:
        play_layouts(rng, worlds, moves, totals, known, exchange)

    return search.comparison(play)


def _tried(rng: Random, known: Known, wanted: Sequence[int]) -> search.Compare:
    room = Compared(list(wanted), [ShitheadWorld(), ShitheadWorld()])

    def play(worlds: int, moves: list[int], totals: list[float]) -> None:
        play_choices(rng, worlds, moves, totals, known, room)

    return search.comparison(play)


PLAIN: Final = SearchForm(_planted, tree.grow, _compared, _tried, at_once=1)

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

"""The compiled form of ``searcher`` and ``strong_searcher``: the functions of
``cardroom.rules.shithead.bots`` on records.
"""

from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import Any, Final

from cardroom.fast.binding import (
    CompiledSearch,
    bound,
    comparison,
    drawing_from,
    empty_records,
    float_zeros,
    floats,
    int_zeros,
    ints,
    records,
    stream_words,
)
from cardroom.rules import search
from cardroom.rules.shithead.bots import layouts, searcher, world
from cardroom.rules.shithead.bots import playouts as network
from cardroom.rules.shithead.bots.belief import Known
from cardroom.rules.shithead.bots.layouts import Compared, Exchange
from cardroom.rules.shithead.bots.playouts import BY_KEEPERS, LONGEST, Network
from cardroom.rules.shithead.bots.searcher import Node, SearchForm, Tree
from cardroom.rules.shithead.bots.world import ShitheadWorld

grow: Final = bound(searcher.grow)
play_layouts: Final = bound(layouts.play_layouts)
play_choices: Final = bound(layouts.play_choices)


def planted(known: Known, playouts: int, ends: int = BY_KEEPERS) -> tuple[Any, Any]:
    """The arguments of ``grow``: the knowledge, and an empty tree."""
    nodes = searcher.nodes_of(playouts)
    places = nodes * world.MOST
    empty = Tree(
        rows=int_zeros(searcher.rows_of(nodes)),
        nodes=empty_records(nodes, Node),
        counts=int_zeros(2),
        choices=int_zeros(places),
        tries=int_zeros(places),
        worths=float_zeros(places),
        passed=int_zeros(LONGEST),
        fresh=int_zeros(world.MOST),
        playing=empty_records(1, ShitheadWorld),
        ends=ends,
        network=network_of(),
    )
    return arrays_of(known), empty


def network_of() -> Network:
    return Network(learned(), int_zeros(network.INPUTS), int_zeros(network.UNITS))


@cache
def learned() -> Any:
    return ints(network.learned())


def arrays_of(known: Known) -> Any:
    return Known(
        records(known.worlds, ShitheadWorld),
        ints(known.holders),
        ints(known.none),
        ints(known.few),
        floats(known.trust),
    )


def grow_drawing(rng: Random, playouts: int, known: Any, grown: Any) -> None:
    with drawing_from(rng) as words:
        grow(words, playouts, known, grown)


def compared(rng: Random, known: Known, exchange: Exchange) -> search.Compare:
    return comparison(play_layouts, rng, arrays_of(known), exchange_of(exchange))


def exchange_of(exchange: Exchange) -> Any:
    hands, tops, ready = ints(exchange.hands), ints(exchange.tops), ints(exchange.ready)
    room, fresh = empty_records(2, ShitheadWorld), int_zeros(world.MOST)
    return Exchange(hands, tops, ready, exchange.starter, exchange.ends, room, fresh, network_of())


def tried(rng: Random, known: Known, wanted: Sequence[int]) -> search.Compare:
    return comparison(play_choices, rng, arrays_of(known), room_for(wanted))


def room_for(wanted: Sequence[int]) -> Any:
    return Compared(ints(wanted), empty_records(2, ShitheadWorld))


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    known, grown = planted(Known([ShitheadWorld()], [], [], [], []), 0)
    words = stream_words()
    grow(words, 0, known, grown)
    nothing = Exchange([], [], [], 0, 0, [], [], network.network_of())
    play_layouts(words, 0, ints([]), floats([]), known, exchange_of(nothing))
    play_choices(words, 0, ints([]), floats([]), known, room_for([]))


FORM: Final = SearchForm(planted, grow_drawing, compared, tried, search.AT_ONCE)
weigh: Final = partial(searcher.weigh, form=FORM)
SEARCHES: Final = {
    "searcher": CompiledSearch(partial(searcher.choose, form=FORM), load, weigh),
    "strong_searcher": CompiledSearch(partial(searcher.choose_carefully, form=FORM), load, weigh),
}

"""Common parts of the plain searches of all games: they are bots with a fixed number of worlds,
and compare their choices in compiled code where there is any.
"""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Literal

from cardroom.arena import compiled_code
from cardroom.fast.binding import bound
from cardroom.fast.binding import comparison as compiled_comparison
from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.values import Event, Move

Playouts = Literal["random", "sensible"]
PlayWorlds = Callable[..., None]

_bound = cache(bound)


def compared(
    play_worlds: PlayWorlds,
    moves: Sequence[Move],
    samples: int,
    rng: Random,
    arrays: Callable[[], Sequence[Any]],
    lists: Callable[[], Sequence[Any]],
) -> list[search.Candidate]:
    """The worth of each move in so many worlds; arguments of ``play_worlds`` in both forms."""
    if compiled_code.installed():
        compare = compiled_comparison(_bound(play_worlds), rng, *arrays())
    else:
        rest = lists()

        def play(worlds: int, places: list[int], totals: list[float]) -> None:
            play_worlds(rng, worlds, places, totals, *rest)

        compare = search.comparison(play)
    candidates = [search.Candidate(move) for move in moves]
    compare(candidates, samples)
    return candidates


def liked(candidates: Sequence[search.Candidate]) -> Move:
    return max(candidates, key=lambda candidate: candidate.total).move


def flat_bot(
    choose: Callable[[Any, Sequence[Event], Random, int], Move],
    samples: int,
    name: str,
    remembers: str,
) -> Bot[Any]:
    """The plain search with so many worlds a decision; each move is played in each of them."""
    return Search(choose, playouts=samples, playouts_a_ms=10).bot(
        slug=f"flat_{name}", name="Flat", summary="", level=4, remembers=remembers, rated=False
    )

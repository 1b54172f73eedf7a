"""Monte Carlo search over possible worlds, for the bots of every game.

A bot describes what its seat knows as a ``World``: ``sample`` deals the cards that the seat cannot
see at random, ``play`` makes a move, ``playout`` plays on by a quick policy, and ``worth`` says how
good the end is for the seat that searches: its chance to win the match. Every sampled world is
played with every move that is still considered, so the moves are compared on the same cards. After
each round the worse half of the moves is dropped (sequential halving).

The number of playouts decides when a search ends, so the same seed gives the same choice on every
machine. A time limit is set only where a player waits for the move (``stopping_when``).

``best_move`` plays the worlds one by one. A compiled form of a search calls ``best_by``, which
halves in the same way, with a comparison that plays many worlds at once.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from random import Random
from typing import Final, Protocol, Self

from cardroom.rules.values import Move, Weighing

AT_ONCE: Final = 200  # worlds of a compiled search between two looks at the clock
BATCHES: Final = 16  # of worlds, where moves are weighed
NEAR: Final = 0.01  # of the difference between the best and the worst move is as good as none


class World(Protocol):
    """A position as one seat knows it, or one of the worlds that it may be."""

    def sample(self, rng: Random) -> Self:
        """A world in which every unknown card lies somewhere, the cards still to come included."""

    def copy(self) -> Self:
        """The same world with the same chances to come."""

    def play(self, move: Move, /) -> None:
        """Makes a move of the seat that searches."""

    def playout(self) -> None:
        """Plays on until ``worth`` is known."""

    def worth(self) -> float:
        """The chance of the seat that searches to win the match, from 0 to 1."""


_out_of_time: ContextVar[Callable[[], bool] | None] = ContextVar("out_of_time", default=None)


@contextmanager
def stopping_when(out_of_time: Callable[[], bool]) -> Iterator[None]:
    """Searches inside end early once ``out_of_time`` says so, with the best move found by then.

    Without it they read no clock.
    """
    token = _out_of_time.set(out_of_time)
    try:
        yield
    finally:
        _out_of_time.reset(token)


def out_of_time() -> bool:
    """Whether a search must end now, with the best move found so far (``stopping_when``)."""
    stop = _out_of_time.get()
    return stop is not None and stop()


class Candidate:
    """A move that is compared with others, and what it was worth so far."""

    __slots__ = ("move", "total", "worlds")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.total = 0.0
        self.worlds = 0

    @property
    def mean(self) -> float:
        return self.total / max(1, self.worlds)


# Plays the moves of the candidates in so many new worlds, the same for all, and counts their worth.
Compare = Callable[[Sequence[Candidate], int], None]


def best_move(
    world: World, moves: Sequence[Move], playouts: int, rng: Random, near: float = NEAR
) -> Move:
    """The move with the highest mean worth; ``playouts`` is the budget for all moves together.

    Of finalists that are as good as equal one is picked at random, so that nobody can foretell it.
    """
    return best_by(partial(_compare, world, rng), moves, playouts, rng, near)


def best_by(
    compare: Compare,
    moves: Sequence[Move],
    playouts: int,
    rng: Random,
    near: float = NEAR,
    at_once: int = 1,
) -> Move:
    """``best_move`` by a comparison that plays up to ``at_once`` worlds between looks at the clock.

    The worlds of two calls of ``compare`` must be those of one call for both.
    """
    if len(moves) == 1:
        return moves[0]
    candidates = [Candidate(move) for move in moves]
    rounds, lowest = (len(candidates) - 1).bit_length(), 1.0
    for _ in range(rounds):
        worlds = max(1, playouts // (rounds * len(candidates)))
        enough = _in_time(compare, candidates, worlds, at_once)
        candidates.sort(key=lambda candidate: -candidate.mean)
        lowest = min(lowest, candidates[-1].mean)
        if not enough:
            break
        if len(candidates) > 2:
            candidates = candidates[: (len(candidates) + 1) // 2]
    enough_worth = candidates[0].mean - near * (candidates[0].mean - lowest)
    return rng.choice([each.move for each in candidates if each.mean >= enough_worth])


def weigh_by(
    compare: Compare, moves: Sequence[Move], worlds: int, batches: int = BATCHES
) -> Weighing:
    """Every move in so many worlds, in batches; nothing is dropped."""
    candidates = [Candidate(move) for move in moves]
    means: list[list[float]] = [[] for _ in moves]
    size = max(1, worlds // batches)
    for _ in range(batches):
        before = [candidate.total for candidate in candidates]
        compare(candidates, size)
        for mean, candidate, total in zip(means, candidates, before, strict=True):
            mean.append((candidate.total - total) / size)
    return Weighing(tuple(moves), tuple(map(tuple, means)))


def comparison(play_worlds: Callable[[int, list[int], list[float]], None]) -> Compare:
    """The comparison by a function that plays moves in sampled worlds.

    ``play_worlds(worlds, moves, totals)`` plays each of the moves in so many worlds and adds what
    they are worth to ``totals``, move by move. ``moves`` are the places of the moves in the order
    in which they are first given.
    """
    places: dict[Move, int] = {}

    def compare(candidates: Sequence[Candidate], worlds: int) -> None:
        moves = [places.setdefault(candidate.move, len(places)) for candidate in candidates]
        totals = [candidate.total for candidate in candidates]
        play_worlds(worlds, moves, totals)
        for candidate, total in zip(candidates, totals, strict=True):
            candidate.total = total
            candidate.worlds += worlds

    return compare


def _in_time(compare: Compare, candidates: Sequence[Candidate], worlds: int, at_once: int) -> bool:
    """Compares in so many worlds, a few at once; ``False`` if time ran out."""
    for done in range(0, worlds, at_once):
        compare(candidates, min(at_once, worlds - done))
        if out_of_time():
            return False
    return True


def _compare(world: World, rng: Random, candidates: Sequence[Candidate], worlds: int) -> None:
    for _ in range(worlds):
        sampled = world.sample(rng)
        for candidate in candidates:
            twin = sampled.copy()
            twin.play(candidate.move)
            twin.playout()
            candidate.total += twin.worth()
            candidate.worlds += 1

"""Monte Carlo search over possible worlds, for the bots of every game.

A bot describes what its seat knows as a ``World``: ``sample`` deals the cards that the seat cannot
see at random, ``play`` makes a move, ``playout`` plays on by a quick policy, and ``worth`` says how
good the end is for the seat that searches: its chance to win the match. Every sampled world is
played with every move that is still considered, so the moves are compared on the same cards. After
each round the worse half of the moves is dropped (sequential halving).

The number of playouts decides when a search ends, so the same seed gives the same choice on every
machine. Only who waits for a move, at a table, sets a time limit (``stopping_when``).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random
from typing import Final, Protocol, Self

from games.rules.values import Move

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


def best_move(
    world: World, moves: Sequence[Move], playouts: int, rng: Random, near: float = NEAR
) -> Move:
    """The move with the highest mean worth; ``playouts`` is the budget for all moves together.

    Of finalists that are as good as equal one is picked at random, so that nobody can foretell it.
    """
    if len(moves) == 1:
        return moves[0]
    tallies = [_Tally(move) for move in moves]
    rounds, lowest = (len(tallies) - 1).bit_length(), 1.0
    for _ in range(rounds):
        enough = _compare(world, tallies, playouts // (rounds * len(tallies)), rng)
        tallies.sort(key=lambda tally: -tally.mean)
        lowest = min(lowest, tallies[-1].mean)
        if not enough:
            break
        if len(tallies) > 2:
            tallies = tallies[: (len(tallies) + 1) // 2]
    enough_worth = tallies[0].mean - near * (tallies[0].mean - lowest)
    return rng.choice([each.move for each in tallies if each.mean >= enough_worth])


class _Tally:
    """What one move was worth so far."""

    __slots__ = ("move", "total", "worlds")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.total = 0.0
        self.worlds = 0

    @property
    def mean(self) -> float:
        return self.total / max(1, self.worlds)


def _compare(world: World, tallies: Sequence[_Tally], worlds: int, rng: Random) -> bool:
    """Plays every move in the same worlds, one at least; ``False`` if time ran out."""
    out_of_time = _out_of_time.get()
    for _ in range(max(1, worlds)):
        sampled = world.sample(rng)
        for tally in tallies:
            twin = sampled.copy()
            twin.play(tally.move)
            twin.playout()
            tally.total += twin.worth()
            tally.worlds += 1
        if out_of_time is not None and out_of_time():
            return False
    return True

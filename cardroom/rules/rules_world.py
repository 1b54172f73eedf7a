"""The world of any game that can imagine one: its own rules, played on at random.

Slow beside a world made for one game, but it needs nothing from the game. ``monte_carlo`` is the
bot that searches with it, for games without a stronger one.
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, Final, Self

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.game import AnyGame
from cardroom.rules.seats import pick_seat
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Seat, View

LONGEST: Final = 1_000  # plies of a playout
UNDECIDED: Final = 0.5


class RulesWorld:
    """A match as one seat knows it; a sampled world has a state and the seed of its chances."""

    def __init__(self, game: AnyGame, view: View, seat: Seat, events: Sequence[Event]) -> None:
        self._game, self._view, self._seat, self._events = game, view, seat, events
        self._state: Any = None
        self._seed = 0
        self._rng = Random(0)

    def sample(self, rng: Random) -> Self:
        assert self._game.imagine is not None  # noqa: S101
        world = type(self)(self._game, self._view, self._seat, self._events)
        world._state = self._game.imagine(self._view, rng, self._events)  # noqa: SLF001
        world._seed = rng.getrandbits(64)  # noqa: SLF001
        return world

    def copy(self) -> Self:
        twin = type(self)(self._game, self._view, self._seat, self._events)
        twin._state, twin._seed, twin._rng = self._state, self._seed, Random(self._seed)  # noqa: SLF001
        return twin

    def play(self, move: Move) -> None:
        self._play(self._seat, move)

    def _play(self, seat: Seat, move: Move) -> None:
        self._state = self._game.play(self._state, seat, move, seeded(self._rng)).state

    def playout(self) -> None:
        game, rng = self._game, self._rng
        for _ in range(LONGEST):
            acting = game.to_act(self._state)
            if not acting:
                return
            seat = pick_seat(acting, rng)
            self._play(seat, rng.choice(game.legal_moves(self._state, seat)))

    def worth(self) -> float:
        outcome = self._game.outcome(self._state)
        if outcome is None:
            return UNDECIDED
        sides = self._game.sides_of(self._state.options)
        winning = [side for side in sides if set(side) & set(outcome.winners)]
        return any(self._seat in side for side in winning) / max(1, len(winning))


def monte_carlo(game: AnyGame) -> Bot[Any]:
    """The bot ``mc``, which plays any game that can imagine a world."""
    return Search(partial(_choose, game), playouts=200, playouts_a_ms=0.5).bot(
        slug="mc",
        name="Monte Carlo",
        summary="Plays every choice to the end at random, in worlds that it may be in.",
        level=3,
        rated=False,
        remembers="match",
        cost="slow",
        seconds=2.0,
    )


def _choose(game: AnyGame, view: View, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    if len(view.legal_moves) == 1:
        return view.legal_moves[0]
    seat = view.to_act[0] if view.seat is None else view.seat
    return search.best_move(RulesWorld(game, view, seat, events), view.legal_moves, playouts, rng)

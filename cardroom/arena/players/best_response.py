"""How much a bot can be exploited, from below: a search that knows how it plays.

The bot ``exploit:TARGET`` searches with the target as the model of everybody, itself included, and
takes the move that gains most points by the end of the round. What it scores above one half
against the target, an opponent who knows the target can gain at least. A target that remembers
gets the events that the searching seat saw; of its own private cards it knows only those of the
sampled world.
"""

import re
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, Final, Self

from cardroom.arena.errors import BadRequest
from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.game import AnyGame
from cardroom.rules.rules_world import LONGEST, RulesWorld
from cardroom.rules.seats import pick_seat
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Seat, View

NAME: Final = re.compile(r"exploit:(?P<target>.+?)(?::playouts=(?P<playouts>\d{1,6}))?")
PLAYOUTS: Final = 60


class ResponseWorld(RulesWorld):
    """A possible world in which all seats go on as the target would."""

    _target: Bot[Any]
    _margin: float | None = None  # of the round, once it is over

    def against(self, target: Bot[Any]) -> Self:
        self._target = target
        self._log: list[Event] = list(self._events)
        return self

    def sample(self, rng: Random) -> Self:
        return super().sample(rng).against(self._target)

    def copy(self) -> Self:
        return super().copy().against(self._target)

    def _play(self, seat: Seat, move: Move) -> None:
        step = self._game.play(self._state, seat, move, seeded(self._rng))
        self._state = step.state
        self._log += step.events
        if step.scores is not None:
            self._margin = self._lead(step.scores)

    def _lead(self, scores: Sequence[int]) -> float:
        """Of this side over the others, in points a side; the fewer places the better."""
        sides = self._game.sides_of(self._state.options)
        own = next(at for at, side in enumerate(sides) if self._seat in side)
        others = (sum(scores) - scores[own]) / (len(scores) - 1)
        lead = scores[own] - others
        return -lead if self._game.points_are_places else lead

    def playout(self) -> None:
        game, rng = self._game, self._rng
        for _ in range(LONGEST):
            acting = game.to_act(self._state)
            if self._margin is not None or not acting:
                return
            seat = pick_seat(acting, rng)
            moves = game.legal_moves(self._state, seat)
            forced = len(moves) == 1 and not game.represents_others(moves[0])
            self._play(seat, moves[0] if forced else self._reply(seat))

    def _reply(self, seat: Seat) -> Move:
        seen = [event.seen_by(seat) for event in self._log]
        events = self._game.recent_events(seen, self._target.remembers)
        return self._target.choose(self._game.view(self._state, seat), events, self._rng)

    def worth(self) -> float:
        return self._margin or 0.0


def best_response(game: AnyGame, target: Bot[Any], name: str, playouts: int) -> Bot[Any]:
    """The bot that searches against ``target``; ``BadRequest`` where no world can be imagined."""
    if game.imagine is None:
        raise BadRequest(f"{game.name} imagines no worlds, so nothing can search in it.")
    search: Search[Any] = Search(partial(_choose, game, target), playouts, playouts_a_ms=0.1)
    return search.bot(
        slug=name,
        name=f"Best response to {target.name}",
        summary="Searches with its target as the model of everybody.",
        level=1,
        rated=False,
        remembers="match",
        cost="slow",
    )


def _choose(
    game: AnyGame,
    target: Bot[Any],
    view: View,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
) -> Move:
    seat = view.to_act[0] if view.seat is None else view.seat
    world = ResponseWorld(game, view, seat, events).against(target)
    return search.best_move(world, view.legal_moves, playouts, rng, near=0.0)

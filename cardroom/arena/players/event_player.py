"""The players of one playout, by how much a strategy needs to know.

Views and redacted events cost more than the rules themselves, so each strategy gets only what it
needs: the legal moves alone, the view, or the view and the events it remembers.
"""

from random import Random
from typing import Any, Protocol

from cardroom.arena.errors import BotFault
from cardroom.rules.bot import Bot, random_move
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, Seat, State, Step


class Player(Protocol):
    """Chooses among two or more legal moves."""

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move: ...


class RandomPlayer:
    """Plays the ``random`` bot, which needs no view."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move:
        return self._rng.choice(moves)


class ViewPlayer:
    """Plays a bot that decides from the view alone."""

    def __init__(self, game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> None:
        self._view = game.view
        self._seat = seat
        self._bot_choice = bot.choose
        self._rng = rng
        self.remembered: list[Event] = []

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move:
        move = self._bot_choice(self._view(state, self._seat), self.remembered, self._rng)
        if not isinstance(move, str):
            raise BotFault(f"must return a move as text, not {move!r}")
        return move


class EventPlayer(ViewPlayer):
    """Plays a bot that reads the events of its round or match as its seat saw them."""

    def __init__(self, game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> None:
        super().__init__(game, seat, bot, rng)
        self._recall = game.recent_events
        self._remembers = bot.remembers

    def observe(self, step: Step[Any]) -> None:
        """Keeps the events of a step; the one that ends a round also opens the next."""
        seat = self._seat
        self.remembered += [event.seen_by(seat) for event in step.events]
        if step.scores is not None:
            self.remembered = list(self._recall(self.remembered, self._remembers))


def seat_player(game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> Player:
    """The player that gives ``bot`` what it needs and no more."""
    if bot.choose is random_move:
        return RandomPlayer(rng)
    if bot.remembers == "nothing":
        return ViewPlayer(game, seat, bot, rng)
    return EventPlayer(game, seat, bot, rng)

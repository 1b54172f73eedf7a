"""One match from the first deal to its outcome, played by bots through the contract of a game."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec

from cardroom.arena.players import EventPlayer, seat_player
from cardroom.arena.statistics import PLIES, ROUNDS, ArenaError, BotFault, measures_of, tag
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import (
    Event,
    Measure,
    MoveRefused,
    Options,
    Outcome,
    Setup,
    Step,
    pick_seat,
)


@dataclass(frozen=True)
class Playout:
    """The end of a match, its measures, and how often each type of event happened."""

    outcome: Outcome
    measures: Mapping[str, int]
    events: Mapping[str, int]


class EventCounter:
    """Counts what happens in one match."""

    def __init__(self, game: AnyGame) -> None:
        self._measures = measures_of(game)
        self.by_type: dict[type[Event], int] = {}
        self.measured = {measure.name: 0 for measure in game.measures}
        self.rounds = 0
        self.plies = 0

    def count(self, step: Step[Any]) -> None:
        self.rounds += step.scores is not None
        by_type, measures = self.by_type, self._measures
        for event in step.events:
            kind = type(event)
            by_type[kind] = by_type.get(kind, 0) + 1
            if kind in measures:
                self._measure(event, measures[kind])

    def _measure(self, event: Event, measures: Sequence[Measure]) -> None:
        for measure in measures:
            if measure.where is None or measure.where(event):
                self.measured[measure.name] += 1

    def playout(self, outcome: Outcome | None) -> Playout:
        if outcome is None:
            raise ArenaError("Nobody is to act, but the rules name no outcome.")
        return Playout(
            outcome,
            self.measured | {ROUNDS: self.rounds, PLIES: self.plies},
            {tag(kind): times for kind, times in self.by_type.items()},
        )


class MatchInPlay:
    """One match, played move by move; chance comes from ``shuffle`` and ``rng`` alone.

    It may stop between two moves. What ``paused`` says of it, with the two generators behind
    ``shuffle`` and ``rng`` as they stand, is enough to play it on to the same end elsewhere.
    """

    def __init__(
        self, game: AnyGame, bots: Sequence[Bot[Any]], shuffle: Shuffle, rng: Random
    ) -> None:
        self._game, self._bots, self._shuffle, self._rng = game, bots, shuffle, rng
        self._players = [seat_player(game, seat, bot, rng) for seat, bot in enumerate(bots)]
        self._observers = [player for player in self._players if isinstance(player, EventPlayer)]
        self._counter = EventCounter(game)
        self._state: Any = None
        self._choosing: int | None = None  # the seat whose bot is choosing

    @property
    def state(self) -> Any:
        return self._state

    def begin(self, options: Options, setups: Sequence[Setup]) -> None:
        self._record(self._game.start(options, setups, self._shuffle))

    def play(self, stop: Callable[[], bool] | None = None) -> Playout | None:
        """Plays to the end, or until ``stop`` says so after a move: then ``None``.

        The bot of a seat with a single legal move is not called, unless this move represents
        others. Of several seats that may act at once ``rng`` picks one. Raises ``BotFault`` when a
        bot breaks the rules.
        """
        game, rng, players, counter = self._game, self._rng, self._players, self._counter
        while acting := game.to_act(self._state):
            seat, state = pick_seat(acting, rng), self._state
            moves = game.legal_moves(state, seat)
            forced = len(moves) == 1 and not game.represents_others(moves[0])
            if forced:
                move = moves[0]
            else:
                self._choosing = seat
                move = players[seat].choose(state, moves)
                self._choosing = None
            try:
                step = game.play(state, seat, move, self._shuffle)
            except MoveRefused as refusal:
                fault = f"played {move!r} at ply {counter.plies + 1}: {refusal}"
                raise BotFault(f"{self._name(seat)} {fault} {_allowed(moves)}") from refusal
            counter.plies += 1
            self._record(step)
            if stop is not None and stop():
                return None
        return counter.playout(game.outcome(self._state))

    def fault_in(self, error: Exception) -> BotFault | None:
        """The fault of the bot that was choosing; None if no bot was."""
        if self._choosing is None:
            return None
        ply = self._counter.plies + 1
        sentence = str(error) if isinstance(error, BotFault) else _raised(error)
        return BotFault(f"{self._name(self._choosing)} {sentence} (ply {ply}).")

    def _name(self, seat: int) -> str:
        return f"Bot {self._bots[seat].slug!r} at seat {seat}"

    def _record(self, step: Step[Any]) -> None:
        self._state = step.state
        self._counter.count(step)
        for observer in self._observers:
            observer.observe(step)

    def paused(self) -> "PausedMatch":
        counter, encode = self._counter, msgspec.json.encode
        return PausedMatch(
            state=encode(self._state).decode(),
            remembered=tuple(encode(player.remembered).decode() for player in self._observers),
            events={tag(kind): times for kind, times in counter.by_type.items()},
            measured=dict(counter.measured),
            rounds=counter.rounds,
            plies=counter.plies,
        )

    def resume(self, paused: "PausedMatch") -> None:
        game, counter = self._game, self._counter
        kinds = {tag(kind): kind for kind in get_args(game.events) or (game.events,)}
        self._state = game.decode_state(paused.state.encode())
        for player, events in zip(self._observers, paused.remembered, strict=True):
            player.remembered = list(game.decode_events(events.encode()))
        counter.by_type = {kinds[name]: times for name, times in paused.events.items()}
        counter.measured = dict(paused.measured)
        counter.rounds, counter.plies = paused.rounds, paused.plies


class PausedMatch(msgspec.Struct, frozen=True):
    """A match between two moves, as JSON."""

    state: str
    remembered: tuple[str, ...]  # by each player that reads events
    events: dict[str, int]
    measured: dict[str, int]
    rounds: int
    plies: int


def play_match(
    game: AnyGame,
    options: Options,
    bots: Sequence[Bot[Any]],
    setups: Sequence[Setup],
    shuffle: Shuffle,
    rng: Random,
) -> Playout:
    """Plays ``bots`` (one a seat) to the end; ``setups`` are what they bring, completed by the
    game. Raises ``BotFault`` when a bot breaks the rules."""
    match = MatchInPlay(game, bots, shuffle, rng)
    match.begin(options, setups)
    try:
        played = match.play()
    except Exception as error:
        fault = match.fault_in(error)
        if fault is None:
            raise
        raise fault from error
    if played is None:
        raise ArenaError("A match stopped that nobody has stopped.")
    return played


def _allowed(moves: Sequence[str]) -> str:
    return f"Allowed: {', '.join(moves[:12])}{', …' if len(moves) > 12 else ''}."


def _raised(error: Exception) -> str:
    """The error, and where in the code of the bot it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    exception = traceback.format_exception_only(error)[-1].strip()
    return f"raised {exception} at {Path(frame.filename).name}:{frame.lineno}"

"""The decisions of a record: positions in which a seat had several moves, as the seat saw them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import Record, seating
from cardroom.rules.record.playback import Playback, play
from cardroom.rules.values import Event, Move, Outcome, Seat


@dataclass(frozen=True)
class Decision:
    """``version`` is that of the match before the move; ``events`` is what the seat remembers."""

    version: int
    round: int
    seat: Seat
    view: Any
    events: Sequence[Event]
    move: Move


@dataclass(frozen=True)
class Played:
    """A match as the coach reads it: its decisions in their order, and how it ended."""

    game: AnyGame
    decisions: list[Decision]
    sides: tuple[tuple[Seat, ...], ...]
    outcome: Outcome


def judge_of(game: AnyGame) -> Bot[Any] | None:
    """The strongest computer of the game that can weigh moves; ``None``: nobody judges it."""
    judges = [bot for bot in game.bots if bot.search is not None and bot.search.weigh is not None]
    return max(judges, key=lambda bot: bot.level, default=None)


def played(record: Record, remembers: str) -> Played:
    """Plays the record again; ``BadRecord`` where it contradicts itself."""
    seats = seating(record)
    reader = _Reader(seats.game, remembers)
    playback = Playback(record, sealed=False, on_move=reader.note)
    reader.playback = playback
    outcome = play(record, playback)
    return Played(seats.game, reader.decisions, seats.sides, outcome)


class _Reader:
    playback: Playback

    def __init__(self, game: AnyGame, remembers: str) -> None:
        self.decisions: list[Decision] = []
        self._game = game
        self._remembers = remembers
        self._inherited: int | None = None  # steps that were played before this match was loaded

    def note(self, seat: Seat, move: Move) -> None:
        playback = self.playback
        if playback.version < playback.chain[0].loaded_at:
            return  # it was made in the match that this one was loaded from
        if self._inherited is None:
            self._inherited = len(playback.history) if playback.chain[0].loaded else 0
        view = self._game.view(playback.state, seat)
        if len(view.legal_moves) < 2:
            return
        events = self._game.recent_events(tuple(self._seen_by(seat)), self._remembers)
        self.decisions.append(Decision(playback.version, playback.round, seat, view, events, move))

    def _seen_by(self, seat: Seat) -> Iterator[Event]:
        """The events as the seat saw them; as all saw them where the match was loaded from."""
        for number, step in enumerate(self.playback.history):
            reader = None if number < (self._inherited or 0) else seat
            for event in step.events:
                yield event.seen_by(reader)

"""What is about to be written: moves applied to a table in memory, not yet in the database.

A draft collects one move of a person or a run of bot moves. ``ledger.write`` puts it into the
database in one statement, if the match is still at the version the draft began with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from games.matches.snapshot import MatchSnapshot, SeatSnapshot, bot_in_control
from games.rules import resigning
from games.rules.resigning import RESIGN
from games.rules.shuffles import RecordingShuffle, Sealed
from games.rules.values import Event, Outcome, Resigned, State, Step

_encode = msgspec.json.encode


@dataclass(frozen=True)
class NewPly:
    seat: int | None
    move: str
    events: Sequence[Event]
    decks: bytes | None = None
    key: str | None = None


@dataclass
class RoundChange:
    """A round that opened (``state`` is set) or closed (``scores`` are set) in the draft."""

    number: int
    opening_version: int = 0
    state: bytes | None = None
    decks: bytes = b"[]"
    scores: list[int] | None = None


@dataclass
class Transition:
    """Moves on top of ``table``; everything else is what the match is after them."""

    match: MatchSnapshot
    state: State = field(init=False)
    version: int = field(init=False)
    round: int = field(init=False)
    seats: list[SeatSnapshot] = field(init=False)
    outcome: Outcome | None = None
    plies: list[NewPly] = field(default_factory=list)
    rounds: dict[int, RoundChange] = field(default_factory=dict)
    seats_changed: bool = False

    def __post_init__(self) -> None:
        self.state = self.match.state
        self.version = self.match.version
        self.round = self.match.round
        self.seats = list(self.match.seats)
        self._sealed = Sealed(self.match.seed, self.match.shuffles_used)

    @property
    def shuffles_used(self) -> int:
        return self._sealed.used

    @property
    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome else self.match.rules.to_act(self.state)

    def bot_in_control(self, seat: int) -> str | None:
        return bot_in_control(self.match.rules, self.seats[seat], self.state)

    def play(self, seat: int, move: str, key: str | None = None) -> Step[Any]:
        """Applies a move; raises what ``Game.play`` raises and is then unchanged."""
        shuffle = RecordingShuffle(self._sealed)
        step: Step[Any] = self.match.rules.play(self.state, seat, move, shuffle)
        self.state = step.state
        self.version += 1
        outcome = self.match.rules.outcome(step.state)
        opens = step.scores is not None and outcome is None
        decks = _encode(shuffle.decks) if shuffle.decks else None
        self.plies.append(NewPly(seat, step.move, step.events, None if opens else decks, key))
        if step.scores is not None:
            self._close_round(step.scores)
        if opens:
            self._open_round(decks or b"[]")
        if outcome is not None:
            self._finish(self._concluded(outcome))
        return step

    def resign(self, seat: int, *, timed_out: bool = False) -> None:
        """The seat gives up: the match ends, or a bot plays the seat on."""
        self.version += 1
        self.plies.append(NewPly(seat, RESIGN, (Resigned(seat, timed_out),)))
        self._change_seat(seat, resigned_at=self.version, timed_out=timed_out)
        if resigning.ends_match(self.match.sides, self._resigned()):
            self._finish(self._concluded(None, "timeout" if timed_out else "resigned"))

    def _close_round(self, scores: Sequence[int]) -> None:
        round_ = self.rounds.setdefault(self.round, RoundChange(self.round))
        round_.scores = list(scores)
        for side, score in zip(self.match.sides, scores, strict=True):
            for seat in side:
                self._change_seat(seat, points=self.seats[seat].points + score)

    def _open_round(self, decks: bytes) -> None:
        self.round += 1
        self.rounds[self.round] = RoundChange(self.round, self.version, _encode(self.state), decks)

    def _finish(self, outcome: Outcome) -> None:
        self.outcome = outcome
        for seat, place in enumerate(outcome.places):
            self._change_seat(seat, place=place)

    def _change_seat(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = msgspec.structs.replace(self.seats[seat], **changes)
        self.seats_changed = True

    def _concluded(self, natural: Outcome | None, reason: str = "") -> Outcome:
        points = [self.seats[side[0]].points for side in self.match.sides]
        return resigning.conclude(self.match.sides, self._resigned(), [points], natural, reason)

    def _resigned(self) -> tuple[int, ...]:
        return self.match.moved(seats=tuple(self.seats)).resigned

    def after(self, at: datetime) -> MatchSnapshot:
        """The table as it is once the draft is written at this time."""
        match = self.match.moved(
            state=self.state,
            outcome=self.outcome,
            version=self.version,
            round=self.round,
            to_act=list(self.to_act),
            status="finished" if self.outcome else "active",
            shuffles_used=self.shuffles_used,
            seats=tuple(self.seats),
            updated_at=at,
            finished_at=at if self.outcome else None,
        )
        due = at if match.awaits_bot else None
        return match.moved(bot_due_at=due, deadline_at=self._deadline(match, at))

    def _deadline(self, after: MatchSnapshot, at: datetime) -> datetime | None:
        """When the people to act must have moved; seats that act at once share their deadline."""
        before = self.match
        waiting = {seat for seat in after.to_act if not after.bot_in_control(seat)}
        still_the_same = len(before.to_act) > 1 and waiting <= set(before.to_act)
        if waiting and still_the_same and before.deadline_at is not None:
            return before.deadline_at
        return after.next_deadline(at)

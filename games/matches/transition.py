"""Transitions: moves applied to a match in memory, not yet in the database.

A transition collects one move of a person or a run of bot moves. ``commit`` puts it into the
database in one statement, if the match is still at the version the transition began with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from cardroom.rules import course
from cardroom.rules.course import RESIGN
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import RecordingShuffle, Sealed
from cardroom.rules.values import (
    Event,
    HistoryStep,
    Move,
    Outcome,
    Resigned,
    RolledBack,
    State,
    Step,
)
from config.telemetry.work import as_number, request_id
from games.matches import snapshot
from games.matches.selectors.access import SERVICE, Caller

_encode = msgspec.json.encode


class NewPly(msgspec.Struct, frozen=True):
    version: int
    seat: int | None
    move: str
    events_json: bytes
    decks_json: bytes | None = None
    key: str | None = None
    request: int | None = None


class RoundChange(msgspec.Struct, frozen=True):
    """A round that opened (``opening_version`` is set) or closed (``scores`` are set) or both."""

    number: int
    opening_version: int | None = None
    opening_state_json: bytes | None = None
    decks_json: bytes | None = None
    scores: list[int] | None = None


class NewPlan(msgspec.Struct, frozen=True):
    """The rest of a seat's plan; ``dropped`` says why nothing is, and at which version."""

    seat: int
    steps: bytes
    dropped: str
    dropped_version: int | None


class Opening(msgspec.Struct, frozen=True):
    """A round's opening to roll back to: where it is, the way there, every side's points then."""

    number: int
    version: int
    state: Any
    past: Sequence[HistoryStep]
    points: Sequence[int]

    def as_then(
        self, seat: snapshot.SeatSnapshot, sides: Sequence[Sequence[int]]
    ) -> dict[str, Any]:
        """The changes of a seat; a person who resigned after the opening has not resigned."""
        side = next(n for n, side in enumerate(sides) if seat.index in side)
        changes: dict[str, Any] = {"points": self.points[side], "place": None}
        if seat.resigned_at is not None and seat.resigned_at > self.version:
            changes |= {"resigned_at": None, "timed_out": False}
        return changes

    def listed_again(self, moved: RedealtPositions) -> tuple[int, ...]:
        end = sum(len(step.decks) for step in self.past)
        return course.relisted(moved, end - len(self.past[-1].decks), end)


@dataclass
class Transition:
    """Moves on top of ``match``; everything else is what the match is after them.

    ``caller`` makes them; the key of a program is checked again when they are written.
    ``request_id`` names the request or task that makes them, as in the log.
    ``unchanged`` are the seats whose time still goes on (``deadlines``), with their legal moves:
    their choice is the one that they had in ``match``, or their own moves brought no new time.
    Without a limit nobody needs them.
    """

    match: snapshot.MatchSnapshot
    caller: Caller = SERVICE
    request_id: str = field(default_factory=request_id)
    state: State = field(init=False)
    version: int = field(init=False)
    round: int = field(init=False)
    seats: list[snapshot.SeatSnapshot] = field(init=False)
    outcome: Outcome | None = None
    plies: list[NewPly] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rounds: dict[int, RoundChange] = field(default_factory=dict)
    seats_changed: bool = False
    unchanged: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    plans: int = field(init=False)
    new_plans: dict[int, NewPlan] = field(default_factory=dict)
    has_applied_plans: bool = False

    def __post_init__(self) -> None:
        self.state = self.match.state
        self.version = self.match.version
        self.round = self.match.round
        self.plans = self.match.plans
        self.seats = list(self.match.seats)
        self.request = as_number(self.request_id)
        self._sealed = Sealed(self.match.seed, self.match.shuffles_used)

    @property
    def to_act(self) -> tuple[int, ...]:
        return () if self.outcome else self.match.rules.to_act(self.state)

    @property
    def people_to_act(self) -> list[int]:
        return snapshot.people_among(self.to_act, self.match.rules, self.seats, self.state)

    def bot_in_control(self, seat: int) -> str | None:
        return snapshot.bot_in_control(self.match.rules, self.seats[seat], self.state)

    def play(self, seat: int, move: str, key: str | None = None) -> None:
        """Applies a move; raises what ``Game.play`` raises and is then unchanged."""
        shuffle = RecordingShuffle(self._sealed)
        step: Step[Any] = self.match.rules.play(self.state, seat, move, shuffle)
        if self.seats[seat].awaited and self.caller != SERVICE:
            self._change_seat(seat, awaited=False)
        waiting = self._waiting_besides(seat)
        self.state = step.state
        outcome = self.match.rules.outcome(step.state)
        opens = step.scores is not None and outcome is None
        decks = _encode(shuffle.decks) if shuffle.decks else None
        self._note(seat, step.move, step.events, None if opens else decks, key)
        if step.scores is not None:
            self._close_round(step.scores)
        if opens:
            self._open_round(decks or b"[]")
        self.unchanged = {} if opens else self._still(waiting) | self._goes_on(seat)
        if outcome is not None:
            self._finish(self._concluded(outcome))

    def resign(self, seat: int, *, timed_out: bool = False) -> None:
        """The seat gives up: the match ends, or a bot plays the seat on."""
        self.unchanged = self._waiting_besides(seat)
        self._note(seat, RESIGN, (Resigned(seat, timed_out),))
        self._change_seat(seat, resigned_at=self.version, timed_out=timed_out)
        if course.ends_match(self.match.sides, snapshot.resigned(self.seats)):
            self._finish(self._concluded(None, "timeout" if timed_out else "resigned"))

    def roll_back(self, opening: "Opening") -> RedealtPositions:
        """Goes on from a round's opening; returns the decks and positions that were dealt again."""
        game = self.match.rules
        redealt = course.deal_again(game, opening.state, opening.past, self._sealed)
        opening_events = course.reopening_events(game, redealt)
        move = course.move_of(opening.number)
        self.state, self.round, self.unchanged = redealt.state, opening.number, {}
        self._note(None, move, (RolledBack(opening.number), *opening_events))
        for index, seat in enumerate(self.seats):
            self._change_seat(index, **opening.as_then(seat, self.match.sides))
        decks = [redealt.decks[deck] for deck in opening.listed_again(redealt.moved)]
        new = RoundChange(opening.number, self.version, _encode(self.state), _encode(decks))
        kept = {number: r for number, r in self.rounds.items() if number < opening.number}
        self.rounds = {**kept, opening.number: new}
        return redealt.moved

    def _waiting_besides(self, seat: int) -> dict[int, tuple[Move, ...]]:
        """The seats besides the one that moves that have had the same choice since ``match``."""
        if self.match.deadline_at is None:
            return {}
        if self.plies:
            return {other: moves for other, moves in self.unchanged.items() if other != seat}
        legal_moves = self.match.rules.legal_moves
        return {other: legal_moves(self.state, other) for other in self.to_act if other != seat}

    def _still(self, waiting: dict[int, tuple[Move, ...]]) -> dict[int, tuple[Move, ...]]:
        legal_moves = self.match.rules.legal_moves
        return {seat: ms for seat, ms in waiting.items() if legal_moves(self.state, seat) == ms}

    def _goes_on(self, seat: int) -> dict[int, tuple[Move, ...]]:
        """The seat that moved, if it is to act again and has no new time for that."""
        game = self.match.rules
        if self.match.deadline_at is None or not game.time_goes_on(self.state):
            return {}
        return {seat: game.legal_moves(self.state, seat)} if seat in self.to_act else {}

    def _note(
        self,
        seat: int | None,
        move: str,
        events: Sequence[Event],
        decks: bytes | None = None,
        key: str | None = None,
    ) -> None:
        self.version += 1
        made = _encode(events)
        self.plies.append(NewPly(self.version, seat, move, made, decks, key, self.request))
        self.events += events

    def _close_round(self, scores: Sequence[int]) -> None:
        round_ = self.rounds.get(self.round) or RoundChange(self.round)
        self.rounds[self.round] = replace(round_, scores=list(scores))
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
        self.seats[seat] = replace(self.seats[seat], **changes)
        self.seats_changed = True

    def _concluded(self, natural: Outcome | None, reason: str = "") -> Outcome:
        points = [self.seats[side[0]].points for side in self.match.sides]
        gone = snapshot.resigned(self.seats)
        return course.conclude(self.match.sides, gone, [points], natural, reason)

    def progress(
        self,
        at: datetime,
        deadline_at: datetime | None = None,
        clock_json: bytes | None = None,
    ) -> snapshot.Progress:
        """The columns of the match, if it is written at this time."""
        to_act = self.to_act
        return snapshot.Progress(
            version=self.version,
            round=self.round,
            to_act=list(to_act),
            state_json=_encode(self.state),
            shuffles_used=self._sealed.used,
            status="finished" if self.outcome else "active",
            outcome_json=_encode(self.outcome) if self.outcome else None,
            bot_due_at=snapshot.bots_due_at(to_act, self.people_to_act, self.seats, at),
            deadline_at=deadline_at,
            updated_at=at,
            finished_at=at if self.outcome else None,
            clock_json=clock_json,
        )

"""A match with its seats as one read gives it: what services judge and doors show.

Values only. ``selectors`` fills them from one SELECT, ``services`` make the next one from a step,
so that an answer needs no second read.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal
from uuid import UUID

import msgspec

from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.values import Options, Outcome, Setup, State


class SeatSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """One seat, in the order of the columns that ``selectors`` asks for."""

    index: int
    kind: str
    user: UUID | None
    invited: UUID | None
    bot: str
    name: str
    side_deck: tuple[str, ...] | None
    points: int
    place: int | None
    resigned_at: int | None
    timed_out: bool


class LoadOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a match was loaded: what FORMAT.md ``loaded_from`` needs beyond parent and version.

    ``seats`` are the loading player's, ``state`` is the state (as JSON text) right after loading,
    ``shuffles`` counts the shuffles of the past; ``moved`` names the decks and positions re-dealt.
    """

    cards: Literal["same", "reshuffled"]
    shuffles: int
    seats: tuple[int, ...]
    state: str
    moved: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def reshuffled(self) -> bool:
        return self.cards == "reshuffled"


_READ = ("rules", "options", "sides", "state", "outcome", "loaded")


@dataclass(frozen=True)
class MatchSnapshot:
    """A match at one version. Secrets are in here: doors show only what ``view`` gives."""

    id: UUID
    game: str
    rules_version: int
    options_json: bytes
    status: str
    visibility: str
    creator_id: UUID
    rated: bool
    version: int
    round: int
    to_act: list[int]
    state_json: bytes | None = field(repr=False)
    outcome_json: bytes | None
    seed: bytes = field(repr=False)
    commitment: str
    shuffles_used: int
    turn_seconds: int | None
    deadline_at: datetime | None
    bot_due_at: datetime | None
    parent_id: UUID | None
    parent_version: int | None
    loaded_json: bytes | None
    previous_id: UUID | None
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seats: tuple[SeatSnapshot, ...]

    @cached_property
    def rules(self) -> AnyGame:
        return catalog.find(self.game)

    @cached_property
    def options(self) -> Options:
        options: Options = self.rules.decode_options(self.options_json)
        return options

    @cached_property
    def state(self) -> State:
        if self.state_json is None:
            raise LookupError("Nothing was dealt yet.")
        state: State = self.rules.decode_state(self.state_json)
        return state

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.outcome_json is None:
            return None
        return msgspec.json.decode(self.outcome_json, type=Outcome)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.sides_of(self.options)

    @cached_property
    def loaded(self) -> LoadOrigin | None:
        if self.loaded_json is None:
            return None
        return msgspec.json.decode(self.loaded_json, type=LoadOrigin)

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "aborted")

    @cached_property
    def names(self) -> list[str]:
        """What every seat is called; of equal names the later ones are numbered."""
        names: list[str] = []
        for seat in self.seats:
            name = seat.name or f"Seat {seat.index + 1}"
            alike = sum(other.name == seat.name for other in self.seats[: seat.index])
            names.append(f"{name} {alike + 1}" if alike and seat.name else name)
        return names

    @property
    def setups(self) -> list[Setup]:
        return [Setup(seat.name, seat.bot or None, seat.side_deck) for seat in self.seats]

    @property
    def resigned(self) -> tuple[int, ...]:
        """Seats that resigned, the first to resign first."""
        gone = [seat for seat in self.seats if seat.resigned_at is not None]
        return tuple(seat.index for seat in sorted(gone, key=lambda seat: seat.resigned_at or 0))

    def seats_of(self, user: UUID | None) -> tuple[int, ...]:
        """The seats that this user moves: the own one and those at the same device."""
        return tuple(seat.index for seat in self.seats if user and seat.user == user)

    def is_invited(self, user: UUID | None) -> bool:
        return any(user and seat.invited == user for seat in self.seats)

    def is_visible_to(self, user: UUID | None) -> bool:
        return (
            self.visibility != "private"
            or self.creator_id == user
            or bool(self.seats_of(user))
            or self.is_invited(user)
        )

    def bot_in_control(self, seat: int) -> str | None:
        """The bot that moves for a seat now, ``None`` for a person."""
        return bot_in_control(self.rules, self.seats[seat], self.state)

    @property
    def awaits_bot(self) -> bool:
        return any(self.bot_in_control(seat) for seat in self.to_act)

    def next_deadline(self, at: datetime) -> datetime | None:
        """When the people to act must have moved if their time begins now."""
        waits = any(not self.bot_in_control(seat) for seat in self.to_act)
        return at + timedelta(seconds=self.turn_seconds) if waits and self.turn_seconds else None

    def moved(self, **changes: Any) -> "MatchSnapshot":
        """The table with other values; ``state`` and ``outcome`` may be given as themselves.

        What was read from JSON already is not read again.
        """
        read = {name: self.__dict__[name] for name in _READ if name in self.__dict__}
        for name in ("state", "outcome"):
            if name in changes:
                value = read[name] = changes.pop(name)
                changes[f"{name}_json"] = None if value is None else msgspec.json.encode(value)
        match = replace(self, **changes)
        match.__dict__.update(read)
        return match


def bot_in_control(game: AnyGame, seat: SeatSnapshot, state: State) -> str | None:
    """The bot that moves for a seat in this state, ``None`` for a person.

    Besides the bots' own seats the service moves for seats that resigned (the game's stand-in
    plays them on) and for those with nothing to choose (pyanitsa's pace ``auto``).
    """
    if seat.kind == "bot":
        return seat.bot
    if seat.resigned_at is not None or game.autoplays(state, seat.index):
        return game.stand_in
    return None

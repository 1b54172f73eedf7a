"""The contract of a game: facts and plain functions of values.

Nothing here or below knows Django, a clock, a disk or global randomness.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import GenericAlias
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from games.rules.bot import Bot
from games.rules.errors import BadOptions
from games.rules.seats import each_seat_a_side
from games.rules.shuffles import Shuffle
from games.rules.values import (
    Card,
    Event,
    HistoryStep,
    Move,
    Options,
    Outcome,
    Redealt,
    Resigned,
    Seat,
    Setup,
    State,
    Step,
    View,
)

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


def _check_nothing(_options: Any) -> None:
    return None


def _brings_nothing(_options: Any, setup: Setup) -> Setup:
    return setup


def _nobody_out(_state: Any) -> frozenset[Seat]:
    return frozenset()


def _plays_by_hand(_state: Any, _seat: Seat) -> bool:
    return False


def _open_move(move: Move) -> Move:
    return move


@dataclass(frozen=True, eq=False)
class Game(Generic[O, S, V]):
    """A set of rules. State the facts at the top, give the functions, override what differs."""

    slug: str
    name: str
    summary: str
    min_seats: int
    max_seats: int
    options: type[O]
    state: type[S]
    view_type: type[V]
    events: Any  # the union of the game's events
    presets: Mapping[str, O]
    bots: tuple[Bot[V], ...]
    stand_in: str  # the bot that plays a resigned seat on

    seats: Callable[[O], int]
    start: Callable[[O, Sequence[Setup], Shuffle], Step[S]]
    to_act: Callable[[S], tuple[Seat, ...]]
    legal_moves: Callable[[S, Seat], tuple[Move, ...]]
    play: Callable[[S, Seat, Move, Shuffle], Step[S]]
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Seat | None], V]
    imagine: Callable[..., S]  # (view, rng, events=()) -> a possible world behind the view
    redeal: Callable[[S, Sequence[HistoryStep], frozenset[Seat], Shuffle], Redealt[S]]
    cards: Callable[[S], Sequence[Card]]  # every card of the running round, wherever it lies
    card_text: Callable[[Any], str]
    label: Callable[[Move], str]  # a move as a button says it: "Play 7♥"
    narrate: Callable[[Event, Sequence[str]], str]  # an event in words, given the seats' names
    opening: type[Event]  # the event that every round begins with

    rules_version: int = 1
    check_options: Callable[[O], None] = _check_nothing  # raises BadOptions
    sides: Callable[[O], tuple[tuple[Seat, ...], ...]] | None = None
    complete_setup: Callable[[O, Setup], Setup] = _brings_nothing  # completes, checks: BadSideDeck
    retired_seats: Callable[[S], frozenset[Seat]] = (
        _nobody_out  # seats that are out and cannot resign
    )
    autoplays: Callable[[S, Seat], bool] = _plays_by_hand  # the service moves for this seat
    public_move: Callable[[Move], Move] = _open_move  # the move as other seats may read it
    option_notes: Mapping[str, str] = field(
        default_factory=dict
    )  # option name → its effect in words
    distinct_cards: bool = True  # no two cards of a round are equal, so each can be followed

    # Text forms: every value of a game is JSON by msgspec and nothing else.

    @cached_property
    def _state_decoder(self) -> msgspec.json.Decoder[S]:
        return msgspec.json.Decoder(self.state)

    @cached_property
    def _events_decoder(self) -> msgspec.json.Decoder[tuple[Event, ...]]:
        return msgspec.json.Decoder(GenericAlias(tuple, (self.events | Resigned, ...)))

    def decode_state(self, data: bytes) -> S:
        return self._state_decoder.decode(data)

    def decode_events(self, data: bytes) -> tuple[Event, ...]:
        return self._events_decoder.decode(data)

    def decode_options(self, data: bytes) -> O:
        return msgspec.json.decode(data, type=self.options)

    def sides_of(self, options: O) -> tuple[tuple[Seat, ...], ...]:
        """The sides, each the seats that win together; a seat alone unless the game has teams."""
        return self.sides(options) if self.sides else each_seat_a_side(self.seats(options))

    def choose_options(
        self, values: Mapping[str, Any] | None = None, preset: str | None = None
    ) -> O:
        """Options from a preset (or the defaults) with ``values`` laid over; ``BadOptions``."""
        chosen = msgspec.to_builtins(self._preset(preset)) | dict(values or {})
        try:
            options = msgspec.convert(chosen, self.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"{error}.") from None
        self.check_options(options)
        return options

    def _preset(self, name: str | None) -> O:
        if name is None:
            return self.options()
        if name not in self.presets:
            known = ", ".join(self.presets)
            raise BadOptions(f"{self.name} has no preset {name!r}; there are: {known}.")
        return self.presets[name]

    def recent_events(self, events: Sequence[Event], remembers: str) -> Sequence[Event]:
        """The part of a seat's events that a bot is given (``Bot.remembers``)."""
        if remembers == "match":
            return events
        if remembers == "nothing":
            return ()
        opened = (at for at in range(len(events) - 1, -1, -1) if type(events[at]) is self.opening)
        return events[next(opened, 0) :]

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        """What happened, in words; the event as the reader may know it."""
        if isinstance(event, Resigned):
            cause = "ran out of time" if event.timed_out else "resigned"
            return f"{names[event.seat]} {cause}."
        return self.narrate(event, names)

    def bot(self, slug: str) -> Bot[V]:
        """The named bot; ``KeyError`` if there is none."""
        return {bot.slug: bot for bot in self.bots}[slug]


AnyGame: TypeAlias = Game[Any, Any, Any]
